//! Acceptances that the editor's history undoes after the agent has proposed changes of the accepted text.

use super::merge::growth;
use super::pending::{Pending, PendingHunk, shifted, shifted_range};
use copydesk_document::Document;
use copydesk_edit::change::{self, Change};

/// Undoes acceptances. `accepted` has for each accepted hunk, in the order of the document, the change of base that undoes
/// it. Its new content is what the proposal has in that range now, including later proposals. `None` if a pending hunk is
/// only partly in such a range.
pub(super) fn without_acceptances(
    base: &Document,
    pending: &Pending,
    accepted: Vec<(Change, PendingHunk)>,
) -> Option<(Document, Pending)> {
    let mut rest = pending.hunks.iter().peekable();
    let (mut hunks, mut changes) = (Vec::new(), Vec::new());
    // The growth of base so far, and the number of positions that the pending hunks add to the proposal.
    let (mut in_base, mut ahead) = (0, 0);
    let moved =
        |hunk: &PendingHunk, in_base: isize| PendingHunk { base: shifted_range(&hunk.base, in_base), ..hunk.clone() };
    for (change, hunk) in accepted {
        while let Some(before) = rest.next_if(|other| other.base.end <= change.from) {
            ahead += before.growth();
            hunks.push(moved(before, in_base));
        }
        let start = shifted(change.from, ahead);
        let mut whole = hunk;
        while let Some(inside) = rest.next_if(|other| other.base.start < change.to && other.base.end <= change.to) {
            if inside.base.start < change.from {
                return None;
            }
            ahead += inside.growth();
            whole.join(inside);
        }
        if rest.peek().is_some_and(|next| next.base.start < change.to) {
            return None;
        }
        let grown = growth(&change);
        whole.proposed = start..shifted(change.to, ahead);
        whole.base = shifted(change.from, in_base)..shifted(change.to, in_base + grown);
        hunks.push(whole);
        in_base += grown;
        changes.push(change);
    }
    hunks.extend(rest.map(|hunk| moved(hunk, in_base)));
    let proposed = pending.proposed.clone();
    Some((change::replace(base, &changes).ok()?, Pending { proposed, hunks, log: None }))
}

//! Differences of documents as inputs: `{stretches, blocks}`.

use crate::file;
use copydesk_document::Document;
use copydesk_edit::{Error, Origin, plan};
use copydesk_review::decide::Reviewed;
use copydesk_review::{Review, ReviewCell};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Top-level blocks that were replaced.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Difference {
    /// For each range its index, the number of blocks removed and the number inserted.
    stretches: Vec<[usize; 3]>,
    /// The inserted blocks of all ranges.
    blocks: Value,
}

/// The origin of an edit.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Author {
    turn: Option<String>,
    tool_id: Option<String>,
}

/// Returns an editor's report of its change as an input.
pub(crate) fn sync_value(stretches: &[[usize; 3]], blocks: &str) -> Value {
    json!({ "stretches": stretches, "blocks": file::parse(blocks).unwrap_or_default() })
}

/// Returns the difference of two documents, `{stretches, blocks}` as in a `sync`; null if they are equal.
pub fn difference(before: &Document, after: &Document) -> Value {
    let (old, new) = (before.blocks(), after.blocks());
    let first = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = (&old[first..], &new[first..]);
    let last = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(|(a, b)| a == b).count();
    let (removed, inserted) = (rest.0.len() - last, &rest.1[..rest.1.len() - last]);
    if removed == 0 && inserted.is_empty() {
        return Value::Null;
    }
    let blocks = inserted.iter().map(|node| node.to_value(after.schema())).collect();
    json!(Difference { stretches: vec![[first, removed, inserted.len()]], blocks })
}

/// Returns an edit that somebody else than the agent has proposed, as an input.
pub(crate) fn proposal(before: &Document, after: &Document, origin: &Origin) -> Value {
    let mut value = difference(before, after);
    if let Value::Object(members) = &mut value {
        members.insert("turn".into(), json!(origin.turn));
        members.insert("toolId".into(), json!(origin.tool_id));
    }
    value
}

/// Makes a difference.
///
/// # Errors
/// Does not apply to this document, which stays unchanged.
pub fn sync(cell: &ReviewCell, value: Value) -> Result<(), Error> {
    let Difference { stretches, blocks } = serde_json::from_value(value).unwrap_or_default();
    cell.review().borrow_mut().sync(&stretches, &blocks.to_string())
}

/// Makes a difference in the proposal, as an edit of somebody else.
///
/// # Errors
/// Does not apply to this proposal, which stays unchanged.
pub fn propose(cell: &ReviewCell, value: Value) -> Result<(), Error> {
    let before = cell.document();
    let after = ReviewCell::new(before.clone());
    let Author { turn, tool_id } = Author::deserialize(&value).unwrap_or_default();
    let origin = Origin { turn, tool_id, ..Origin::default() };
    sync(&after, value)?;
    let changes = plan::compare(&before, &after.document()).changes;
    cell.review().borrow_mut().propose(&changes, &origin)
}

/// Returns the versions of both documents.
pub(crate) fn versions(review: &Review) -> Value {
    json!({ "base": review.base().version(), "proposed": review.proposed().version() })
}

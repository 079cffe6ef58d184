//! Restores pending hunks that were stored as JSON, for when a page is loaded again.
//!
//! A hunk as [`Hunk::to_value`](crate::Hunk::to_value) writes it contains the change that accepts it, so that base and
//! its hunks are the whole review. Restored hunks get new ids. They keep their tool calls, but not their turns: every
//! page uses the same names of turns again, and the changes of earlier turns are no longer known.

use super::pending::{Maker, Numbers, Pending, PendingHunk, shifted};
use super::review::Review;
use crate::Error;
use copydesk_base::decode::from_value;
use copydesk_document::{Document, Node};
use copydesk_edit::Origin;
use copydesk_edit::change::{self, Change};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;

/// The stored form of a hunk. Other members are derived from these, and are ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StoredHunk {
    pub from: usize,
    pub to: usize,
    pub content: Vec<Value>,
    /// Content of the range when the hunk was made; `None` if it is not shared.
    pub original: Option<Vec<Value>>,
    #[serde(default)]
    conflict: bool,
    #[serde(default)]
    pub id: String,
    #[serde(default)]
    pub linked: Vec<String>,
    #[serde(default)]
    pub tool_ids: Vec<String>,
    pub instruction: Option<String>,
    pub author: Option<Value>,
}

impl Review {
    /// Makes stored hunks pending again. `value` is a list of hunks of a document that was the same as base.
    ///
    /// # Errors
    /// [`copydesk_base::Error::InvalidParameter`] if hunks are pending already, or if the list is not one of hunks of
    /// this document; nothing has changed then.
    pub fn restore(&mut self, value: &Value) -> Result<(), Error> {
        if self.is_pending() {
            return Err(refused("hunks are pending", "a document without pending hunks"));
        }
        let stored: Vec<StoredHunk> =
            from_value(value).map_err(|error| refused(&error.to_string(), "a list of hunks"))?;
        let Some(last) = stored.last() else { return Ok(()) };
        let ascending = stored.windows(2).all(|pair| pair[0].to <= pair[1].from);
        let ordered = ascending && stored.iter().all(|hunk| hunk.from <= hunk.to);
        if !ordered || last.to > self.base().size() {
            return Err(refused("positions that are not in this document", "hunks of this document, in its order"));
        }
        let schema = self.base().schema().clone();
        let changes = stored
            .iter()
            .map(|StoredHunk { from, to, content, .. }| {
                let content: Result<Vec<Node>, _> =
                    content.iter().map(|node| Node::from_value(&schema, node)).collect();
                Ok(Change { from: *from, to: *to, content: content? })
            })
            .collect::<Result<Vec<Change>, Error>>()?;
        let mut before = self.base().clone();
        before.name_after(self.base());
        let proposed = change::replace(&before, &changes)?;
        // The content of each change is checked on its own above, and here in its place.
        Document::from_json(&proposed.to_json(), schema)?;

        let mut grown = 0;
        let mut hunks = Vec::with_capacity(stored.len());
        let (mut makers, mut links) = (Makers::default(), FxHashMap::default());
        for (hunk, change) in stored.into_iter().zip(&changes) {
            let start = shifted(change.from, grown);
            grown += change.new_size() as isize - (change.to - change.from) as isize;
            hunks.push(PendingHunk {
                id: self.numbers.next_hunk(),
                base: change.from..change.to,
                proposed: start..start + change.new_size(),
                makers: makers.of(&hunk, &mut self.numbers),
                links: hunk.link(&mut links, &mut self.numbers),
                conflict: hunk.conflict,
            });
        }
        self.begin(Pending { proposed, hunks, log: None });
        Ok(())
    }
}

impl StoredHunk {
    /// Returns the first id among those of the hunks that are decided together.
    pub(super) fn first(&self) -> &String {
        self.linked.iter().fold(&self.id, |first, id| first.min(id))
    }

    /// Returns the number of the link of hunks that are decided together, which is known from the first of them on.
    pub(super) fn link(&self, links: &mut FxHashMap<String, u64>, numbers: &mut Numbers) -> Vec<u64> {
        if self.linked.is_empty() {
            return Vec::new();
        }
        vec![*links.entry(self.first().clone()).or_insert_with(|| numbers.next_link())]
    }
}

/// The numbers of the edits that made the stored hunks. Hunks of one tool call have one edit, and so have those that
/// are decided together.
#[derive(Default)]
struct Makers(FxHashMap<(Option<String>, String), u64>);

impl Makers {
    fn of(&mut self, hunk: &StoredHunk, numbers: &mut Numbers) -> Vec<Maker> {
        let first = hunk.first().clone();
        let mut keys: Vec<_> = hunk.tool_ids.iter().map(|id| (Some(id.clone()), String::new())).collect();
        if keys.is_empty() || !hunk.linked.is_empty() {
            keys.push((None, first));
        }
        let maker = |key: (Option<String>, String)| {
            let (instruction, author) = (hunk.instruction.clone(), hunk.author.clone());
            let origin = Origin { tool_id: key.0.clone(), instruction, author, ..Origin::default() };
            let mut maker = numbers.next_maker(origin);
            // A hunk that was stored without an id belongs to no other.
            if key.0.is_some() || !key.1.is_empty() {
                maker.number = *self.0.entry(key).or_insert(maker.number);
            }
            maker
        };
        let mut makers: Vec<Maker> = keys.into_iter().map(maker).collect();
        makers.sort_by_key(|maker| maker.number);
        makers
    }
}

fn refused(given: &str, expected: &str) -> Error {
    Error::Base(copydesk_base::Error::InvalidParameter {
        name: "hunks".into(),
        given: copydesk_base::error::excerpt(given),
        expected: expected.into(),
    })
}

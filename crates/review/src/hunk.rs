//! Hunks: the agent's changes as they wait for the user's decision.

use crate::Error;
use crate::messages;
use copydesk_base::error::excerpt;
use copydesk_base::locale::Locale;
use copydesk_base::phrases;
use copydesk_document::Document;
use copydesk_edit::Origin;
use copydesk_edit::change::{Change, ChangeJson};
use copydesk_edit::relocate::FoundBy;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Range;

/// One difference between the editor's document (*base*) and the agent's proposal.
#[derive(Clone, Debug, PartialEq)]
pub struct Hunk {
    /// The id, which stays the same until the hunk is decided.
    pub id: String,
    /// The change of base when it is accepted.
    pub change: Change,
    /// The range in the proposal.
    pub proposed: Range<usize>,
    /// The kind of the change.
    pub kind: HunkKind,
    /// True if whole blocks come or go, rather than inline content.
    pub block: bool,
    /// True if the user has changed the same range meanwhile: it holds the user's version and the agent's, and is
    /// decided by itself.
    pub conflict: bool,
    /// Ids of the hunks that are decided with it: text was moved between them.
    pub linked: Vec<String>,
    /// The edits that made it, the oldest first.
    pub origins: Vec<Origin>,
    /// The deleted text.
    pub original_text: String,
    /// The inserted text.
    pub new_text: String,
    /// The first and the last line of base that it is in.
    pub original_lines: (usize, usize),
    /// The first and the last line of the proposal that it is in.
    pub lines: (usize, usize),
}

/// The kind of the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HunkKind {
    /// Content is inserted.
    Insertion,
    /// Content is deleted.
    Deletion,
    /// Content is replaced.
    Edit,
}

impl HunkKind {
    /// Returns the kind of a change.
    pub fn of(change: &Change) -> HunkKind {
        match (change.from == change.to, change.content.is_empty()) {
            (true, _) => HunkKind::Insertion,
            (false, true) => HunkKind::Deletion,
            (false, false) => HunkKind::Edit,
        }
    }
}

impl Hunk {
    /// The turns that made it, each once.
    pub fn turns(&self) -> Vec<&str> {
        once(self.origins.iter().filter_map(|origin| origin.turn.as_deref()))
    }

    /// The number in its id.
    pub(super) fn number(&self) -> Option<u64> {
        self.id.strip_prefix('h')?.parse().ok()
    }

    /// The tool calls that made it, each once.
    pub fn tool_ids(&self) -> Vec<&str> {
        once(self.origins.iter().filter_map(|origin| origin.tool_id.as_deref()))
    }

    /// Returns the hunk as JSON; positions `from` and `to` are in base.
    pub fn to_value(&self, base: &Document) -> Value {
        let ChangeJson { from, to, content } = self.change.to_json(base);
        let json = HunkJson {
            id: &self.id,
            proposed_from: self.proposed.start,
            proposed_to: self.proposed.end,
            kind: self.kind,
            block: self.block,
            conflict: self.conflict,
            linked: &self.linked,
            turn_ids: self.turns(),
            tool_ids: self.tool_ids(),
            original_text: &self.original_text,
            new_text: &self.new_text,
            original_start_line: self.original_lines.0,
            original_end_line: self.original_lines.1,
            start_line: self.lines.0,
            end_line: self.lines.1,
            instruction: self.origins.iter().rev().find_map(|origin| origin.instruction.as_deref()),
            found_by: self.origins.iter().filter_map(|origin| origin.found_by).max(),
            author: self.origins.iter().rev().find_map(|origin| origin.author.as_ref()),
            from,
            to,
            content,
        };
        serde_json::to_value(json).unwrap_or_default()
    }
}

/// The JSON form of a hunk.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HunkJson<'h> {
    id: &'h str,
    proposed_from: usize,
    proposed_to: usize,
    kind: HunkKind,
    block: bool,
    conflict: bool,
    linked: &'h [String],
    turn_ids: Vec<&'h str>,
    tool_ids: Vec<&'h str>,
    original_text: &'h str,
    new_text: &'h str,
    original_start_line: usize,
    original_end_line: usize,
    start_line: usize,
    end_line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    instruction: Option<&'h str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found_by: Option<FoundBy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'h Value>,
    from: usize,
    to: usize,
    content: Vec<Value>,
}

fn once<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    names.fold(Vec::new(), |mut known, name| {
        if !known.contains(&name) {
            known.push(name);
        }
        known
    })
}

/// The hunks that a decision is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// One.
    Hunk(String),
    /// Those with these ids that there are.
    Hunks(Vec<String>),
    /// Those that a tool call made.
    ToolId(String),
    /// Those that a turn made.
    Turn(String),
    /// All.
    All,
}

impl Which {
    /// Reads `{hunk}`, `{hunks}`, `{toolId}`, `{turnId}` or `"all"`.
    ///
    /// # Errors
    /// [`copydesk_base::Error::InvalidParameter`].
    pub fn from_value(value: &Value) -> Result<Which, Error> {
        let name = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        if value == "all" {
            return Ok(Which::All);
        }
        let ids = |list: &Vec<Value>| list.iter().map(|id| id.as_str().map(str::to_owned)).collect();
        if let Some(ids) = value.get("hunks").and_then(Value::as_array).and_then(ids) {
            return Ok(Which::Hunks(ids));
        }
        let named = name("hunk").map(Which::Hunk).or_else(|| name("toolId").map(Which::ToolId));
        named.or_else(|| name("turnId").map(Which::Turn)).ok_or_else(|| {
            Error::Base(copydesk_base::Error::InvalidParameter {
                name: "which".into(),
                given: excerpt(&value.to_string()),
                expected: "{ hunk }, { hunks }, { toolId }, { turnId } or \"all\"".into(),
            })
        })
    }

    /// Returns the indexes of the selected hunks, with those that are decided together with them.
    ///
    /// # Errors
    /// [`Error::UnknownHunk`]. A tool call or turn without remaining hunks selects none.
    pub fn of(&self, hunks: &[Hunk]) -> Result<Vec<usize>, Error> {
        let meant = |hunk: &Hunk| match self {
            Which::Hunk(id) => hunk.id == *id,
            Which::Hunks(ids) => ids.contains(&hunk.id),
            Which::ToolId(id) => hunk.tool_ids().contains(&id.as_str()),
            Which::Turn(id) => hunk.turns().contains(&id.as_str()),
            Which::All => true,
        };
        let mut is_found: Vec<bool> = hunks.iter().map(meant).collect();
        let linked: FxHashSet<&String> =
            hunks.iter().zip(&is_found).filter(|(_, found)| **found).flat_map(|(hunk, _)| &hunk.linked).collect();
        is_found.iter_mut().zip(hunks).for_each(|(found, hunk)| *found |= linked.contains(&hunk.id));
        let found: Vec<usize> = (0..hunks.len()).filter(|at| is_found[*at]).collect();
        match self {
            Which::Hunk(id) if found.is_empty() => {
                let valid = hunks.iter().map(|hunk| hunk.id.clone()).collect();
                Err(Error::UnknownHunk { given: id.clone(), valid })
            }
            _ => Ok(found),
        }
    }
}

/// The version of a conflict that stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The user's.
    Mine,
    /// The agent's.
    Theirs,
    /// The user's, and behind it the agent's.
    Both,
}

impl Version {
    /// Reads `mine`, `theirs` or `both`.
    ///
    /// # Errors
    /// [`copydesk_base::Error::InvalidParameter`].
    pub fn from_name(name: &str) -> Result<Version, Error> {
        match name {
            "mine" => Ok(Version::Mine),
            "theirs" => Ok(Version::Theirs),
            "both" => Ok(Version::Both),
            _ => Err(copydesk_base::Error::InvalidParameter {
                name: "version".into(),
                given: excerpt(name),
                expected: "\"mine\", \"theirs\" or \"both\"".into(),
            }
            .into()),
        }
    }
}

/// A decision of the user about a hunk, as the model is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// The hunk.
    pub hunk: String,
    /// The decision.
    pub outcome: HunkOutcome,
    /// The line of the proposal where it was at the time.
    pub line: usize,
    /// The turn that made it, the last one where there were several.
    pub turn: Option<String>,
    /// The tool call that made it, the last one where there were several.
    pub tool_id: Option<String>,
}

/// The decision about a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HunkOutcome {
    /// The document has the proposed text.
    Accepted,
    /// The document keeps the user's version.
    Rejected,
    /// The document has the user's version and the proposed text.
    Both,
    /// The decision was taken back: the hunk is pending again.
    Undone,
}

/// The number of hunks of one call that are named.
const MOST_NAMED: usize = 3;

impl Verdict {
    pub(super) fn of(hunk: &Hunk, outcome: HunkOutcome) -> Verdict {
        let last = |names: Vec<&str>| names.last().map(|name| (*name).to_owned());
        Verdict {
            hunk: hunk.id.clone(),
            outcome,
            line: hunk.lines.0,
            turn: last(hunk.turns()),
            tool_id: last(hunk.tool_ids()),
        }
    }

    /// Returns the verdicts in words, a line for each call. The content of hunks is not repeated: the model wrote it.
    /// `tool` returns the name of the tool that was called.
    pub fn in_words(verdicts: &[Verdict], tool: impl Fn(&str) -> Option<String>, locale: Locale) -> String {
        let calls = once(verdicts.iter().map(|verdict| verdict.tool_id.as_deref().unwrap_or_default()));
        let line = |call: &str| {
            let of = |outcome| -> Vec<&Verdict> {
                let own = |verdict: &&Verdict| verdict.tool_id.as_deref().unwrap_or_default() == call;
                verdicts.iter().filter(own).filter(|verdict| verdict.outcome == outcome).collect()
            };
            let parts: Vec<String> =
                [HunkOutcome::Accepted, HunkOutcome::Rejected, HunkOutcome::Both, HunkOutcome::Undone]
                    .into_iter()
                    .map(|outcome| (outcome, of(outcome)))
                    .filter(|(_, hunks)| !hunks.is_empty())
                    .map(|(outcome, hunks)| outcome.of_hunks(&hunks, locale))
                    .collect();
            let name = tool(call).unwrap_or_else(|| messages::AN_EDIT.text(locale).to_owned());
            messages::Decisions { name: &name, decisions: &parts.join(phrases::semicolon(locale)) }.text(locale)
        };
        let head = messages::USER_DECIDED.text(locale).to_owned();
        std::iter::once(head).chain(calls.into_iter().map(line)).collect::<Vec<_>>().join("\n")
    }
}

impl HunkOutcome {
    fn of_hunks(self, hunks: &[&Verdict], locale: Locale) -> String {
        if let [one] = hunks {
            let (hunk, line) = (&one.hunk, &one.line);
            return match self {
                HunkOutcome::Accepted => messages::AcceptedOne { hunk, line }.text(locale),
                HunkOutcome::Rejected => messages::RejectedOne { hunk, line }.text(locale),
                HunkOutcome::Both => messages::BothOne { hunk, line }.text(locale),
                HunkOutcome::Undone => messages::UndoneOne { hunk, line }.text(locale),
            };
        }
        let named = hunks.iter().take(MOST_NAMED).map(|verdict| verdict.hunk.as_str()).collect::<Vec<_>>();
        let more = if hunks.len() > MOST_NAMED { ", …" } else { "" };
        let (count, hunks) = (&hunks.len(), &(named.join(", ") + more));
        match self {
            HunkOutcome::Accepted => messages::AcceptedMany { count, hunks }.text(locale),
            HunkOutcome::Rejected => messages::RejectedMany { count, hunks }.text(locale),
            HunkOutcome::Both => messages::BothMany { count, hunks }.text(locale),
            HunkOutcome::Undone => messages::UndoneMany { count, hunks }.text(locale),
        }
    }
}

/// The first and the last line that a range of positions is in; for an empty one the line it is in or before.
pub fn lines_of(document: &Document, range: &Range<usize>) -> (usize, usize) {
    let (from, to) = (range.start, range.end);
    let last = document.line_count().max(1);
    let (first_block, last_block) = (document.block_at(from), document.block_at(to.saturating_sub(1).max(from)));
    // Only the blocks at its ends are looked at: lines before the range may fill the first one.
    let (mut first, mut end) = (None, None);
    document.each_line(first_block..first_block + 2, &mut |line| {
        first = first.or((line.to >= from).then_some(line.line));
    });
    let first = first.unwrap_or(last);
    document.each_line(last_block.saturating_sub(1).max(first_block)..last_block + 1, &mut |line| {
        if line.from < to || line.from == from {
            end = Some(line.line);
        }
    });
    (first, end.unwrap_or(first).max(first))
}

//! Hunks: the agent's changes as they wait for the person's decision.

use super::apply::Origin;
use super::change::Change;
use crate::document::{Document, Node, Schema};
use crate::error::{Error, excerpt};
use crate::fields::object;
use crate::locale::Locale;
use serde_json::Value;
use std::ops::Range;

/// One difference between what the editor holds (*base*) and what the agent proposes.
#[derive(Clone, Debug, PartialEq)]
pub struct Hunk {
    /// Its name, which stays as long as it lives.
    pub id: String,
    /// What accepting it does to base.
    pub change: Change,
    /// What it is in the proposal.
    pub proposed: Range<usize>,
    /// Whether something comes, goes, or both.
    pub kind: HunkKind,
    /// Whether whole blocks come or go, rather than inline content.
    pub block: bool,
    /// Whether the person has changed the same place meanwhile: accepting it undoes that, rejecting it keeps it.
    pub conflict: bool,
    /// The edits that made it, the oldest first.
    pub origins: Vec<Origin>,
    /// What goes, as text.
    pub original_text: String,
    /// What comes, as text.
    pub new_text: String,
    /// The first and the last line of base that it is in.
    pub original_lines: (usize, usize),
    /// The first and the last line of the proposal that it is in.
    pub lines: (usize, usize),
}

/// Whether something comes, goes, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HunkKind {
    /// Something comes.
    Insertion,
    /// Something goes.
    Deletion,
    /// Something takes the place of something else.
    Edit,
}

impl HunkKind {
    /// What a change does.
    pub fn of(change: &Change) -> HunkKind {
        match (change.from == change.to, change.content.is_empty()) {
            (true, _) => HunkKind::Insertion,
            (false, true) => HunkKind::Deletion,
            (false, false) => HunkKind::Edit,
        }
    }

    /// As it stands in JSON.
    pub fn name(self) -> &'static str {
        match self {
            HunkKind::Insertion => "insertion",
            HunkKind::Deletion => "deletion",
            HunkKind::Edit => "edit",
        }
    }
}

impl Hunk {
    /// The turns that made it, each once.
    pub fn turns(&self) -> Vec<&str> {
        once(self.origins.iter().filter_map(|origin| origin.turn.as_deref()))
    }

    /// The tool calls that made it, each once.
    pub fn tool_ids(&self) -> Vec<&str> {
        once(self.origins.iter().filter_map(|origin| origin.tool_id.as_deref()))
    }

    /// The hunk as JSON; positions `from` and `to` are in base.
    pub fn to_value(&self, base: &Document) -> Value {
        let mut value = object(&mut [
            ("id", self.id.as_str().into()),
            ("proposedFrom", self.proposed.start.into()),
            ("proposedTo", self.proposed.end.into()),
            ("kind", self.kind.name().into()),
            ("block", self.block.into()),
            ("conflict", self.conflict.into()),
            ("turnIds", self.turns().into()),
            ("toolIds", self.tool_ids().into()),
            ("originalText", self.original_text.as_str().into()),
            ("newText", self.new_text.as_str().into()),
            ("originalStartLine", self.original_lines.0.into()),
            ("originalEndLine", self.original_lines.1.into()),
            ("startLine", self.lines.0.into()),
            ("endLine", self.lines.1.into()),
        ]);
        if let Some(why) = self.origins.iter().rev().find_map(|origin| origin.instruction.as_deref()) {
            value["instruction"] = why.into();
        }
        if let Some(by) = self.origins.iter().filter_map(|origin| origin.found_by).max() {
            value["foundBy"] = by.name().into();
        }
        if let (Value::Object(value), Value::Object(change)) = (&mut value, self.change.to_value(base)) {
            value.extend(change);
        }
        value
    }
}

fn once<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    names.fold(Vec::new(), |mut known, name| {
        if !known.contains(&name) {
            known.push(name);
        }
        known
    })
}

/// Which hunks a decision is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// One.
    Hunk(String),
    /// Those that a tool call made.
    ToolId(String),
    /// Those that a turn made.
    Turn(String),
    /// All.
    All,
}

impl Which {
    /// Reads `{hunk}`, `{toolId}`, `{turnId}` or `"all"`.
    ///
    /// # Errors
    /// [`Error::InvalidParameter`].
    pub fn from_value(value: &Value) -> Result<Which, Error> {
        let name = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        if value == "all" {
            return Ok(Which::All);
        }
        let named = name("hunk").map(Which::Hunk).or_else(|| name("toolId").map(Which::ToolId));
        named.or_else(|| name("turnId").map(Which::Turn)).ok_or_else(|| Error::InvalidParameter {
            name: "which".into(),
            given: excerpt(&value.to_string()),
            expected: "{ hunk }, { toolId }, { turnId } or \"all\"".into(),
        })
    }

    /// Which of the hunks are meant, by index.
    ///
    /// # Errors
    /// [`Error::UnknownHunk`]. A tool call or turn of which no hunk is left means none.
    pub fn of(&self, hunks: &[Hunk]) -> Result<Vec<usize>, Error> {
        let meant = |hunk: &Hunk| match self {
            Which::Hunk(id) => hunk.id == *id,
            Which::ToolId(id) => hunk.tool_ids().contains(&id.as_str()),
            Which::Turn(id) => hunk.turns().contains(&id.as_str()),
            Which::All => true,
        };
        let found: Vec<usize> = (0..hunks.len()).filter(|at| meant(&hunks[*at])).collect();
        match self {
            Which::Hunk(id) if found.is_empty() => {
                let valid = hunks.iter().map(|hunk| hunk.id.clone()).collect();
                Err(Error::UnknownHunk { given: id.clone(), valid })
            }
            _ => Ok(found),
        }
    }
}

/// What the person decided about a hunk, for the model to know.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The hunk.
    pub hunk: String,
    /// Whether it was accepted; otherwise it was rejected.
    pub accepted: bool,
    /// The beginning of what it said: the new text, or the old where it only took something away.
    pub text: String,
    /// The line of the proposal where it stood at the time.
    pub line: usize,
    /// The turn that made it, the last one where there were several.
    pub turn: Option<String>,
}

impl Verdict {
    pub(super) fn of(hunk: &Hunk, accepted: bool) -> Verdict {
        let text = if hunk.kind == HunkKind::Deletion { &hunk.original_text } else { &hunk.new_text };
        Verdict {
            hunk: hunk.id.clone(),
            accepted,
            text: excerpt(text),
            line: hunk.lines.0,
            turn: hunk.turns().last().map(|turn| (*turn).to_owned()),
        }
    }

    /// The verdict in words.
    pub fn sentence(&self, locale: Locale) -> String {
        let Verdict { hunk, text, line, .. } = self;
        match self.accepted {
            true => locale.pick(
                format!("Hunk {hunk} at line {line} was accepted: {text}"),
                format!("第 {line} 行的修改 {hunk} 已被接受：{text}"),
            ),
            false => locale.pick(
                format!("Hunk {hunk} at line {line} was rejected: {text}"),
                format!("第 {line} 行的修改 {hunk} 已被拒绝：{text}"),
            ),
        }
    }
}

/// Nodes as text: a line each textblock, break and rule.
pub fn text_of(schema: &Schema, nodes: &[Node]) -> String {
    fn write(schema: &Schema, node: &Node, out: &mut String) {
        match node.text() {
            Some(text) => out.push_str(text),
            None if schema.is_hard_break(node.kind()) => out.push('\n'),
            None => {
                if !schema.is_inline(node.kind()) && !out.is_empty() && !out.ends_with('\n') {
                    out.push('\n');
                }
                node.children().iter().for_each(|child| write(schema, child, out));
            }
        }
    }
    let mut text = String::new();
    nodes.iter().for_each(|node| write(schema, node, &mut text));
    text
}

/// The first and the last line that a range of positions is in; for an empty one the line it stands in or before.
pub fn lines_of(document: &Document, range: &Range<usize>) -> (usize, usize) {
    let last = document.line_count().max(1);
    let blocks = document.block_at(range.start)..document.block_at(range.end.saturating_sub(1).max(range.start)) + 1;
    let lines = document.lines_of_blocks(blocks);
    let first = lines.iter().find(|line| line.to >= range.start).map_or(last, |line| line.line);
    let inside = |line: &&crate::document::Line| line.from < range.end || line.from == range.start;
    let end = lines.iter().rev().find(inside).map_or(first, |line| line.line);
    (first, end.max(first))
}

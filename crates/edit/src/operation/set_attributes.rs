//! `set_attributes`: other attributes for lines, whose text is not changed.

use copydesk_base::parameters;
use crate::messages;
use super::{Operation, Outcome};
use crate::Error;
use crate::apply::{DocumentHost, Resolved};
use crate::target::{LineRange, Target, line_ranges};
use copydesk_base::error::excerpt;
use copydesk_document::{Document, Line, Node, Schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Sets attributes of lines. The comments describe its parameters to models.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct SetAttributes {
    /// The lines and their attributes; the ranges do not overlap.
    #[schemars(description = messages::SET_ATTRIBUTES_EDITS.text(parameters::locale()))]
    pub edits: Vec<AttributeEdit>,
    /// The version whose lines are meant. Default: the last you saw.
    #[schemars(description = messages::SET_ATTRIBUTES_VERSION.text(parameters::locale()))]
    pub version: Option<String>,
    /// Why, in a few words.
    #[schemars(description = messages::SET_ATTRIBUTES_INSTRUCTION.text(parameters::locale()))]
    pub instruction: Option<String>,
}

/// Lines and attributes for them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct AttributeEdit {
    /// The first line, counted from 1.
    #[schemars(description = messages::ATTRIBUTE_EDIT_START_LINE.text(parameters::locale()))]
    pub start_line: Option<i64>,
    /// The last line, included.
    #[schemars(description = messages::ATTRIBUTE_EDIT_END_LINE.text(parameters::locale()))]
    pub end_line: Option<i64>,
    /// Attributes by name: checked of a task, level of a heading, language of code, start of a numbered list, and
    /// others that the editor has. null for the default.
    #[schemars(description = messages::ATTRIBUTE_EDIT_ATTRIBUTES.text(parameters::locale()))]
    pub attributes: Map<String, Value>,
}

impl AttributeEdit {
    fn range(&self) -> LineRange {
        LineRange { start: self.start_line, end: self.end_line }
    }
}

impl Operation for SetAttributes {
    const NAME: &'static str = "set_attributes";

    fn target(&self) -> Target {
        Target::Lines(self.edits.iter().map(AttributeEdit::range).collect())
    }

    fn retarget(&mut self, target: &Target) {
        if let Target::Lines(ranges) = target {
            for (edit, range) in self.edits.iter_mut().zip(ranges) {
                (edit.start_line, edit.end_line) = (range.start, range.end);
            }
        }
        self.version = None;
    }

    fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    fn instruction(&self) -> Option<&str> {
        self.instruction.as_deref()
    }

    fn resolve(&self, _: &dyn DocumentHost, document: &Document) -> Result<Resolved, Error> {
        let ranges: Vec<LineRange> = self.edits.iter().map(AttributeEdit::range).collect();
        let ranges = line_ranges(&ranges, document.line_count())?;
        let mut changed: BTreeMap<usize, Node> = BTreeMap::new();
        for (range, edit) in ranges.iter().zip(&self.edits) {
            for line in document.lines_between(*range.start(), *range.end()) {
                let block = changed.entry(line.block).or_insert_with(|| document.blocks()[line.block].clone());
                for (name, value) in &edit.attributes {
                    *block = set(document.schema(), block, &line, name, value)?;
                }
            }
        }
        let (Some(first), Some(last)) = (changed.keys().next().copied(), changed.keys().last().copied()) else {
            return Ok(Resolved::of(0..0, Vec::new()));
        };
        let block = |at| changed.remove(&at).unwrap_or_else(|| document.blocks()[at].clone());
        let with = (first..=last).map(block).collect();
        Ok(Resolved { lines: ranges, ..Resolved::of(first..last + 1, with) })
    }

    fn summary(&self, outcome: &Outcome) -> String {
        let (locale, ranges) = (outcome.locale, outcome.lines());
        match outcome.is_changed {
            true => messages::AttributesSet { ranges: &ranges }.text(locale),
            false => outcome.unchanged(),
        }
    }
}

/// Returns a top-level block in which the innermost node of a line that has an attribute has another value of it.
fn set(schema: &Schema, block: &Node, line: &Line, name: &str, value: &Value) -> Result<Node, Error> {
    match within(schema, block, &line.path[1..], name, value) {
        Some(set) => set,
        None => Err(Error::UnknownAttribute {
            line: line.line,
            kind: line.kind.clone(),
            given: excerpt(name),
            valid: attributes_of(schema, block, &line.path[1..]),
        }),
    }
}

fn within(schema: &Schema, node: &Node, path: &[usize], name: &str, value: &Value) -> Option<Result<Node, Error>> {
    if let [at, rest @ ..] = path
        && let Some(child) = node.children().get(*at)
        && let Some(set) = within(schema, child, rest, name, value)
    {
        let with = |child| {
            let mut children = node.children().to_vec();
            children[*at] = child;
            node.with_children(children)
        };
        return Some(set.map(with));
    }
    let default = schema.default_attrs(node.kind()).get(name)?.clone();
    Some(checked(name, value, &default).map(|value| node.with_attrs(node.attrs().with(name, value))))
}

/// Returns the value that an attribute takes: one of the type of its default.
fn checked(name: &str, value: &Value, default: &Value) -> Result<Value, Error> {
    let expected = match (default, value) {
        (_, Value::Null) => return Ok(default.clone()),
        (Value::Bool(_), given) if !given.is_boolean() => "true or false",
        (Value::Number(_), given) if name == "level" && !given.as_u64().is_some_and(|level| (1..=6).contains(&level)) => {
            "a number from 1 to 6"
        }
        (Value::Number(_), given) if !given.is_number() => "a number",
        (Value::String(_), given) if !given.is_string() => "a text",
        _ => return Ok(value.clone()),
    };
    Err(copydesk_base::Error::InvalidParameter {
        name: format!("attributes.{name}"),
        given: excerpt(&value.to_string()),
        expected: expected.into(),
    }
    .into())
}

/// Returns the names of the attributes that a line and the nodes around it have.
fn attributes_of(schema: &Schema, block: &Node, path: &[usize]) -> Vec<String> {
    let mut nodes = vec![block];
    for at in path {
        nodes.extend(nodes[nodes.len() - 1].children().get(*at));
    }
    let mut names: Vec<String> = Vec::new();
    for node in nodes.iter().rev() {
        names.extend(schema.default_attrs(node.kind()).iter().map(|(name, _)| name.to_owned()));
    }
    names.sort_unstable();
    names.dedup();
    names
}

//! Refuses edits that would write control characters or noncharacters.

use crate::Error;
use crate::change::Change;
use crate::operation::DocUpdate;
use copydesk_base::characters;
use copydesk_document::{Document, Node};
use serde_json::Value;

/// The parameters that are compared with the document or kept beside it, and not written.
const NOT_WRITTEN: [&str; 3] = ["old", "version", "instruction"];

/// Fails with [`copydesk_base::Error::UnwritableCharacter`] if a text of the update has a character that is never
/// written.
pub fn check_characters(update: &DocUpdate) -> Result<(), Error> {
    let parameters = update.to_map();
    let mut written = parameters.iter().filter(|(name, _)| !NOT_WRITTEN.contains(&name.as_str()));
    written.try_for_each(|(name, value)| check_value(name, value))
}

/// Fails in the same way if the result of the update has one that is not in the document yet: entities and escapes in
/// content may state it.
pub fn check_new_characters(before: &Document, changes: &[Change]) -> Result<(), Error> {
    let mut found = Vec::new();
    let mut see = |name: &str, text: &str| found.extend(characters::check(name, text).err());
    changes.iter().flat_map(|change| &change.content).for_each(|node| each_text(node, &mut see));
    if found.is_empty() {
        return Ok(());
    }
    // Text that stays in a block is written again with it.
    let mut standing = Vec::new();
    let mut see = |name: &str, text: &str| standing.extend(characters::check(name, text).err());
    before.blocks().iter().for_each(|block| each_text(block, &mut see));
    let is_new =
        |error: &copydesk_base::Error| !standing.iter().any(|standing| character(standing) == character(error));
    found.into_iter().find(is_new).map_or(Ok(()), |error| Err(error.into()))
}

/// Returns the character that an error is about.
fn character(error: &copydesk_base::Error) -> Option<&str> {
    match error {
        copydesk_base::Error::UnwritableCharacter { character, .. } => Some(character),
        _ => None,
    }
}

fn check_value(name: &str, value: &Value) -> Result<(), Error> {
    match value {
        Value::String(text) => Ok(characters::check(name, text)?),
        Value::Array(items) => items.iter().try_for_each(|item| check_value(name, item)),
        Value::Object(fields) => fields.iter().try_for_each(|(name, field)| check_value(name, field)),
        _ => Ok(()),
    }
}

/// Calls `see` with the texts of a node and with those of its attributes and marks, each with its name.
fn each_text(node: &Node, see: &mut dyn FnMut(&str, &str)) {
    node.text().into_iter().for_each(|text| see("content", text));
    let marks = node.marks().iter().flat_map(|mark| mark.attrs.iter());
    for (name, value) in node.attrs().iter().chain(marks) {
        each_string(name, value, see);
    }
    node.children().iter().for_each(|child| each_text(child, see));
}

fn each_string(name: &str, value: &Value, see: &mut dyn FnMut(&str, &str)) {
    match value {
        Value::String(text) => see(name, text),
        Value::Array(items) => items.iter().for_each(|item| each_string(name, item, see)),
        Value::Object(fields) => fields.iter().for_each(|(name, field)| each_string(name, field, see)),
        _ => {}
    }
}

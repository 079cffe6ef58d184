//! `emoji`: TipTap's Emoji extension, a sign by its name.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "emoji",
    text: Some(|emoji| match emoji.attrs().text("name").map(str::trim) {
        Some(name) if !name.is_empty() => format!(":{name}:"),
        _ => String::new(),
    }),
    ..EXTENSION
}];

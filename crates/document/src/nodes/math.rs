//! `inlineMath`: the formula in a line of text of TipTap's Mathematics extension, and of others like it.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[
    NodeSpec { name: "inlineMath", text: Some(shown), ..EXTENSION },
    NodeSpec { name: "mathInline", text: Some(shown), ..EXTENSION },
    NodeSpec { name: "math_inline", text: Some(shown), ..EXTENSION },
];

/// Returns the formula between dollar signs.
fn shown(formula: &Node) -> String {
    match formula.attrs().text("latex").map(str::trim) {
        Some(latex) if !latex.is_empty() => format!("${latex}$"),
        _ => String::new(),
    }
}

//! `inlineMath` and `blockMath`: the formulas of TipTap's Mathematics extension, and of others like it.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[
    NodeSpec { name: "inlineMath", text: Some(shown), ..EXTENSION },
    NodeSpec { name: "mathInline", text: Some(shown), ..EXTENSION },
    NodeSpec { name: "math_inline", text: Some(shown), ..EXTENSION },
    NodeSpec { name: "blockMath", prefix: Some(sign), ..EXTENSION },
    NodeSpec { name: "mathBlock", prefix: Some(sign), ..EXTENSION },
];

/// Returns a formula that is a block between two dollar signs on each side.
fn sign(formula: &Node) -> Option<Sign> {
    let latex = formula.attrs().text("latex").unwrap_or_default();
    let latex = latex.split_whitespace().collect::<Vec<_>>().join(" ");
    match latex.as_str() {
        "" => Some(Sign::Own("$$".to_owned())),
        latex => Some(Sign::Own(format!("$${latex}$$"))),
    }
}

/// Returns the formula between dollar signs.
fn shown(formula: &Node) -> String {
    match formula.attrs().text("latex").map(str::trim) {
        Some(latex) if !latex.is_empty() => format!("${latex}$"),
        _ => String::new(),
    }
}

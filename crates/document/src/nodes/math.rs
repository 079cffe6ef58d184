//! `inlineMath` and `blockMath`: the formulas of TipTap's Mathematics extension, and of others like it.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[
    NodeSpec {
        name: "inlineMath",
        role: Some(NodeRole::InlineMath),
        schema: r#"{
            "group": "inline", "inline": true, "atom": true, "attrs": {"latex": {"default": ""}}
        }"#,
        #[cfg(feature = "html")]
        parse: NodeParseSpec { tags: &[TagRule::named("span").when(|span| span.is_of_type("inline-math"))], ..PARSE },
        html: |writer, formula| write(writer, "span", "inline-math", formula),
        text: Some(shown),
        ..EXTENSION
    },
    NodeSpec { name: "mathInline", text: Some(shown), ..EXTENSION },
    NodeSpec { name: "math_inline", text: Some(shown), ..EXTENSION },
    NodeSpec {
        name: "blockMath",
        role: Some(NodeRole::BlockMath),
        schema: r#"{"group": "block", "atom": true, "attrs": {"latex": {"default": ""}}}"#,
        #[cfg(feature = "html")]
        parse: NodeParseSpec { tags: &[TagRule::named("div").when(|div| div.is_of_type("block-math"))], ..PARSE },
        html: |writer, formula| write(writer, "div", "block-math", formula),
        prefix: Some(sign),
        ..EXTENSION
    },
    NodeSpec { name: "mathBlock", prefix: Some(sign), ..EXTENSION },
];

/// The rules of both types of TipTap's.
#[cfg(feature = "html")]
const PARSE: NodeParseSpec =
    NodeParseSpec { attrs: &[("latex", |formula| formula.verbatim("data-latex"))], ..NodeParseSpec::DEFAULT };

fn write(writer: &mut Writer<'_>, tag: &str, data_type: &str, formula: &Node) {
    writer.raw("<");
    writer.raw(tag);
    writer.attributes(formula.attrs().get("latex").map(|latex| ("data-latex", latex)).into_iter());
    writer.attribute("data-type", data_type);
    writer.raw(">");
    writer.close(tag);
}

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

//! `codeBlock`.

use super::*;
use crate::html::javascript::{is_truthy, to_text};

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "codeBlock",
    other_name: "code_block",
    role: Some(NodeRole::CodeBlock),
    schema: r#"{
        "content": "text*", "group": "block", "marks": "", "code": true, "defining": true,
        "attrs": {"language": {"default": null}}
    }"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec {
        tags: &[TagRule::named("pre")],
        attrs: &[("language", |element| language(element).map(Value::from))],
        content: |element, _, _| Content::Verbatim(element.id),
    },
    html: |writer, node| {
        writer.raw("<pre><code");
        if let Some(language) = node.attrs().get("language").filter(|language| is_truthy(language)) {
            writer.attribute("class", &format!("language-{}", to_text(language)));
        }
        writer.raw(">");
        writer.fragment(node.children());
        writer.raw("</code></pre>");
    },
    is_plain: true,
    ..NodeSpec::DEFAULT
}];

/// Returns the language that the first element in a code block names by its class.
#[cfg(feature = "html")]
fn language(pre: &Element<'_>) -> Option<String> {
    let first = pre.dom.children(pre.id).find(|child| pre.dom.is_element(*child))?;
    let mut classes = pre.dom.attribute(first, "class")?.split_ascii_whitespace();
    let language = classes.find_map(|class| class.strip_prefix("language-"))?;
    (!language.is_empty()).then(|| language.to_owned())
}

//! `image`.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "image",
    role: Some(NodeRole::Image),
    schema: r#"{
        "group": "block",
        "attrs": {
            "src": {"default": null}, "alt": {"default": null}, "title": {"default": null},
            "width": {"default": null}, "height": {"default": null}
        }
    }"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec::tags(&[TagRule::named("img")
        .when(|element| element.attribute("src").is_some_and(|source| !source.starts_with("data:")))]),
    html: |writer, node| {
        writer.raw("<img");
        writer.attributes(node.attrs().iter());
        writer.raw(">");
    },
    prefix: Some(|node| Some(Sign::Own(shown(node)))),
    text: Some(shown),
    ..NodeSpec::DEFAULT
}];

/// Returns an image as Markdown writes it.
fn shown(image: &Node) -> String {
    format!("![{}]({})", image.attrs().text("alt").unwrap_or(""), shown_source(image))
}

/// Returns an image's URL; of one that is the image itself, only the beginning.
fn shown_source(image: &Node) -> String {
    let source = image.attrs().text("src").unwrap_or("");
    if source.starts_with("data:") {
        format!("{}…", &source[..source.find(',').unwrap_or(5)])
    } else {
        source.to_owned()
    }
}

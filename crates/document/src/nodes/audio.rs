//! `audio`: TipTap's Audio extension.

use super::*;
use copydesk_base::host::url;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "audio",
    schema: r#"{
        "group": "block", "atom": true,
        "attrs": {
            "src": {"default": null}, "controls": {"default": true}, "autoplay": {"default": false},
            "loop": {"default": false}, "muted": {"default": false}, "preload": {"default": "metadata"},
            "controlslist": {"default": null}, "crossorigin": {"default": null},
            "disableremoteplayback": {"default": false}
        }
    }"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec::tags(&[
        TagRule::named("audio").when(|audio| audio.attribute("src").is_some_and(|source| !source.starts_with("data:")))
    ]),
    html: |writer, audio| {
        const OPTIONS: [&str; 8] = [
            "controls",
            "autoplay",
            "loop",
            "muted",
            "preload",
            "controlslist",
            "crossorigin",
            "disableremoteplayback",
        ];
        let given = OPTIONS.iter().filter_map(|name| Some((*name, audio.attrs().get(name)?)));
        writer.raw("<audio");
        writer.attributes(given.filter(|(_, value)| **value != Value::Bool(false)));
        if let Some(source) = audio.attrs().text("src").filter(|source| is_playable(source)) {
            writer.attribute("src", source);
        }
        writer.raw(">");
        writer.close("audio");
    },
    ..EXTENSION
}];

/// Returns whether TipTap writes a source: a path, or an absolute URL to fetch.
fn is_playable(source: &str) -> bool {
    let is_path = ["/", "./", "../"].iter().any(|start| source.starts_with(start));
    is_path || url::parse(source).is_some_and(|url| matches!(&*url.scheme, "http" | "https"))
}

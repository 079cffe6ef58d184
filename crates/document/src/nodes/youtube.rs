//! `youtube`: TipTap's YouTube extension. A node has the URL of a video's page, HTML has the URL of the player.

use super::*;
use crate::html::javascript::{is_space, is_truthy, to_text};
#[cfg(feature = "html")]
use crate::html::javascript::{number, parse_int, to_number};
#[cfg(feature = "html")]
use copydesk_base::host::url;

/// The attributes that TipTap writes for the options of the extension as they are by default.
const OPTIONS: &str = concat!(
    " allowfullscreen=\"true\" autoplay=\"false\" disablekbcontrols=\"false\" enableiframeapi=\"false\"",
    " endtime=\"0\" ivloadpolicy=\"0\" loop=\"false\" modestbranding=\"false\" origin=\"\" playlist=\"\" rel=\"1\""
);

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "youtube",
    schema: r#"{
        "group": "block",
        "attrs": {
            "src": {"default": null}, "start": {"default": 0}, "width": {"default": 640}, "height": {"default": 480}
        }
    }"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec {
        tags: &[TagRule::named("iframe").when(|frame| frame.is_inside("div", "data-youtube-video"))],
        attrs: &[
            ("src", |frame| {
                let source = frame.attribute("src").filter(|source| !source.is_empty())?;
                Some(embedded(source).map_or_else(|| source.into(), |video| video.page.into()))
            }),
            ("start", |frame| embedded(frame.attribute("src")?)?.start),
            ("width", |frame| dimension(frame.attribute("width")?)),
            ("height", |frame| dimension(frame.attribute("height")?)),
        ],
        ..NodeParseSpec::DEFAULT
    },
    html: |writer, video| {
        let attrs = video.attrs();
        let given = |name: &'static str| attrs.get(name).map(|value| (name, value));
        writer.raw("<div data-youtube-video=\"\"><iframe");
        writer.attributes(given("width").into_iter().chain(given("height")));
        writer.raw(OPTIONS);
        if let Some(player) = attrs.text("src").and_then(|page| player(page, attrs.get("start"))) {
            writer.attribute("src", &player);
        }
        writer.attributes(given("start").into_iter());
        writer.raw("></iframe></div>");
    },
    ..EXTENSION
}];

fn is_id(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '_' | '-')
}

/// Returns whether a URL is one of YouTube's, with a path.
fn is_youtube(url: &str) -> bool {
    let without = |text, prefixes: &[&str]| prefixes.iter().find_map(|prefix| str::strip_prefix(text, prefix));
    let host = without(url, &["https://", "http://", "//"]).unwrap_or(url);
    let domain = without(host, &["www.", "m.", "music."]).unwrap_or(host);
    let path = without(domain, &["youtube.com/", "youtu.be/", "youtube-nocookie.com/"]);
    path.is_some_and(|path| path.starts_with(is_id) && !path.contains(is_space))
}

/// Returns the URL of the player for the URL of a video's page.
fn player(page: &str, start: Option<&Value>) -> Option<String> {
    const EMBEDDED: &str = "https://www.youtube.com/embed/";
    const LIST: &str = "https://www.youtube-nocookie.com/embed/videoseries?list=";
    if !is_youtube(page) {
        return None;
    }
    if page.contains("/embed/") {
        return Some(page.to_owned());
    }
    if page.contains("youtu.be") {
        return page.rsplit('/').next().filter(|id| !id.is_empty()).map(|id| format!("{EMBEDDED}{id}"));
    }
    let (is_list, id) = (0..page.len()).filter_map(|at| page.get(at..)).find_map(|rest| {
        let before = ["v=", "list=", "/shorts/", "/live/"].into_iter().find(|before| rest.starts_with(before))?;
        let id = &rest[before.len()..];
        let id = &id[..id.find(|char| !is_id(char)).unwrap_or(id.len())];
        (!id.is_empty()).then_some((before == "list=", id))
    })?;
    let (base, joint) = if is_list { (LIST, '&') } else { (EMBEDDED, '?') };
    let start =
        start.filter(|start| is_truthy(start)).map_or_else(String::new, |start| format!("start={}&", to_text(start)));
    Some(format!("{base}{id}{joint}{start}rel=1"))
}

/// The parameters in the URL of a player.
#[cfg(feature = "html")]
struct Embedded {
    page: String,
    start: Option<Value>,
}

/// Reads the URL of a player. `None` if it is another URL, which is not changed.
#[cfg(feature = "html")]
fn embedded(source: &str) -> Option<Embedded> {
    let url = url::parse(source)?;
    if !matches!(url.host.strip_prefix("www.").unwrap_or(&url.host), "youtube.com" | "youtube-nocookie.com") {
        return None;
    }
    let (resource, _) = url.payload.split_once('#').unwrap_or((&url.payload, ""));
    let (path, query) = resource.split_once('?').unwrap_or((resource, ""));
    let parameter = |name: &str| {
        let mut all = query.split('&').filter_map(|one| one.split_once('='));
        all.find_map(|(known, value)| (known == name).then_some(value)).filter(|value| !value.is_empty())
    };
    let id = path.strip_prefix("/embed/").filter(|id| !id.is_empty() && id.chars().all(is_id))?;
    let page = match id {
        "videoseries" => {
            let list = parameter("list").filter(|list| list.chars().all(is_id))?;
            format!("https://www.youtube.com/playlist?list={list}")
        }
        id => format!("https://www.youtube.com/watch?v={id}"),
    };
    Some(Embedded { page, start: parameter("start").map(parse_int).filter(|start| !start.is_null()) })
}

/// Returns a number of pixels, or else the text.
#[cfg(feature = "html")]
fn dimension(text: &str) -> Option<Value> {
    let text = text.trim_matches(is_space);
    let pixels = to_number(&text.into());
    match text {
        "" => None,
        _ if pixels.is_nan() => Some(text.into()),
        _ => Some(number(pixels)),
    }
}

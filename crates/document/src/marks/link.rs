//! `link`.

use super::*;

pub(super) const MARKS: &[MarkSpec] = &[MarkSpec {
    name: "link",
    schema: r#"{
        "attrs": {
            "href": {"default": null}, "target": {"default": "_blank"},
            "rel": {"default": "noopener noreferrer nofollow"}, "class": {"default": null}, "title": {"default": null}
        }
    }"#,
    #[cfg(feature = "html")]
    parse: MarkParseSpec {
        tags: &[TagRule::named("a")
            .when(|element| element.attribute("href").is_some_and(|href| !href.is_empty() && is_allowed_uri(href)))],
        // A URL is always text, whatever it looks like.
        attrs: &[("href", |element| element.attribute("href").map(Value::from))],
        ..MarkParseSpec::DEFAULT
    },
    html: write,
    is_plain: false,
    ..MarkSpec::DEFAULT
}];

/// Returns whether HTML leaves the URL of a link out, because it has another scheme than those that TipTap accepts.
pub(crate) fn is_hidden(link: &Mark) -> bool {
    link.attrs.text("href").is_some_and(|href| !is_allowed_uri(href))
}

fn write(writer: &mut Writer<'_>, link: &Mark) -> &'static str {
    let is_forbidden = is_hidden(link);
    writer.raw("<a");
    let names: &[&str] = if writer.is_short() { &["href"] } else { &["target", "rel", "class", "href", "title"] };
    for name in names.iter().copied() {
        match link.attrs.get(name) {
            Some(_) if name == "href" && is_forbidden => writer.attribute("href", ""),
            Some(value) => writer.attributes(std::iter::once((name, value))),
            None => {}
        }
    }
    writer.raw(">");
    "a"
}

/// Returns whether TipTap accepts a URL: if it seems to have a protocol, that is a harmless one. The test ignores white
/// space and control characters at any place.
fn is_allowed_uri(uri: &str) -> bool {
    const PROTOCOLS: [&str; 10] = ["http", "https", "ftp", "ftps", "mailto", "tel", "callto", "sms", "cid", "xmpp"];
    let ignored = |char: char| matches!(char, '\0'..=' ' | '\u{a0}' | '\u{1680}' | '\u{180e}' | '\u{2000}'..='\u{2029}' | '\u{205f}' | '\u{3000}');
    if uri.is_empty() {
        return true;
    }
    let uri: String = uri.chars().filter(|char| !ignored(*char)).map(|char| char.to_ascii_lowercase()).collect();
    let Some(first) = uri.chars().next() else { return false };
    if !first.is_ascii_lowercase() {
        return true;
    }
    let scheme_end =
        uri.find(|char: char| !(char.is_ascii_lowercase() || char.is_ascii_digit() || "+.-".contains(char)));
    match scheme_end.map(|end| (&uri[..end], uri[end..].starts_with(':'))) {
        // No sign of a protocol: a path, or a word alone.
        None | Some((_, false)) => true,
        Some((scheme, true)) => PROTOCOLS.contains(&scheme) || scheme.bytes().any(|byte| byte.is_ascii_digit()),
    }
}

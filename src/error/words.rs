//! What an edit drops, and the lists in the messages of errors and results.

use crate::locale::Locale;
use serde_json::{Value, json};

/// Something that an edit takes out of a document although nobody said so.
#[derive(Clone, Debug, PartialEq)]
pub struct Dropped {
    /// `link`, `image`, `mark` or `node`.
    pub kind: &'static str,
    /// The name of its type in the schema.
    pub name: String,
    /// Its text, or the alternative text of a picture; cut to a readable length.
    pub text: String,
    /// Its address, where it has one.
    pub url: Option<String>,
}

impl Dropped {
    /// As JSON: `{type, name, text, url?}`.
    pub fn to_value(&self) -> Value {
        let mut value = json!({ "type": self.kind, "name": self.name, "text": self.text });
        if let Some(url) = &self.url {
            value["url"] = url.as_str().into();
        }
        value
    }
}

/// The most that a message lists; the details have all.
const MOST_LISTED: usize = 8;

/// What an edit drops: `link "tea" (https://…), bold "old"`.
pub fn dropped_in_words(dropped: &[Dropped], locale: Locale) -> String {
    let one = |dropped: &Dropped| {
        let kind = match dropped.kind {
            "link" => locale.pick("link", "链接"),
            "image" => locale.pick("image", "图片"),
            _ => &dropped.name,
        };
        let text = match &*dropped.text {
            "" => String::new(),
            text => locale.pick(format!(" \"{text}\""), format!("“{text}”")),
        };
        let url = dropped.url.as_ref().map(|url| locale.pick(format!(" ({url})"), format!("（{url}）")));
        format!("{kind}{text}{}", url.unwrap_or_default())
    };
    let mut listed: Vec<String> = dropped.iter().take(MOST_LISTED).map(one).collect();
    if let Some(more) = dropped.len().checked_sub(MOST_LISTED).filter(|more| *more > 0) {
        listed.push(locale.pick(format!("and {more} more"), format!("以及另外 {more} 项")));
    }
    listed.join(locale.pick(", ", "、"))
}

/// What may be changed.
pub(super) fn allowed_part(sections: &[(usize, String)], lines: Option<(usize, usize)>, locale: Locale) -> String {
    if let Some((first, last)) = lines {
        return locale
            .pick(format!("Only lines {first}–{last} may be changed."), format!("只能修改第 {first}–{last} 行。"));
    }
    let names: Vec<_> = sections.iter().map(|(index, title)| format!("Section {index} '{title}'")).collect();
    match names.join(locale.pick(", ", "、")) {
        none if none.is_empty() => {
            locale.pick("What could be changed is no longer there.", "允许修改的部分已不存在。").to_owned()
        }
        names => locale.pick(format!("Only {names} may be changed."), format!("只能修改 {names}。")),
    }
}

/// Where addresses may lead.
pub(super) fn allowed_sources(picture: bool, hosts: &[String], agent: bool, locale: Locale) -> String {
    let mut sources = Vec::new();
    if !hosts.is_empty() {
        let hosts = hosts.join(", ");
        sources.push(locale.pick(format!("one on {hosts}"), format!("位于 {hosts} 的地址")));
    }
    if agent {
        let en = if picture {
            "one whose exact url search_image or another tool returned"
        } else {
            "one that a tool returned"
        };
        sources.push(locale.pick(en, "工具（如 search_image）原样返回的 url").to_owned());
        sources.push(locale.pick("one that the person wrote", "用户给出的地址").to_owned());
    }
    sources.push(locale.pick("one that is in the document already", "文档中已有的地址").to_owned());
    let sources = sources.join(locale.pick(", or ", "，或"));
    locale.pick(format!("Use {sources}, letter for letter; add nothing to it."), format!("请一字不差地使用{sources}。"))
}

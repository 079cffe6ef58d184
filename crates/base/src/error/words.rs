//! What an edit drops, and the lists in the messages of errors and results.

use super::is_local;
use crate::fields::object;
use crate::locale::Locale;
use serde_json::Value;

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
        let mut members = [
            ("type", self.kind.into()),
            ("name", self.name.as_str().into()),
            ("text", self.text.as_str().into()),
            ("url", self.url.as_deref().into()),
        ];
        let given = if self.url.is_some() { 4 } else { 3 };
        object(&mut members[..given])
    }
}

/// The most that a message lists; the details have all.
const MOST_LISTED: usize = 8;

/// What an edit drops: `link "tea" (https://…), bold "old"`.
pub fn dropped_in_words(dropped: &[Dropped], locale: Locale) -> String {
    let mut words = String::new();
    for (at, one) in dropped.iter().enumerate() {
        if at > 0 {
            words += locale.pick(", ", "、");
        }
        if at == MOST_LISTED {
            words += &format!("… (+{})", dropped.len() - at);
            break;
        }
        words += match one.kind {
            "link" => locale.pick("link", "链接"),
            "image" => locale.pick("image", "图片"),
            _ => &one.name,
        };
        if !one.text.is_empty() {
            words += &locale.pick([" \"", "\""], ["“", "”"]).join(&one.text);
        }
        if let Some(url) = &one.url {
            words += &locale.pick([" (", ")"], ["（", "）"]).join(url);
        }
    }
    words
}

/// What may be changed.
pub(super) fn allowed_part(sections: &[(usize, String)], lines: Option<(usize, usize)>, locale: Locale) -> String {
    if let Some((first, last)) = lines {
        return locale
            .pick(format!("Only lines {first}–{last} may be changed."), format!("只能修改第 {first}–{last} 行。"));
    }
    let mut names = String::new();
    for (index, title) in sections {
        names += if names.is_empty() { "" } else { locale.pick(", ", "、") };
        names += &format!("Section {index} '{title}'");
    }
    if names.is_empty() {
        return locale.pick("What could be changed is no longer there.", "允许修改的部分已不存在。").to_owned();
    }
    locale.pick(format!("Only {names} may be changed."), format!("只能修改 {names}。"))
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

/// What to set so that a page may read the answers of this origin.
pub(super) fn cors_help(origin: &str, locale: Locale) -> &'static str {
    let local = is_local(origin);
    let on = |port: &str| origin.trim_end_matches('/').ends_with(port);
    // https://docs.ollama.com/faq, https://lmstudio.ai/docs/cli/server-start, https://docs.vllm.ai/en/stable/cli/serve
    if on(":11434") {
        locale.pick(
            "Start Ollama with OLLAMA_ORIGINS set to this page's origin (or to \"*\").",
            "请在启动 Ollama 时把 OLLAMA_ORIGINS 设为本页面的来源（或“*”）。",
        )
    } else if on(":1234") {
        locale.pick(
            "Switch CORS on in LM Studio's server settings, or start it with lms server start --cors.",
            "请在 LM Studio 的服务器设置中打开 CORS，或用 lms server start --cors 启动。",
        )
    } else if on(":8000") && local {
        locale.pick(
            "Start vLLM with --allowed-origins and this page's origin; other servers have a setting for CORS too.",
            "请在启动 vLLM 时用 --allowed-origins 允许本页面的来源；其他服务器也有相应的 CORS 设置。",
        )
    } else if local {
        locale.pick(
            "Allow this page's origin there: OLLAMA_ORIGINS for Ollama, the CORS switch for LM Studio, --cors-origins for llama.cpp.",
            "请在该服务器上允许本页面的来源：Ollama 用 OLLAMA_ORIGINS，LM Studio 用 CORS 开关，llama.cpp 用 --cors-origins。",
        )
    } else if ["api.openai.com", "api.anthropic.com", "generativelanguage.googleapis.com", "openrouter.ai"]
        .iter()
        .any(|host| origin.ends_with(host))
    {
        // They answer pages, but not with headers that they do not know, nor under every path.
        locale.pick(
            "This provider does answer pages: check the base URL, and remove streamOptions.headers. If your organisation does not allow it, use a proxy of your own as baseUrl.",
            "该服务商允许网页访问：请检查 Base URL，并去掉 streamOptions.headers；如果所在组织不允许，请把 baseUrl 设为自己的代理。",
        )
    } else {
        locale.pick(
            "Use an endpoint that allows browsers, or a proxy of your own as baseUrl.",
            "请换用允许浏览器访问的接口，或把 baseUrl 设为自己的代理。",
        )
    }
}

pub(super) fn seconds(ms: u64) -> String {
    let text = format!("{}.{:03}", ms / 1000, ms % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

pub(super) fn rows(lines: &[(usize, String)]) -> String {
    lines.iter().map(|(line, text)| format!("\n{line}: {text}")).collect()
}

//! Makes Rust code of the catalogs of a crate's messages. Build scripts call [`generate`].
//!
//! A crate has one catalog for each language: `src/messages/en.json`, `src/messages/zh-CN.json` and so on. Each is one
//! object from names to texts. Long texts are files of their own, `src/messages/en/system_prompt.md` and so on; the
//! name of the file is the name of the message. The English catalog defines which messages there are, and their
//! placeholders:
//!
//! ```json
//! {
//!   "offline": "You are offline.",
//!   "lines_left": "{path} has {count} more {count|line|lines}."
//! }
//! ```
//!
//! A placeholder is a name in braces. `{count|line|lines}` is the first text if `count` is 1, and otherwise the second.
//! Any other brace is text.
//!
//! A message without placeholders becomes a constant, `messages::OFFLINE.text(locale)`. One with placeholders becomes a
//! struct, `messages::LinesLeft { path, count }.text(locale)`. Only the [`EMBEDDED`] languages are compiled in; a host
//! loads the others. The build fails if a catalog of any language lacks a message, has one that English does not have,
//! or has other placeholders.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The languages that are compiled in, English first.
pub const EMBEDDED: [&str; 2] = ["en", "zh-CN"];

/// Writes `messages.rs` for the crate that is being built, which includes it with
/// `include!(concat!(env!("OUT_DIR"), "/messages.rs"))`.
///
/// # Errors
/// A sentence that names the catalog and the message.
pub fn generate() -> Result<(), String> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(|error| error.to_string())?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(|error| error.to_string())?);
    let name = env::var("CARGO_PKG_NAME").map_err(|error| error.to_string())?;
    println!("cargo::rerun-if-changed=src/messages");
    let catalogs = read(&root.join("src/messages"))?;
    let code = code(&name, &catalogs)?;
    fs::write(out.join("messages.rs"), code).map_err(|error| error.to_string())
}

/// The messages of a language, in the order of its file.
#[derive(Debug)]
pub struct LanguageCatalog {
    /// The language tag.
    pub tag: String,
    /// Names and texts.
    pub messages: Vec<(String, String)>,
}

impl LanguageCatalog {
    fn text(&self, name: &str) -> Option<&str> {
        self.messages.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }
}

/// Reads the catalogs of a folder, English first.
///
/// # Errors
/// A sentence about what cannot be read, or is missing.
pub fn read(folder: &Path) -> Result<Vec<LanguageCatalog>, String> {
    let mut catalogs = Vec::new();
    for file in files(folder)?.iter().filter(|file| file.extension().is_some_and(|kind| kind == "json")) {
        let tag = stem(file);
        let mut messages = object(file)?;
        let own = folder.join(&tag);
        if own.is_dir() {
            for file in files(&own)? {
                messages.push((stem(&file), text_of(&file)?));
            }
        }
        catalogs.push(LanguageCatalog { tag, messages });
    }
    catalogs.sort_by_key(|catalog| (catalog.tag != EMBEDDED[0], catalog.tag.clone()));
    check(&catalogs)?;
    Ok(catalogs)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|file| file.is_file()).collect();
    files.sort();
    Ok(files)
}

fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn text_of(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

fn object(file: &Path) -> Result<Vec<(String, String)>, String> {
    let wrong = |reason: &str| format!("{}: {reason}", file.display());
    let value: Value = serde_json::from_str(&text_of(file)?).map_err(|error| wrong(&error.to_string()))?;
    let Value::Object(object) = value else { return Err(wrong("expected an object from names to texts")) };
    let message = |(name, text): (String, Value)| match text {
        Value::String(text) => Ok((name, text)),
        _ => Err(wrong(&format!("{name} is not a text"))),
    };
    object.into_iter().map(message).collect()
}

/// Fails if a catalog has other messages, or other placeholders, than the English one.
fn check(catalogs: &[LanguageCatalog]) -> Result<(), String> {
    for tag in EMBEDDED {
        if !catalogs.iter().any(|catalog| catalog.tag == tag) {
            return Err(format!("there is no messages/{tag}.json"));
        }
    }
    let english = &catalogs[0];
    for (name, _) in &english.messages {
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(format!("{name} is no name of a message: use lower case letters, digits and _"));
        }
    }
    for other in &catalogs[1..] {
        for (name, text) in &english.messages {
            let Some(own) = other.text(name) else { return Err(format!("messages/{}.json lacks {name}", other.tag)) };
            let set = |text| placeholders(text).into_iter().collect::<BTreeSet<_>>();
            let (expected, given) = (set(text), set(own));
            if expected != given {
                return Err(format!("{name} in messages/{}.json has {given:?} instead of {expected:?}", other.tag));
            }
        }
        if let Some((name, _)) = other.messages.iter().find(|(name, _)| english.text(name).is_none()) {
            return Err(format!("{name} in messages/{}.json is not in messages/en.json", other.tag));
        }
    }
    Ok(())
}

/// Returns the names in braces, in the order in which they are first used.
pub fn placeholders(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for part in text.split('{').skip(1) {
        if let Some((name, _)) = placeholder(part)
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

/// Reads a placeholder behind its brace: its name, and the length of it.
fn placeholder(part: &str) -> Option<(&str, usize)> {
    let end = part.find(|c: char| !(c.is_ascii_lowercase() || c == '_'))?;
    let is_whole = match part.as_bytes()[end] {
        b'}' => true,
        b'|' => part.find('}').is_some_and(|close| part[end..close].matches('|').count() == 2),
        _ => false,
    };
    (end > 0 && is_whole).then(|| (&part[..end], end))
}

/// Returns a text with the numbers of its placeholders in place of their names.
fn numbered(text: &str, names: &[&str]) -> String {
    let mut parts = text.split('{');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push('{');
        match placeholder(part) {
            Some((name, length)) => {
                let at = names.iter().position(|known| *known == name).unwrap_or_default();
                let _ = write!(out, "{at}{}", &part[length..]);
            }
            None => out.push_str(part),
        }
    }
    out
}

/// Returns the code of `messages.rs`.
///
/// # Errors
/// A sentence about a text that cannot be told from one with placeholders.
pub fn code(package: &str, catalogs: &[LanguageCatalog]) -> Result<String, String> {
    let english = &catalogs[0];
    let mut code = String::new();
    let mut tables = String::new();
    for tag in EMBEDDED {
        let catalog = catalogs.iter().find(|catalog| catalog.tag == tag);
        let mut texts = Vec::new();
        for (name, text) in &english.messages {
            let text = catalog.and_then(|catalog| catalog.text(name)).unwrap_or(text);
            let names = placeholders(english.text(name).unwrap_or_default());
            if !names.is_empty() && text.split('{').skip(1).any(|part| part.starts_with(|c: char| c.is_ascii_digit())) {
                return Err(format!("{name} in messages/{tag}.json has a brace before a digit"));
            }
            let literal = format!("{:?}", numbered(text, &names));
            texts.push(literal[1..literal.len() - 1].to_owned());
        }
        // `\0` before a digit would look like an octal number.
        let _ = writeln!(tables, "    \"{}\",", texts.join("\\u{0}"));
    }
    let short = package.strip_prefix("copydesk-").unwrap_or(package);
    let base = if short == "base" { "crate" } else { "copydesk_base" };
    let _ = writeln!(
        code,
        "static CATALOG: {base}::catalog::Catalog = {base}::catalog::Catalog::new({short:?}, [\n{tables}]);\n"
    );
    for (at, (name, text)) in english.messages.iter().enumerate() {
        let first = text.lines().next().unwrap_or_default();
        let _ = writeln!(code, "#[doc = {:?}]", format!("`{}`", first.replace('`', "'")));
        let names = placeholders(text);
        if names.is_empty() {
            let name = name.to_uppercase();
            let _ =
                writeln!(code, "pub const {name}: {base}::catalog::Text = {base}::catalog::Text::new(&CATALOG, {at});");
            continue;
        }
        let name = camel(name);
        let _ = writeln!(code, "#[derive(Clone, Copy)]\npub struct {name}<'a> {{");
        for name in &names {
            let _ = writeln!(
                code,
                "    #[doc = \"The placeholder `{name}`.\"]\n    pub {name}: &'a dyn std::fmt::Display,"
            );
        }
        let values: Vec<String> = names.iter().map(|name| format!("self.{name}")).collect();
        let values = values.join(", ");
        let _ = writeln!(
            code,
            "}}
#[allow(dead_code)]
impl {name}<'_> {{
    /// Returns the message in a language.
    pub fn text(&self, locale: {base}::Locale) -> String {{
        CATALOG.fill({at}, locale, &[{values}])
    }}

    /// Returns the message for later, with its values.
    pub fn message(&self) -> {base}::catalog::Message {{
        {base}::catalog::Message::new(&CATALOG, {at}, &[{values}])
    }}
}}"
        );
    }
    Ok(code)
}

/// Returns the name of a type: `LinesLeft` for `lines_left`.
fn camel(name: &str) -> String {
    let mut out = String::new();
    for part in name.split('_') {
        let mut letters = part.chars();
        out.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog(tag: &str, messages: &[(&str, &str)]) -> LanguageCatalog {
        let own = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        LanguageCatalog { tag: tag.to_owned(), messages: messages.iter().map(own).collect() }
    }

    #[test]
    fn placeholders_are_names_in_braces_and_nothing_else_is() {
        assert_eq!(
            placeholders("{path} has {count} {count|line|lines}: {\"a\": 1}, {}, {Name}, {a b}"),
            ["path", "count"]
        );
        assert_eq!(
            numbered("{count} {count|line|lines} of {path}, {x}", &["path", "count"]),
            "{1} {1|line|lines} of {0}, {0}"
        );
    }

    #[test]
    fn a_catalog_that_lacks_a_message_or_a_placeholder_is_refused() {
        let english = || catalog("en", &[("gone", "{path} is gone"), ("full", "Full")]);
        let check = |messages: &[(&str, &str)]| check(&[english(), catalog("zh-CN", messages)]);
        assert_eq!(check(&[("full", "已满"), ("gone", "{path} 已不存在")]), Ok(()));
        assert_eq!(check(&[("full", "已满")]), Err("messages/zh-CN.json lacks gone".to_owned()));
        let wrong = check(&[("full", "已满"), ("gone", "{file} 已不存在")]);
        assert_eq!(wrong, Err("gone in messages/zh-CN.json has {\"file\"} instead of {\"path\"}".to_owned()));
        let wrong = check(&[("full", "已满"), ("gone", "{path}"), ("more", "更多")]);
        assert_eq!(wrong, Err("more in messages/zh-CN.json is not in messages/en.json".to_owned()));
    }

    #[test]
    fn code_has_a_constant_or_a_struct_for_each_message() {
        let catalogs = [
            catalog("en", &[("lines_left", "{count} {count|line|lines} left"), ("full", "Full")]),
            catalog("zh-CN", &[("full", "已满"), ("lines_left", "还有 {count} 行")]),
        ];
        let code = code("copydesk-tea", &catalogs).unwrap_or_default();
        assert!(code.contains("pub struct LinesLeft<'a>"), "{code}");
        assert!(code.contains("pub const FULL: copydesk_base::catalog::Text"), "{code}");
        assert!(code.contains("\"还有 {0} 行\\u{0}已满\","), "{code}");
    }
}

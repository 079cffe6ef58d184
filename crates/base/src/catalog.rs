//! Catalogs: the messages of a crate in each language.
//!
//! The build script of a crate makes a module of `messages/*.json` (see the crate `catalog`). The languages that are
//! compiled in are the variants of [`Locale`] with a name of their own; [`languages::load`](crate::languages::load)
//! adds others, which a host passes as data.

use crate::locale::Locale;
use std::cell::RefCell;
use std::fmt::{self, Display, Write};

/// The messages of one crate in the languages that are compiled in.
pub struct Catalog {
    name: &'static str,
    tables: [&'static str; 2],
}

/// Ends the messages of a table, which is one text: a list of texts takes 8 bytes more for each.
const END: char = '\0';

impl Catalog {
    /// Creates the catalog of a crate. Called by generated code.
    pub const fn new(name: &'static str, tables: [&'static str; 2]) -> Catalog {
        Catalog { name, tables }
    }

    /// Returns a message with the values of its placeholders.
    pub fn fill(&'static self, index: usize, locale: Locale, values: &[&dyn Display]) -> String {
        let mut out = String::new();
        let mut parts = self.template(index, locale).split('{');
        out.push_str(parts.next().unwrap_or_default());
        for part in parts {
            if fill_one(part, values, &mut out).is_none() {
                out.push('{');
                out.push_str(part);
            }
        }
        out
    }

    fn template(&'static self, index: usize, locale: Locale) -> &'static str {
        let [english, chinese] = self.tables;
        let table = match locale {
            Locale::En => english,
            Locale::ZhCn => chinese,
            Locale::Loaded(language) => language.table(self.name).unwrap_or(english),
        };
        table.split(END).nth(index).unwrap_or_default()
    }
}

/// Writes the value of a placeholder and the text behind it: `0} of`, or `0|line|lines} of`. Returns `None` for other
/// text.
fn fill_one(part: &str, values: &[&dyn Display], out: &mut String) -> Option<()> {
    let (inside, rest) = part.split_once('}')?;
    let mut forms = inside.split('|');
    let value = values.get(forms.next()?.parse::<usize>().ok()?)?;
    match (forms.next(), forms.next()) {
        (Some(one), Some(many)) => out.push_str(if value.to_string() == "1" { one } else { many }),
        _ => write!(out, "{value}").ok()?,
    }
    out.push_str(rest);
    Some(())
}

/// A message without placeholders.
#[derive(Clone, Copy)]
pub struct Text {
    catalog: &'static Catalog,
    index: usize,
}

impl Text {
    /// Creates a message. Called by generated code.
    pub const fn new(catalog: &'static Catalog, index: usize) -> Text {
        Text { catalog, index }
    }

    /// Returns the message in a language.
    pub fn text(self, locale: Locale) -> &'static str {
        self.catalog.template(self.index, locale)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.text(Locale::En), f)
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.catalog.name == other.catalog.name && self.index == other.index
    }
}

/// A message with the values of its placeholders, for those who do not know the language yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    text: Text,
    values: Vec<String>,
}

impl Message {
    /// Creates a message. Called by generated code.
    pub fn new(catalog: &'static Catalog, index: usize, values: &[&dyn Display]) -> Message {
        Message { text: Text { catalog, index }, values: values.iter().map(ToString::to_string).collect() }
    }

    /// Returns the message in a language.
    pub fn text(&self, locale: Locale) -> String {
        let values: Vec<&dyn Display> = self.values.iter().map(|value| value as &dyn Display).collect();
        self.text.catalog.fill(self.text.index, locale, &values)
    }
}

impl From<Text> for Message {
    fn from(text: Text) -> Message {
        Message { text, values: Vec::new() }
    }
}

/// A language that a host has loaded.
pub struct Language {
    tag: String,
    tables: Vec<(String, &'static str)>,
}

impl Language {
    /// Returns the language tag, such as `es`.
    pub fn tag(&self) -> &str {
        &self.tag
    }

    fn table(&self, name: &str) -> Option<&'static str> {
        self.tables.iter().find(|(own, _)| own == name).map(|(_, table)| *table)
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tag)
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        self.tag == other.tag
    }
}

impl Eq for Language {}

thread_local! {
    static LOADED: RefCell<Vec<&'static Language>> = const { RefCell::new(Vec::new()) };
}

/// Adds a language of this thread, or replaces it.
pub(crate) fn add(tag: &str, catalogs: Vec<(String, Vec<&str>)>) {
    // Messages are handed out as constants: a language that is loaded stays.
    let table = |texts: Vec<&str>| -> &'static str { Box::leak(texts.join("\0").into_boxed_str()) };
    let tables = catalogs.into_iter().map(|(name, texts)| (name, table(texts))).collect();
    let language: &'static Language = Box::leak(Box::new(Language { tag: tag.to_owned(), tables }));
    LOADED.with_borrow_mut(|loaded| {
        loaded.retain(|one| one.tag != tag);
        loaded.push(language);
    });
}

/// Returns the loaded language of a tag such as `es-MX`.
pub(crate) fn loaded(language: &str) -> Option<&'static Language> {
    LOADED.with_borrow(|loaded| loaded.iter().copied().find(|one| one.tag.eq_ignore_ascii_case(language)))
}

/// Returns all languages: those that are compiled in, and the loaded ones.
pub fn locales() -> Vec<Locale> {
    let loaded = LOADED.with_borrow(Clone::clone);
    [Locale::En, Locale::ZhCn].into_iter().chain(loaded.into_iter().map(Locale::Loaded)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::load;
    use crate::phrases::comma;
    use crate::{Error, ErrorInfo};

    static TEA: Catalog =
        Catalog::new("tea", ["{0} has {1} {1|leaf|leaves}\0Brew {\"a\": 1}\0{0}, {9} and {", "{0}有{1}片叶子\0泡茶"]);

    #[test]
    fn placeholders_are_filled_and_other_braces_stay() {
        let said = |index: usize, values: &[&dyn Display]| TEA.fill(index, Locale::En, values);
        assert_eq!(said(0, &[&"Oolong", &1]), "Oolong has 1 leaf");
        assert_eq!(said(0, &[&"Oolong", &12]), "Oolong has 12 leaves");
        assert_eq!(said(1, &[]), "Brew {\"a\": 1}");
        assert_eq!(said(2, &[&"{0}"]), "{0}, {9} and {");
        assert_eq!(TEA.fill(0, Locale::ZhCn, &[&"{1|a|b}", &3]), "{1|a|b}有3片叶子");
    }

    #[test]
    fn a_loaded_language_is_used_where_it_has_the_crate_and_english_elsewhere() {
        load("es", r#"{ "tea": ["{0} tiene {1} {1|hoja|hojas}", "Preparar"] }"#).unwrap();
        let spanish = Locale::from_tag("es-MX");
        assert_eq!((spanish.tag(), Locale::from_tag("ES"), Locale::from_tag("est")), ("es", spanish, Locale::En));
        assert_eq!(TEA.fill(0, spanish, &[&"Té", &1]), "Té tiene 1 hoja");
        assert_eq!(Text::new(&TEA, 1).text(spanish), "Preparar");
        assert_eq!(comma(spanish), ", ");
        assert!(Error::Offline.message(spanish).starts_with("You are offline"));
        assert!(locales().contains(&spanish));
        // Loaded again, it is replaced.
        load("es", r#"{ "tea": ["{0}: {1}", "Otra vez"] }"#).unwrap();
        assert_eq!(Text::new(&TEA, 1).text(Locale::from_tag("es")), "Otra vez");
        assert_eq!(load("es", "[1]").unwrap_err().code(), "config");
    }

    #[test]
    fn a_kept_message_has_its_values_in_every_language() {
        let kept = Message::new(&TEA, 0, &[&"Oolong", &2]);
        assert_eq!(
            (kept.text(Locale::En), kept.text(Locale::ZhCn)),
            ("Oolong has 2 leaves".into(), "Oolong有2片叶子".into())
        );
        assert_eq!(kept, Message::new(&TEA, 0, &[&"Oolong", &2]));
        assert_ne!(kept, Message::new(&TEA, 0, &[&"Oolong", &3]));
    }
}

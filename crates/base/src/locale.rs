//! The two languages in which copydesk speaks to people and models.

use serde::Deserialize;

/// The language of prompts, tool descriptions, results and errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum Locale {
    /// English, the language where none is asked for.
    #[default]
    En,
    /// Simplified Chinese.
    ZhCn,
}

impl Locale {
    /// The locale for a BCP 47 tag such as `zh`, `zh-Hans-CN` or `en-GB`; English for any other language.
    pub fn from_tag(tag: &str) -> Locale {
        let language = tag.split(['-', '_']).next().unwrap_or_default();
        if language.eq_ignore_ascii_case("zh") { Locale::ZhCn } else { Locale::En }
    }

    /// The one of two texts that is in this language.
    pub fn pick<T>(self, en: T, zh: T) -> T {
        match self {
            Locale::En => en,
            Locale::ZhCn => zh,
        }
    }
}

impl From<String> for Locale {
    fn from(tag: String) -> Locale {
        Locale::from_tag(&tag)
    }
}

//! The languages of messages to users and models.

use serde::Deserialize;

/// The language of prompts, tool descriptions, results and errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum Locale {
    /// English, the default.
    #[default]
    En,
    /// Simplified Chinese.
    ZhCn,
}

impl Locale {
    /// Returns the locale for a BCP 47 tag such as `zh`, `zh-Hans-CN` or `en-GB`; English for any other language.
    pub fn from_tag(tag: &str) -> Locale {
        let language = tag.split(['-', '_']).next().unwrap_or_default();
        if language.eq_ignore_ascii_case("zh") { Locale::ZhCn } else { Locale::En }
    }

    /// Returns the value for this language.
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

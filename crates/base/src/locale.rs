//! The languages of messages to users and models.

use crate::catalog::{self, Language};
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
    /// A language whose catalogs the host has loaded ([`languages::load`](crate::languages::load)).
    Loaded(&'static Language),
}

impl Locale {
    /// Returns the locale for a BCP 47 tag such as `zh`, `zh-Hans-CN`, `en-GB` or that of a loaded language; English
    /// for any other language.
    pub fn from_tag(tag: &str) -> Locale {
        let language = tag.split(['-', '_']).next().unwrap_or_default();
        match language {
            _ if language.eq_ignore_ascii_case("zh") => Locale::ZhCn,
            _ => catalog::loaded(language).map_or(Locale::En, Locale::Loaded),
        }
    }

    /// Returns the tag of the language.
    pub fn tag(self) -> &'static str {
        match self {
            Locale::En => "en",
            Locale::ZhCn => "zh-CN",
            Locale::Loaded(language) => language.tag(),
        }
    }
}

impl From<String> for Locale {
    fn from(tag: String) -> Locale {
        Locale::from_tag(&tag)
    }
}

//! Something that an edit drops, for people and programs.

use crate::messages;
use copydesk_base::Locale;
use copydesk_base::phrases;
use serde::Serialize;

/// Something that an edit takes out of a document although nobody said so.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Dropped {
    /// `link`, `image`, `mark`, `node` or `attribute`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The name of its type in the schema, or of the attribute.
    pub name: String,
    /// The text, or the alternative text of an image; cut to a readable length.
    pub text: String,
    /// The URL, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// The most that a message lists; the details have all.
const MOST_LISTED: usize = 8;

/// Returns a list of what an edit drops: `link "tea" (https://…), bold "old"`.
pub fn list_dropped(dropped: &[Dropped], locale: Locale) -> String {
    let mut words = String::new();
    for (at, one) in dropped.iter().enumerate() {
        if at > 0 {
            words += phrases::comma(locale);
        }
        if at == MOST_LISTED {
            words += &format!("… (+{})", dropped.len() - at);
            break;
        }
        words += match one.kind {
            "link" => messages::LINK.text(locale),
            "image" => messages::IMAGE.text(locale),
            _ => &one.name,
        };
        if !one.text.is_empty() {
            words += &messages::QuotedText { text: &one.text }.text(locale);
        }
        if let Some(url) = &one.url {
            words += &messages::BracketedUrl { url }.text(locale);
        }
    }
    words
}

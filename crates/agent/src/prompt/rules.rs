//! The rules of the app and the user, as the model is told them.

use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_base::phrases;
use copydesk_document::words::shorten;
use serde::Deserialize;

/// The longest text of a rule, in characters.
const LONGEST_RULE: usize = 8_000;
/// The longest text of all rules, in characters.
const LONGEST_TOTAL: usize = 32_000;
/// The longest text of a rule in a reminder, in characters.
const LONGEST_REMINDER: usize = 80;
/// The most rules whose text a reminder has.
const MOST_REMINDED: usize = 6;

/// A rule that the model has to follow.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Rule {
    /// Identifies it.
    pub id: String,
    /// The rule in words.
    pub text: String,
    /// False if the model is not told it.
    #[serde(default = "enabled")]
    pub enabled: bool,
}

fn enabled() -> bool {
    true
}

/// The rules as the model is told them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownRules<'a> {
    /// One row for each, with its number.
    pub rows: Vec<String>,
    texts: Vec<&'a str>,
    /// The ids of those whose text is shortened or left out.
    pub shortened: Vec<&'a str>,
}

/// Characters that end a line for some reader.
const LINE_ENDS: [char; 7] = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];

/// Returns the enabled rules with their numbers. Texts of more than 8,000 characters are shortened, and what exceeds
/// 32,000 characters together, with the numbers, is left out.
pub fn shown_rules(rules: &[Rule]) -> ShownRules<'_> {
    let mut shown = ShownRules { rows: Vec::new(), texts: Vec::new(), shortened: Vec::new() };
    let mut left = LONGEST_TOTAL;
    for rule in rules.iter().filter(|rule| rule.enabled && !rule.text.trim().is_empty()) {
        let number = format!("{}. ", shown.rows.len() + 1);
        // With the end of the line.
        let frame = number.len() + 1;
        let text = indented(rule.text.trim());
        let length = text.chars().count();
        let most = LONGEST_RULE.min(left.saturating_sub(frame));
        if length > most {
            shown.shortened.push(&rule.id);
        }
        if most == 0 {
            continue;
        }
        left -= frame + length.min(most);
        shown.rows.push(format!("{number}{}", shorten(&text, most)));
        shown.texts.push(&rule.text);
    }
    shown
}

/// Indents all lines but the first, so that none looks like another rule.
fn indented(text: &str) -> String {
    text.replace("\r\n", "\n").split(LINE_ENDS).collect::<Vec<_>>().join("\n   ")
}

impl ShownRules<'_> {
    /// Returns the rules on one line, with texts that are long or many shortened; empty without rules.
    pub(super) fn in_short(&self, locale: Locale) -> String {
        let row = |(at, text): (usize, &&str)| {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{}. {}", at + 1, shorten(&text, LONGEST_REMINDER))
        };
        let mut rows: Vec<String> = self.texts.iter().enumerate().take(MOST_REMINDED).map(row).collect();
        if self.texts.len() > MOST_REMINDED {
            rows.push(messages::RulesUpTo { count: &self.texts.len() }.text(locale));
        }
        rows.join(" ")
    }

    /// Returns the notice to the user about texts that are shortened; `None` if there are none.
    pub(crate) fn notice(&self, locale: Locale) -> Option<String> {
        if self.shortened.is_empty() {
            return None;
        }
        let ids: Vec<String> = self.shortened.iter().take(5).map(|id| shorten(id, 64)).collect();
        let (ids, count) = (&ids.join(phrases::comma(locale)), &self.shortened.len());
        let (most, most_in_all) = (&LONGEST_RULE, &LONGEST_TOTAL);
        Some(match count {
            1 => messages::RuleTooLong { ids, most, most_in_all }.text(locale),
            _ => messages::RulesTooLong { count, ids, most, most_in_all }.text(locale),
        })
    }
}

//! The system prompt.
//!
//! `system_prompt.md` in the catalog of a language has its parts, each below a heading with its name. [`system_prompt`]
//! puts together those that apply: as long as the settings stay, it returns the same text, so that providers find it in
//! their caches.

mod rules;

pub use rules::{Rule, ShownRules, shown_rules};

use crate::messages;
use crate::skills;
use crate::tools::Subject;
use copydesk_base::locale::Locale;

/// The input of a system prompt.
#[derive(Clone, Copy)]
pub struct SystemPrompt<'a> {
    /// The app's text in place of the role and the instructions for editing and for tools.
    pub own: Option<&'a str>,
    /// The parts of the agent that its tools work on.
    pub subjects: &'a [Subject],
    /// True if requests show the document.
    pub shows_document: bool,
    /// The skills.
    pub skills: &'a skills::Shown,
    /// The rules; only the enabled ones are in the prompt.
    pub rules: &'a [Rule],
    /// The language.
    pub locale: Locale,
}

/// Returns the system prompt.
pub fn system_prompt(prompt: &SystemPrompt<'_>) -> String {
    let SystemPrompt { own, subjects, shows_document, skills, rules, locale } = *prompt;
    let has = |subject| subjects.contains(&subject);
    let named = |name| Some(part(locale, name).to_owned());
    let when = |applies: bool, name| if applies { named(name) } else { None };
    let mut parts = match own {
        Some(own) => vec![Some(own.trim().to_owned())],
        None if has(Subject::Document) => vec![named("role"), named("lines and editing"), named("tools")],
        None => vec![named("role without a document"), named("tools")],
    };
    parts.push(named("data"));
    parts.push(when(has(Subject::Workspace), "workspace"));
    parts.push(when(shows_document && has(Subject::Document), "document"));
    if !skills.catalogue.is_empty() {
        parts.push(Some(format!("{}\n\n{}", part(locale, "skills"), skills.catalogue.join("\n"))));
        parts.push(when(skills.has_others, "further skills"));
        parts.push(when(skills.has_untrusted, "skills of others"));
        parts.extend(skills.texts.iter().cloned().map(Some));
    }
    let rules = shown_rules(rules);
    if !rules.rows.is_empty() {
        parts.push(Some(format!("{}\n\n{}", part(locale, "rules"), rules.rows.join("\n"))));
    }
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// Returns the reminder of the rules after a round of tool calls; empty without rules.
pub fn reminder(rules: &[Rule], locale: Locale) -> String {
    let rows = shown_rules(rules).in_short(locale);
    if rows.is_empty() { rows } else { format!("{} {rows}", part(locale, "reminder")) }
}

/// Returns a part of the file of a language; empty if it has none of this name.
fn part(locale: Locale, name: &str) -> &'static str {
    let file = messages::SYSTEM_PROMPT.text(locale);
    let parts = file.split("\n# ").skip(1);
    parts
        .filter_map(|part| part.split_once('\n'))
        .find(|(heading, _)| *heading == name)
        .map_or("", |(_, text)| text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_base::catalog;

    const PARTS: [&str; 12] = [
        "role",
        "role without a document",
        "lines and editing",
        "tools",
        "data",
        "workspace",
        "document",
        "skills",
        "further skills",
        "skills of others",
        "rules",
        "reminder",
    ];

    #[test]
    fn all_languages_have_all_parts_and_no_others() {
        for locale in catalog::locales() {
            let file = messages::SYSTEM_PROMPT.text(locale);
            for name in PARTS {
                assert!(!part(locale, name).is_empty(), "{locale:?} {name}");
            }
            assert_eq!(file.split("\n# ").count() - 1, PARTS.len(), "{locale:?}");
        }
    }
}

//! Skills: instructions for kinds of tasks, which the app adds.
//!
//! The system prompt has the catalogue of all skills, and the text of as many as its budget allows, in their order. The
//! others are loaded by the tool `activate_skill`. When its result is removed from the conversation by a summary, the
//! summary has the name of the skill, and from then on the system prompt has its text.

use crate::messages;
use crate::shortening::shorten_to_tokens;
use crate::tools::ACTIVATE_SKILL;
use copydesk_base::locale::Locale;
use copydesk_document::words::shorten;
use copydesk_llm::tokens::estimate_text;
use copydesk_llm::{AssistantPart, Message};
use serde::Deserialize;
use serde_json::Value;
use std::fmt::Write;

/// The divisor for the part of the context window that the text of skills may take, unless the app states a size.
const WINDOW_SHARE: usize = 20;
/// The most tokens that it takes by default.
const MOST_TOKENS: usize = 8_000;
/// The longest description in the catalogue, in characters: that of the format Agent Skills.
const LONGEST_DESCRIPTION: usize = 1_024;
/// The most skills in the catalogue.
const MOST_LISTED: usize = 100;
/// The shortest description in it: of longer lists only the names remain.
const SHORTEST_DESCRIPTION: usize = 16;
/// The most files of a skill that are listed.
const MOST_FILES: usize = 100;
/// The longest path of a file that is listed, in characters.
const LONGEST_PATH: usize = 200;

/// A skill of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Skill {
    /// Identifies it: 1–64 lowercase letters, digits and hyphens.
    #[serde(deserialize_with = "name")]
    pub name: String,
    /// States what it does and when to use it.
    #[serde(default)]
    pub description: String,
    /// The instructions.
    pub content: String,
    /// The paths of its other files, relative to its folder.
    #[serde(default)]
    pub files: Vec<String>,
    /// False if it is told as instructions of limited trust.
    #[serde(default)]
    pub trusted: bool,
}

fn name<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    let valid = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.is_empty() || name.len() > 64 || !name.bytes().all(valid) {
        return Err(serde::de::Error::invalid_value(
            serde::de::Unexpected::Str(&name),
            &"1–64 lowercase letters, digits and hyphens",
        ));
    }
    Ok(name)
}

impl Skill {
    /// Returns its row of the catalogue, with at most `longest` characters of its description.
    fn row(&self, longest: usize) -> String {
        if longest < SHORTEST_DESCRIPTION {
            return format!("- {}", self.name);
        }
        format!("- {}: {}", self.name, in_line(&self.description, longest))
    }

    /// Returns its text between marks that state its name and how far it is trusted. No text inside ends like the last
    /// one.
    pub fn fenced(&self) -> String {
        let trust = if self.trusted { "" } else { " trust=\"limited\"" };
        let mut text = without_marks(self.content.trim());
        if !self.files.is_empty() {
            let _ = write!(text, "\n\nFiles of this skill, for read_file:");
            for file in self.files.iter().take(MOST_FILES) {
                let _ = write!(text, "\n- skills/{}/{}", self.name, in_line(file, LONGEST_PATH));
            }
            if self.files.len() > MOST_FILES {
                let _ = write!(text, "\n- … {} more", self.files.len() - MOST_FILES);
            }
        }
        format!("<skill name=\"{}\"{trust}>\n{text}\n</skill>", self.name)
    }
}

/// Returns a text of a stranger for a line of a list: shortened, and without line breaks and marks of skills.
fn in_line(text: &str, longest: usize) -> String {
    without_marks(&shorten(&text.split_whitespace().collect::<Vec<_>>().join(" "), longest))
}

/// Returns a text that contains no mark of a skill, in any case.
fn without_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..=at]);
        rest = &rest[at + 1..];
        let mark = rest.trim_start_matches(|sign: char| sign == '/' || sign.is_whitespace());
        if mark.get(..5).is_some_and(|mark| mark.eq_ignore_ascii_case("skill")) {
            out.push('\u{200b}');
        }
    }
    out.push_str(rest);
    out
}

/// Returns the tokens that the text of skills may take in a context window, unless the app states a number.
pub fn budget(window: usize) -> usize {
    (window / WINDOW_SHARE).min(MOST_TOKENS)
}

/// The skills as the system prompt shows them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The rows of the catalogue.
    pub catalogue: Vec<String>,
    /// The text of the skills that need no call.
    pub texts: Vec<String>,
    /// True if some need a call of `activate_skill`.
    pub has_others: bool,
    /// True if somebody else than the user and the app wrote one.
    pub has_untrusted: bool,
}

impl Shown {
    /// Chooses the skills whose text is shown: as many as have `budget` tokens together, in their order; and of those
    /// that the model has activated and whose result was removed, as much text as has `budget` or `share` tokens. The
    /// catalogue has at most `share` tokens, or the names alone.
    pub fn of(skills: &[Skill], activated: &[String], budget: usize, share: usize) -> Shown {
        let listed = &skills[..skills.len().min(MOST_LISTED)];
        let has_untrusted = skills.iter().any(|skill| !skill.trusted);
        let mut shown = Shown { catalogue: catalogue(listed, share), has_untrusted, ..Shown::default() };
        // An app may want no text until the model asks for it.
        let (mut left, mut left_for_activated) = (budget, budget.max(share));
        for skill in listed {
            let text = skill.fenced();
            let tokens = estimate_text(&text);
            if tokens <= left {
                left -= tokens;
                shown.texts.push(text);
                continue;
            }
            shown.has_others = true;
            if activated.contains(&skill.name) {
                let cut = shorten_to_tokens(&skill.content, left_for_activated);
                left_for_activated -= estimate_text(&cut).min(left_for_activated);
                if !cut.is_empty() {
                    shown.texts.push(Skill { content: cut, ..skill.clone() }.fenced());
                }
            }
        }
        shown
    }
}

/// Returns the rows of a catalogue, with descriptions that are shortened until it has at most `share` tokens.
fn catalogue(skills: &[Skill], share: usize) -> Vec<String> {
    let mut longest = LONGEST_DESCRIPTION;
    loop {
        let rows: Vec<String> = skills.iter().map(|skill| skill.row(longest)).collect();
        if longest < SHORTEST_DESCRIPTION || rows.iter().map(|row| estimate_text(row)).sum::<usize>() <= share {
            return rows;
        }
        longest /= 2;
    }
}

/// Returns the notice to the user about this number of skills; `None` if the model sees all of them.
pub(crate) fn notice(count: usize, locale: Locale) -> Option<String> {
    (count > MOST_LISTED).then(|| messages::SkillsLeftOut { count: &count, most: &MOST_LISTED }.text(locale))
}

/// Returns the names of the skills that the model had activated before the summaries among these messages.
pub fn summarized_skills(messages: &[Message]) -> Vec<String> {
    let of = |message: &Message| match message {
        Message::Summary { skills, .. } => skills.clone(),
        _ => Vec::new(),
    };
    messages.iter().flat_map(of).collect()
}

/// Returns the names of the skills that the model has activated in these messages, or before summaries among them.
pub fn activated_skills(messages: &[Message]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    };
    for message in messages {
        match message {
            Message::Summary { skills, .. } => skills.iter().for_each(|name| add(name)),
            Message::Assistant { content, .. } => {
                for part in content {
                    if let AssistantPart::ToolCall { name, arguments, .. } = part
                        && name == ACTIVATE_SKILL
                        && let Some(Value::String(skill)) = arguments.get("name")
                    {
                        add(skill.trim());
                    }
                }
            }
            _ => {}
        }
    }
    names
}

//! `replace_text`: another text in place of one, be it in a line or over the ends of lines.

use copydesk_base::parameters;
use crate::messages;
use super::{Operation, Outcome};
use crate::apply::{DocumentHost, Resolved};
use crate::content::Format;
use crate::text_edit;
use crate::draft::Draft;
use crate::target::{Target, TextMatch};
use crate::Error;
use copydesk_document::Document;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Replaces a text. The comments describe its parameters to models.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct ReplaceText {
    /// The text to replace, exactly as it is in the document; a newline for the end of each line that it continues
    /// over.
    #[schemars(description = messages::REPLACE_TEXT_OLD.text(parameters::locale()))]
    pub old: String,
    /// The new text. Formatting that stays needs no signs; new formatting may be inline Markdown or HTML.
    #[schemars(description = messages::REPLACE_TEXT_NEW.text(parameters::locale()))]
    pub new: String,
    /// The line it is in, where it occurs more than once.
    #[schemars(description = messages::REPLACE_TEXT_NEAR_LINE.text(parameters::locale()))]
    pub near_line: Option<i64>,
    /// Whether every occurrence is meant.
    #[schemars(description = messages::REPLACE_TEXT_ALL.text(parameters::locale()))]
    pub all: Option<bool>,
    /// The version whose lines are meant. Default: the last you saw.
    #[schemars(description = messages::REPLACE_TEXT_VERSION.text(parameters::locale()))]
    pub version: Option<String>,
    /// Why, in a few words.
    #[schemars(description = messages::REPLACE_TEXT_INSTRUCTION.text(parameters::locale()))]
    pub instruction: Option<String>,
    /// The format of the new text. Stated beside the parameters, as for every operation.
    #[serde(skip)]
    pub format: Option<Format>,
}

impl ReplaceText {
    fn text(&self) -> TextMatch {
        TextMatch { old: self.old.clone(), near_line: self.near_line, all: self.all == Some(true) }
    }
}

impl Operation for ReplaceText {
    const NAME: &'static str = "replace_text";

    fn target(&self) -> Target {
        Target::Text(self.text())
    }

    fn contents_mut(&mut self) -> Vec<(&mut String, Option<Format>)> {
        vec![(&mut self.old, self.format), (&mut self.new, self.format)]
    }

    fn retarget(&mut self, target: &Target) {
        if let Target::Text(TextMatch { near_line, .. }) = target {
            self.near_line = *near_line;
        }
        self.version = None;
    }

    fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    fn instruction(&self) -> Option<&str> {
        self.instruction.as_deref()
    }

    fn set_format(&mut self, format: Format) {
        self.format = Some(format);
    }

    fn resolve(&self, host: &dyn DocumentHost, document: &Document) -> Result<Resolved, Error> {
        let resolved = text_edit::resolve(host, document, &self.text(), &self.new, self.format)?;
        let mut facts = Map::new();
        facts.insert("matches".into(), resolved.lines.len().into());
        if !resolved.exact {
            facts.insert("exact".into(), false.into());
        }
        if resolved.from_markdown {
            facts.insert("converted".into(), "markdown".into());
        }
        Ok(Resolved { lines: resolved.lines, facts, ..Resolved::of(resolved.blocks, resolved.with) })
    }

    fn summary(&self, outcome: &Outcome) -> String {
        let (locale, ranges) = (outcome.locale, outcome.lines());
        match outcome.resolved.lines.len() {
            _ if !outcome.is_changed => outcome.unchanged(),
            1 => messages::TextReplaced { ranges: &ranges }.text(locale),
            count => messages::TextReplacedIn { count: &count, ranges: &ranges }.text(locale),
        }
    }

    fn draft(arguments: &Map<String, Value>, _: &Document) -> Option<Draft> {
        let whole = |name: &str| arguments.get(name).and_then(Value::as_str).map(str::to_owned);
        let target = Target::Text(TextMatch { old: whole("old")?, ..TextMatch::default() });
        Some(Draft { target, content: whole("new")?, format: Some(Format::Text) })
    }
}

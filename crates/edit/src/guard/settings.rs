//! Guards as an app sets them.

use super::url::{self, Role};
use copydesk_base::decode::count;
use serde::Deserialize;
use serde_json::Value;

/// Limits of edits. The default allows all but URLs that are never written.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(from = "GivenGuards")]
pub struct Guards {
    /// The place in which edits may change anything; the whole document by default.
    pub scope: Option<Scope>,
    /// Sections that no edit changes, heading included.
    pub locked: Vec<SectionRef>,
    /// The policy for edits that would drop a link, an image, a mark or a custom node.
    pub lossless: Lossless,
    /// The URLs that edits may add.
    pub urls: UrlPolicy,
}

/// A part of the document.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "GivenScope")]
pub enum Scope {
    /// Sections.
    Sections(Vec<SectionRef>),
    /// The top-level blocks that a range of positions touches, such as a selection.
    Range {
        /// The beginning of the range.
        from: usize,
        /// The end of the range.
        to: usize,
    },
}

/// A section of the current document.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Value")]
pub enum SectionRef {
    /// By its index.
    Index(usize),
    /// By its title; if several have it, all of them.
    Title(String),
}

/// The policy for edits that would drop something unintentionally, the strictest last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lossless {
    /// Nothing.
    #[default]
    Off,
    /// The result names it.
    Report,
    /// The edit is refused until it is confirmed.
    Reject,
}

/// The origins of URLs that edits may add. URLs of the document may always stay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UrlPolicy {
    /// Pictures, and all else that a page loads by itself. Where nothing is set: anywhere for the app; for the agent
    /// only what tools returned and what the user wrote.
    pub images: Option<Sources>,
    /// Links. Where nothing is set: anywhere.
    pub links: Option<Sources>,
}

/// The origins of URLs in one role.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Value")]
pub enum Sources {
    /// Anywhere.
    Any,
    /// These hosts (`example.com`, or `*.example.com` for all below it), and for the agent also URLs that tools
    /// returned and that the user wrote.
    Hosts(Vec<String>),
}

impl UrlPolicy {
    /// Returns the setting for a role.
    pub fn of(&self, role: Role) -> Option<&Sources> {
        match role {
            Role::Load | Role::Mention => self.images.as_ref(),
            Role::Link => self.links.as_ref(),
        }
    }
}

/// Description of valid sources.
const SOURCES: &str = "\"any\" or {hosts: [\"example.com\", \"*.example.com\"]}, each a host alone";

/// Guards as an app gives them. A guard that is misspelled would guard nothing, so other fields are refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GivenGuards {
    scope: Option<Scope>,
    #[serde(default)]
    locked: Vec<SectionRef>,
    #[serde(default)]
    lossless: Lossless,
    images: Option<Sources>,
    links: Option<Sources>,
}

impl From<GivenGuards> for Guards {
    fn from(given: GivenGuards) -> Guards {
        let urls = UrlPolicy { images: given.images, links: given.links };
        Guards { scope: given.scope, locked: given.locked, lossless: given.lossless, urls }
    }
}

/// A scope as an app gives it.
#[derive(Deserialize)]
struct GivenScope {
    sections: Option<Vec<SectionRef>>,
    from: Option<usize>,
    to: Option<usize>,
}

impl TryFrom<GivenScope> for Scope {
    type Error = &'static str;

    fn try_from(given: GivenScope) -> Result<Scope, &'static str> {
        match given {
            GivenScope { sections: Some(sections), .. } => Ok(Scope::Sections(sections)),
            GivenScope { from: Some(from), to: Some(to), .. } if from <= to => Ok(Scope::Range { from, to }),
            _ => Err("{sections: […]} or {from, to}, where from is not above to"),
        }
    }
}

impl TryFrom<Value> for SectionRef {
    type Error = &'static str;

    fn try_from(given: Value) -> Result<SectionRef, &'static str> {
        match (given.as_str(), count(&given)) {
            (Some(title), _) => Ok(SectionRef::Title(title.to_owned())),
            (None, Some(index)) => Ok(SectionRef::Index(index as usize)),
            (None, None) => Err("the index or the title of a section"),
        }
    }
}

impl TryFrom<Value> for Sources {
    type Error = &'static str;

    fn try_from(given: Value) -> Result<Sources, &'static str> {
        if given == "any" {
            return Ok(Sources::Any);
        }
        let hosts = given.get("hosts").and_then(Value::as_array).ok_or(SOURCES)?;
        let hosts = hosts.iter().map(|host| host.as_str().and_then(url::pattern)).collect::<Option<_>>();
        hosts.map(Sources::Hosts).ok_or(SOURCES)
    }
}

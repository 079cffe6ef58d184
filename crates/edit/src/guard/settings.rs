//! Guards as an app sets them.

use super::url::{self, Role};
use copydesk_base::fields::{Object, must_be, optional, required, take};
use serde::Deserialize;
use serde_json::Value;

/// What edits may do. The default allows all but addresses that are never written.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "Value")]
pub struct Guards {
    /// Where edits may change anything; everywhere where none is given.
    pub scope: Option<Scope>,
    /// Sections that no edit changes, heading included.
    pub locked: Vec<SectionRef>,
    /// What happens when an edit would drop a link, a picture, a mark or a custom node.
    pub lossless: Lossless,
    /// Which addresses edits may bring.
    pub urls: UrlPolicy,
}

/// A part of the document.
#[derive(Clone, Debug, PartialEq)]
pub enum Scope {
    /// Sections.
    Sections(Vec<SectionRef>),
    /// The top-level blocks that a range of positions touches, such as a selection.
    Range {
        /// Where it begins.
        from: usize,
        /// Where it ends.
        to: usize,
    },
}

/// A section of the document of this moment.
#[derive(Clone, Debug, PartialEq)]
pub enum SectionRef {
    /// By its index.
    Index(usize),
    /// By its title; all of them where several have it.
    Title(String),
}

/// What happens when an edit would drop something that its author may not have meant to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lossless {
    /// Nothing.
    #[default]
    Off,
    /// The result names it.
    Report,
    /// The edit is refused until it is confirmed.
    Reject,
}

/// Where addresses may lead. What stands in the document already may always stay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UrlPolicy {
    /// Pictures, and all else that a page loads by itself. Where nothing is set: anywhere for the app; for the agent
    /// only what tools returned and what the person wrote.
    pub images: Option<Sources>,
    /// Links. Where nothing is set: anywhere.
    pub links: Option<Sources>,
}

/// Where addresses of a kind may lead.
#[derive(Clone, Debug, PartialEq)]
pub enum Sources {
    /// Anywhere.
    Any,
    /// To these hosts (`example.com`, or `*.example.com` for all below it), and for the agent to what tools returned and
    /// what the person wrote.
    Hosts(Vec<String>),
}

impl UrlPolicy {
    /// What is set for addresses of a kind.
    pub fn of(&self, role: Role) -> Option<&Sources> {
        match role {
            Role::Load | Role::Mention => self.images.as_ref(),
            Role::Link => self.links.as_ref(),
        }
    }
}

const NAMES: [&str; 5] = ["scope", "locked", "lossless", "images", "links"];
const SECTIONS: &str = "an array of sections, each an index or a title";
const SOURCES: &str = "\"any\" or {hosts: [\"example.com\", \"*.example.com\"]}, each a host alone";

impl TryFrom<Value> for Guards {
    type Error = String;

    fn try_from(mut value: Value) -> Result<Guards, String> {
        // A guard that is spelled wrong would guard nothing.
        for (name, _) in value.as_object().into_iter().flatten() {
            if !NAMES.contains(&name.as_str()) {
                return Err(must_be(name, "left out: guards are scope, locked, lossless, images and links"));
            }
        }
        let scope: Option<Object> = optional(&mut value, "scope")?;
        let locked: Option<Vec<Value>> = optional(&mut value, "locked")?;
        let lossless: Option<String> = optional(&mut value, "lossless")?;
        Ok(Guards {
            scope: scope.map(|Object(scope)| read_scope(scope)).transpose()?,
            locked: read_sections("locked", locked.unwrap_or_default())?,
            lossless: match lossless.as_deref() {
                None | Some("off") => Lossless::Off,
                Some("report") => Lossless::Report,
                Some("reject") => Lossless::Reject,
                Some(_) => return Err(must_be("lossless", "\"off\", \"report\" or \"reject\"")),
            },
            urls: UrlPolicy {
                images: read_sources("images", take(&mut value, "images"))?,
                links: read_sources("links", take(&mut value, "links"))?,
            },
        })
    }
}

fn read_scope(mut scope: Value) -> Result<Scope, String> {
    if let Some(sections) = optional::<Vec<Value>>(&mut scope, "sections")? {
        return Ok(Scope::Sections(read_sections("scope.sections", sections)?));
    }
    let (from, to) = (required(&mut scope, "from")?, required(&mut scope, "to")?);
    if from > to { Err(must_be("scope.to", "scope.from or more")) } else { Ok(Scope::Range { from, to }) }
}

fn read_sections(name: &str, given: Vec<Value>) -> Result<Vec<SectionRef>, String> {
    let mut sections = Vec::new();
    for section in &given {
        sections.push(match (section.as_str(), copydesk_base::fields::count(section)) {
            (Some(title), _) => SectionRef::Title(title.to_owned()),
            (None, Some(index)) => SectionRef::Index(index as usize),
            (None, None) => return Err(must_be(name, SECTIONS)),
        });
    }
    Ok(sections)
}

fn read_sources(name: &str, given: Value) -> Result<Option<Sources>, String> {
    match (&given, given["hosts"].as_array()) {
        (Value::Null, _) => Ok(None),
        (Value::String(any), _) if any == "any" => Ok(Some(Sources::Any)),
        (_, Some(given)) => {
            let mut hosts = Vec::new();
            for host in given {
                hosts.push(host.as_str().and_then(url::pattern).ok_or_else(|| must_be(name, SOURCES))?);
            }
            Ok(Some(Sources::Hosts(hosts)))
        }
        _ => Err(must_be(name, SOURCES)),
    }
}

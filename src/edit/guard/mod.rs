//! What edits may do: where, what they may drop, and which addresses they may bring.
//!
//! An app sets [`Guards`]; [`Guards::bind`] ties them to blocks of the document, because sections move. Every edit is
//! held against them between its plan and the moment it is made ([`check`]), so that what is refused has changed
//! nothing. The rules of addresses that are never written hold without any guard.

mod bind;
pub mod loss;
pub mod settings;
pub mod url;

pub use bind::Bound;
pub use settings::{Guards, Lossless, Scope, SectionRef, Sources, UrlPolicy};

use super::change::{self, Change};
use super::{EditContext, content};
use crate::document::{Attrs, Document, Node, html};
use crate::error::{Dropped, Error, excerpt};
use serde_json::Value;
use url::{Address, Role};

/// What of an edit that may be made is worth knowing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// What the edit drops.
    pub dropped: Vec<Dropped>,
}

/// Holds the changes of an edit against the guards.
///
/// # Errors
/// [`Error::OutOfScope`], [`Error::Locked`], [`Error::UnsafeUrl`], [`Error::UrlNotAllowed`], [`Error::WouldDrop`].
pub fn check(guards: &Bound, before: &Document, changes: &[Change], context: &EditContext) -> Result<Report, Error> {
    if changes.is_empty() {
        return Ok(Report::default());
    }
    check_urls(&guards.urls, before, changes, context)?;
    if !guards.looks_at_outcome() {
        return Ok(Report::default());
    }
    let after = change::replace(before, changes)?;
    guards.check_place(before, changes, &after)?;
    let dropped = match guards.lossless {
        Lossless::Off => Vec::new(),
        _ => loss::dropped(before, changes, &after),
    };
    if guards.lossless == Lossless::Reject && !dropped.is_empty() && !context.confirm_drop {
        return Err(Error::WouldDrop { dropped });
    }
    Ok(Report { dropped })
}

/// Holds the HTML in which an edit is stated against the rules of addresses that are never written. Editors drop such
/// links without a word while they parse; whoever wrote them must hear of it.
///
/// # Errors
/// [`Error::UnsafeUrl`].
pub fn check_html(contents: &[&str], before: &Document) -> Result<(), Error> {
    let mut wrong = Vec::new();
    for content in contents.iter().filter(|content| content.contains('<')) {
        html::each_attribute(&content::to_html(content), &mut |name, value| wrong.extend(unsafe_address(name, value)))?;
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let standing = Standing::of(before);
    match wrong.into_iter().find(|(_, url, _)| !standing.has(url)) {
        Some((name, url, fault)) => Err(Error::UnsafeUrl { name, given: excerpt(&url), fault }),
        None => Ok(()),
    }
}

/// The attribute, the address and its fault, where an attribute holds one that is never written.
fn unsafe_address(name: &str, value: &str) -> Option<(String, String, String)> {
    let role = url::role(name)?;
    let find = |address: &str| Some((name.to_owned(), address.to_owned(), Address::read(address).fault(role)?));
    url::addresses(name, value).into_iter().find_map(find)
}

/// The agreement to drop what `lossless` would keep, as updates and tool calls state it.
pub fn confirms_drop(update: &Value) -> bool {
    matches!(&update["confirmDrop"], Value::Bool(true)) || update["confirmDrop"] == "true"
}

fn check_urls(policy: &UrlPolicy, before: &Document, changes: &[Change], context: &EditContext) -> Result<(), Error> {
    let standing = std::cell::OnceCell::new();
    let mut outcome = Ok(());
    let mut see = |name: &str, value: &str| {
        let Some(role) = url::role(name).filter(|_| outcome.is_ok()) else { return };
        for address in url::addresses(name, value) {
            // What stands in the document already is not the edit's doing.
            let stands = || standing.get_or_init(|| Standing::of(before)).has(address);
            let read = Address::read(address);
            if let Some(fault) = read.fault(role) {
                if !stands() {
                    outcome = Err(Error::UnsafeUrl { name: name.to_owned(), given: excerpt(address), fault });
                }
            } else if !is_allowed(policy, name, address, &read, role, context) && !stands() {
                let hosts = match policy.of(role) {
                    Some(Sources::Hosts(hosts)) => hosts.clone(),
                    _ => Vec::new(),
                };
                let agent = context.provenance.is_some();
                let given = excerpt(address);
                outcome = Err(Error::UrlNotAllowed { picture: role == Role::Load, given, hosts, agent });
            }
        }
    };
    for change in changes {
        change.content.iter().for_each(|node| each_address(node, &mut see));
    }
    outcome
}

/// Whether an edit may bring an address, that it stands there already aside.
fn is_allowed(
    policy: &UrlPolicy,
    attribute: &str,
    address: &str,
    read: &Address,
    role: Role,
    context: &EditContext,
) -> bool {
    let hosts = match (policy.of(role), role, &context.provenance) {
        (Some(Sources::Any), ..) | (None, Role::Link, _) | (None, _, None) => return true,
        (Some(Sources::Hosts(hosts)), ..) => &hosts[..],
        (None, Role::Load, Some(_)) => &[],
    };
    if address.trim().is_empty() || context.provenance.as_ref().is_some_and(|provenance| provenance.knows(address)) {
        return true;
    }
    match (read.host(), role) {
        (Some(host), _) => hosts.iter().any(|pattern| url::host_matches(host, pattern)),
        (None, Role::Link) => true,
        (None, Role::Load) if read.is_absolute() => read.is_inline_image(),
        // It stays on the page's own site. A picture that a model made up may not ask for anything there either; but an
        // attribute that is called `data` may hold no address at all.
        (None, Role::Load) => {
            context.provenance.is_none() || !matches!(attribute, "src" | "poster" | "background" | "srcset")
        }
    }
}

/// The addresses that stand in a document.
struct Standing(Vec<String>);

impl Standing {
    fn of(document: &Document) -> Standing {
        let mut urls = Vec::new();
        let mut see = |name: &str, value: &str| {
            if url::role(name).is_some() {
                urls.extend(url::addresses(name, value).into_iter().map(|address| address.trim().to_owned()));
            }
        };
        document.blocks().iter().for_each(|block| each_address(block, &mut see));
        Standing(urls)
    }

    fn has(&self, url: &str) -> bool {
        self.0.iter().any(|known| known == url.trim())
    }
}

/// Shows the texts in an attribute's value. What is in a list goes by the name of the list.
fn each_text(name: &str, value: &Value, see: &mut dyn FnMut(&str, &str)) {
    match value {
        Value::String(text) => see(name, text),
        Value::Array(items) => items.iter().for_each(|item| each_text(name, item, see)),
        Value::Object(fields) => fields.iter().for_each(|(name, field)| each_text(name, field, see)),
        _ => {}
    }
}

/// Shows the text attributes of a node, its marks and all that is in it.
fn each_address(node: &Node, see: &mut dyn FnMut(&str, &str)) {
    let mut texts = |attrs: &Attrs| attrs.iter().for_each(|(name, value)| each_text(name, value, see));
    texts(node.attrs());
    node.marks().iter().for_each(|mark| texts(&mark.attrs));
    node.children().iter().for_each(|child| each_address(child, see));
}

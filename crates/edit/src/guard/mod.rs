//! Limits of edits: the parts that they may change, the nodes and marks that they may drop, and the URLs that they may
//! add.
//!
//! An app sets [`Guards`]; [`Guards::bind`] binds them to blocks of the document, because sections move. Every edit is
//! checked against them after it is planned and before it is made ([`check`]), so that a refused edit has changed
//! nothing. The rules for URLs that are never written apply without any guard.

pub mod attribute;
mod bind;
mod characters;
pub mod css;
mod depth;
pub mod dropped;
pub mod extent;
pub mod loss;
mod part;
mod run_scope;
pub mod settings;
mod standing;
pub mod url;

pub use bind::Bound;
pub use characters::{check_characters, check_new_characters};
pub use depth::check_depth;
pub use run_scope::{Part, RunScope, ScopeRange, TrackedRange};
pub use settings::{Guards, Lossless, Scope, SectionRef, Sources, UrlPolicy};

use super::change::{self, Change};
use super::{EditContext, content};
use crate::Error;
use crate::guard::dropped::Dropped;
use attribute::{Found, UrlIn, each_url_in_html};
use copydesk_base::error::excerpt;
use copydesk_document::{Document, html};
use standing::{Standing, each_url_of};
use std::cell::OnceCell;
use url::{Address, Kind, Role};

/// The report of the guards about an edit that they allow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The content that the edit drops.
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
    guards.all().try_for_each(|guards| check_urls(&guards.urls, before, changes, context))?;
    if !guards.all().any(Bound::looks_at_outcome) && context.scope.is_none() {
        return Ok(Report::default());
    }
    let after = change::replace(before, changes)?;
    if let Some(scope) = &context.scope {
        scope.check(before, &after)?;
    }
    guards.all().try_for_each(|guards| guards.check_place(before, changes, &after))?;
    let dropped = match guards.lossless {
        Lossless::Off => Vec::new(),
        _ => loss::dropped(before, changes, &after),
    };
    if guards.lossless == Lossless::Reject && !dropped.is_empty() && !context.confirm_drop {
        return Err(Error::WouldDrop { dropped });
    }
    Ok(Report { dropped })
}

/// Checks the HTML of an edit for URLs that are never written. Editors drop such links silently while they parse, so
/// the author of the edit would not learn of it. The targets of other URLs are judged in the result ([`check`]).
///
/// # Errors
/// [`Error::UnsafeUrl`]; [`copydesk_document::Error::TooDeep`] if elements nest too deep to be read.
pub fn check_html(contents: &[&str], before: &Document) -> Result<(), Error> {
    let mut wrong = Vec::new();
    for content in contents.iter().filter(|content| content.contains('<')) {
        html::each_attribute(&content::to_html(content), &mut |element, name, value| {
            each_url_in_html(element, name, value, &mut |name, found| wrong.extend(unsafe_url(name, &found)));
        })?;
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let standing = Standing::of(before);
    match wrong.into_iter().find(|(_, url, _)| !standing.has_faulty(&Address::parse(url))) {
        Some((name, url, fault)) => Err(Error::UnsafeUrl { name, given: excerpt(&url), fault }),
        None => Ok(()),
    }
}

/// Returns the attribute, the URL and its fault, if the URL is never written.
fn unsafe_url(name: &str, found: &Found) -> Option<(String, String, String)> {
    let Found::Url(UrlIn { role, text, in_image, .. }) = found else { return None };
    let fault = Address::parse(text).fault(*role, *in_image)?;
    Some((name.to_owned(), (*text).to_owned(), fault.to_owned()))
}

fn check_urls(policy: &UrlPolicy, before: &Document, changes: &[Change], context: &EditContext) -> Result<(), Error> {
    let standing = OnceCell::new();
    // The edit is not responsible for URLs that are in the document already.
    let standing = || standing.get_or_init(|| Standing::of(before));
    let mut outcome = Ok(());
    let mut see = |name: &str, found: Found<'_>| {
        if outcome.is_err() {
            return;
        }
        outcome = match &found {
            Found::Unsafe(_, text) if standing().has_unsafe(text) => Ok(()),
            Found::Unsafe(fault, text) => {
                Err(Error::UnsafeUrl { name: name.to_owned(), given: excerpt(text), fault: (*fault).to_owned() })
            }
            Found::Url(url) => check_url(policy, name, url, context, &standing),
        };
    };
    for change in changes {
        change.content.iter().for_each(|node| each_url_of(node, before.schema(), &mut see));
    }
    outcome
}

fn check_url<'s>(
    policy: &UrlPolicy,
    name: &str,
    url: &UrlIn,
    context: &EditContext,
    standing: &impl Fn() -> &'s Standing,
) -> Result<(), Error> {
    let read = Address::parse(url.text);
    if let Some(fault) = read.fault(url.role, url.in_image) {
        return match standing().has_faulty(&read) {
            true => Ok(()),
            false => Err(Error::UnsafeUrl { name: name.to_owned(), given: excerpt(url.text), fault: fault.to_owned() }),
        };
    }
    if is_allowed(policy, &read, url, context) || standing().has(url.role, &read) {
        return Ok(());
    }
    let sources = match url.role {
        Role::Link => &policy.links,
        Role::Load | Role::Mention => &policy.images,
    };
    let hosts = if let Some(Sources::Hosts(hosts)) = sources { hosts.clone() } else { Vec::new() };
    let (picture, agent) = (url.role != Role::Link, context.provenance.is_some());
    Err(Error::UrlNotAllowed { picture, given: excerpt(url.text), hosts, agent })
}

/// Returns whether an edit may add a URL, without regard to the URLs that are in the document already.
fn is_allowed(policy: &UrlPolicy, read: &Address, url: &UrlIn, context: &EditContext) -> bool {
    let provenance = context.provenance.as_deref();
    let hosts = match (policy.of(url.role), url.role, provenance) {
        (Some(Sources::Any), ..) | (None, Role::Link, _) | (None, _, None) | (_, Role::Mention, None) => return true,
        (Some(Sources::Hosts(hosts)), ..) => &hosts[..],
        (None, _, Some(_)) => &[],
    };
    if read.normal().is_empty() || provenance.is_some_and(|provenance| provenance.knows_address(read, url.role)) {
        return true;
    }
    let is_on_hosts =
        |read: &Address| read.host().is_some_and(|host| hosts.iter().any(|pattern| url::host_matches(host, pattern)));
    match (read.kind(), read.host()) {
        (Kind::Absolute, Some(_)) => {
            is_on_hosts(read) && url.items.iter().all(|item| is_on_hosts(&Address::parse(item)))
        }
        // URLs that are not of the web: `mailto:` is a link like any other.
        (Kind::Absolute, None) => url.role == Role::Link || read.is_inline_image(url.in_image),
        // It may be one of the page's own site.
        (Kind::Either, _) => is_on_hosts(read) && (url.role == Role::Link || provenance.is_none()),
        // The page's own site may do something at a mere request, so no image that a model made up leads there.
        (Kind::Relative, _) => url.role == Role::Link || provenance.is_none(),
        (Kind::Invalid, _) => url.role == Role::Link,
    }
}

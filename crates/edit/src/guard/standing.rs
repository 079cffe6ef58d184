//! The URLs in a document, each with its role.

use super::attribute::{Found, Name, UrlIn, each_url};
use super::url::{Address, Role};
use copydesk_document::{Document, Mark, Node, NodeRole, Schema};
use rustc_hash::FxHashSet;

/// The URLs of a document. A URL that is a link there does not count as an image, and one in a text counts as neither.
pub struct Standing {
    urls: FxHashSet<(Role, String)>,
    /// URLs that would be refused where they are, and values that would be refused.
    faulty: FxHashSet<String>,
}

impl Standing {
    /// Collects the URLs of a document.
    pub fn of(document: &Document) -> Standing {
        let mut standing = Standing { urls: FxHashSet::default(), faulty: FxHashSet::default() };
        let schema = document.schema();
        document.blocks().iter().for_each(|block| {
            each_url_of(block, schema, &mut |_, found| {
                let UrlIn { role, text, in_image, items } = match found {
                    Found::Url(url) => url,
                    Found::Unsafe(_, text) => {
                        standing.faulty.insert(text.to_owned());
                        return;
                    }
                };
                let read = Address::parse(text);
                if read.fault(role, in_image).is_some() {
                    standing.faulty.insert(read.normal().to_owned());
                }
                standing.urls.insert((role, read.normal().to_owned()));
                for item in items {
                    standing.urls.insert((Role::Mention, Address::parse(item).normal().to_owned()));
                }
            });
        });
        standing
    }

    /// Returns whether the document has a URL in a role. A URL that loads something counts in every role.
    pub fn has(&self, role: Role, url: &Address) -> bool {
        let is = |role: Role| self.urls.contains(&(role, url.normal().to_owned()));
        is(role) || is(Role::Load)
    }

    /// Returns whether the document has a URL where it would not be written.
    pub fn has_faulty(&self, url: &Address) -> bool {
        self.faulty.contains(url.normal())
    }

    /// Returns whether the document has a value that would not be written.
    pub fn has_unsafe(&self, value: &str) -> bool {
        self.faulty.contains(value)
    }
}

/// Shows the URLs in the attributes of a node, its marks and all that is in it.
pub fn each_url_of(node: &Node, schema: &Schema, see: &mut dyn FnMut(&str, Found<'_>)) {
    let on_image = node.role(schema) == Some(NodeRole::Image);
    for (name, value) in node.attrs().iter() {
        each_url(Name { name, on_image }, value, see);
    }
    for (name, value) in node.marks().iter().flat_map(|mark: &Mark| mark.attrs.iter()) {
        each_url(Name { name, on_image: false }, value, see);
    }
    node.children().iter().for_each(|child| each_url_of(child, schema, see));
}

//! The origin of the URLs in a model's edit. A page requests an image as soon as it is shown, so a URL that a model put
//! together can carry the document's text to whoever planted the instruction for it in a web page. A URL that came from
//! outside unchanged carries nothing.
//!
//! # What a model may use as an image
//!
//! 1. URLs that the user wrote in a message ([`Provenance::said`]).
//! 2. URLs that a tool returned in a field that it declares for URLs of images ([`Provenance::returned`]), unless the
//!    model itself had written them before ([`written`]). Fields for URLs of pages allow links only.
//! 3. URLs in the document that load something (`guard::standing`), not those that are a link or a text there.
//! 4. URLs on hosts that the app allows.
//!
//! A summary of older messages adds nothing: only those URLs stay in it that were known before
//! ([`Provenance::without_unknown`]), so it can be read as if the user had written it.
//!
//! # Why the third is safe
//!
//! By induction over the changes of the document: whatever loads in it was put there by the user or the app, or was
//! allowed to a model when it was put there.
//!
//! - A model changes the document by edits only, and every edit passes `guard::check`, which judges every URL in the
//!   nodes that it brings. In review an edit changes the proposal, and passes the same check first; so what a
//!   proposal loads was allowed before anybody accepted it, and what was rejected is gone.
//! - A link counts as a link only. Whatever wrote it, Markdown's autolinks included, it does not allow an image; nor
//!   does a URL in a text, in code, or in the prose of an attribute such as `alt`.
//! - Attributes of custom nodes are judged by the rules by which they are collected: one that the check took for
//!   prose does not make a URL known, and one that it took for something that loads was allowed.
//! - A URL that is replaced or deleted is not known any more: an image that the user deleted cannot come back by a
//!   later edit, unless the user or a tool named it. Undo restores what was there, and so was allowed.
//! - Guards that are set later allow less or more for later edits; the app has allowed whatever `images: "any"` or a
//!   host allowed once. Edits by `apply` are the app's own, and it answers for their URLs.
//! - A second agent on the document is a model too. Its conversation makes nothing known to the first.
//! - Messages loaded from JSON are trusted like the app's settings: their roles and sources are not checked.

pub mod field;
pub mod written;

use super::guard::url::{self, Address, Kind, Role};
use field::UrlField;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value};
use std::rc::Rc;
use written::Written;

/// The most URLs of each source that are kept.
const MOST: usize = 5_000;
/// The longest URL that is kept, in bytes.
const LONGEST: usize = 4_096;

/// The URLs of a conversation, by where they come from.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// The URLs that the user wrote.
    said: FxHashSet<String>,
    /// Text of the user that may be a path.
    paths: FxHashSet<String>,
    /// URLs in results of tools.
    returned: FxHashMap<String, Returned>,
    /// Text of the model, an entry for each answer.
    written: Vec<Rc<Written>>,
}

/// The origin of a URL that a tool returned.
#[derive(Clone, Copy, Debug)]
struct Returned {
    /// Number of answers that the model had written before.
    before: usize,
    /// True if the tool returned it as a page only.
    is_page: bool,
}

/// A part of an answer, as far as URLs can be in it.
pub enum Authored<'a> {
    /// Text for the user.
    Text(&'a str),
    /// The arguments of a tool call.
    Arguments(&'a Map<String, Value>),
}

impl Provenance {
    /// Adds the text of the user: URLs, and texts that may be paths.
    pub fn said(&mut self, text: &str) {
        self.take_urls(text);
        let ends = |c: char| c.is_whitespace() || "\"'<>`()[]{}|，。；：！？、（）【】《》「」『』“”‘’…".contains(c);
        for word in text.split(ends).map(|word| word.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '~'])) {
            let is_path = !word.contains("://") && (word.contains(['/', '.']) || word.starts_with('?'));
            if is_path
                && word.len() <= LONGEST
                && self.paths.len() < MOST
                && Address::parse(word).kind() == Kind::Relative
            {
                self.paths.insert(Address::parse(word).normal().to_owned());
            }
        }
    }

    /// Adds the URLs of a summary, in which [`without_unknown`](Self::without_unknown) has left only those that were
    /// known.
    pub fn summed_up(&mut self, text: &str) {
        self.take_urls(text);
    }

    fn take_urls(&mut self, text: &str) {
        for (_, url) in url::in_text(text) {
            self.keep(url);
            // A text may be HTML, in which URLs are escaped.
            if url.contains("&amp;") {
                self.keep(&url.replace("&amp;", "&"));
            }
        }
        let whole = text.trim();
        if url::starts_as_web(whole) && !whole.contains(char::is_whitespace) {
            self.keep(whole);
        }
    }

    fn keep(&mut self, url: &str) {
        if url.len() <= LONGEST && self.said.len() < MOST {
            self.said.insert(Address::parse(url).normal().to_owned());
        }
    }

    /// Adds the text that the model wrote in one answer.
    pub fn wrote<'a>(&mut self, answer: impl IntoIterator<Item = Authored<'a>>) {
        let mut written = Written::default();
        for part in answer {
            match part {
                Authored::Text(text) => written.text(text, self),
                Authored::Arguments(arguments) => written.arguments(arguments, self),
            }
        }
        self.written.push(Rc::new(written));
    }

    /// Takes in a result: the URLs in the fields that the tool declares, but for those that were put together from
    /// the arguments of its call.
    pub fn returned(&mut self, content: &Value, fields: &[UrlField], arguments: &Map<String, Value>) {
        if fields.is_empty() {
            return;
        }
        let mut call = Written::default();
        call.arguments(arguments, self);
        field::each(content, fields, &mut |text, is_page| {
            let url = text.trim();
            if url.is_empty() || url.len() > LONGEST || url.contains(char::is_whitespace) || self.returned.len() >= MOST
            {
                return;
            }
            let read = Address::parse(url);
            // A URL that is known as a page may be returned as an image later.
            let is_new = self.returned.get(read.normal()).is_none_or(|known| known.is_page && !is_page);
            if is_new && !call.composes(&read) {
                let returned = Returned { before: self.written.len(), is_page };
                self.returned.insert(read.normal().to_owned(), returned);
            }
        });
    }

    /// Returns whether a URL is known as that of an image.
    pub fn knows(&self, url: &str) -> bool {
        self.knows_address(&Address::parse(url), Role::Load)
    }

    /// Returns whether a URL is known: the user wrote it, or a tool returned it and the model had not written it
    /// before. One that a tool returned as a page is known as a link only.
    pub fn knows_address(&self, url: &Address, role: Role) -> bool {
        let is_own = |before: usize| self.written[..before].iter().any(|written| written.has(url));
        let is_said = self.said.contains(url.normal()) || self.paths.contains(url.normal());
        let returned = || self.returned.get(url.normal()).filter(|known| role == Role::Link || !known.is_page);
        is_said || returned().is_some_and(|known| !is_own(known.before))
    }

    /// Returns a text without the http(s) URLs that are not known as those of images: the rest counts as the user's
    /// words.
    pub fn without_unknown(&self, text: &str) -> String {
        let (mut out, mut end) = (String::new(), 0);
        for (at, url) in url::in_text(text) {
            out.push_str(&text[end..at]);
            out.push_str(if self.knows(url) { url } else { "[…]" });
            end = at + url.len();
        }
        out + &text[end..]
    }
}

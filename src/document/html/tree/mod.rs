//! From tags and texts to a tree of elements, by <https://html.spec.whatwg.org/#tree-construction>.
//!
//! What is parsed is always a body, as TipTap hands it to a page's `DOMParser`. So there is never a doctype, tables
//! may stand in paragraphs, nothing can become a frameset, and the modes before a body are not there. Neither are
//! the names that SVG writes with capitals: nothing asks for them. A test asks html5ever whether the trees are
//! right.
//!
//! Here is what is open and where what comes is put; `modes` has the rules of text and of a body, `tables` those of
//! tables, `formatting` what misnested formatting becomes, `foreign` SVG and MathML, `names` what each name means.

mod foreign;
mod formatting;
mod modes;
mod names;
mod tables;

use super::dom::{Attr, Dom, DomData, DomId};
use super::tokenizer::{Reading, Tag, Token, TokenSink, Tokenizer};
pub(super) use names::Name;
use names::{CELL, FOREIGN, FOSTERS, IMPLIED, ROWS, TABLES};
use std::borrow::Cow;
use std::rc::Rc;

/// Chromium nests elements no deeper than this: what is opened further in becomes a sibling.
const DEEPEST_ELEMENT: u32 = 512;

/// The most elements that may be open at once. The parsing algorithm looks through the open elements for many
/// a tag, so without a limit its time grows with the square of the input.
pub(super) const MOST_OPEN: u32 = 1024;

/// Parses a page that [`page`] made. None where more elements are open, or more nodes come out, than is accepted.
pub(super) fn parse(page: &str) -> Option<Dom<'_>> {
    // Unclosed formatting elements come again in every paragraph, so few bytes can make many nodes.
    let mut tokenizer = Tokenizer::new(page, Builder::new(page.len().max(1_000_000)));
    while tokenizer.step() {
        if tokenizer.sink.exceeded {
            return None;
        }
    }
    let Builder { dom, exceeded, .. } = tokenizer.sink;
    (!exceeded).then_some(dom)
}

/// What is parsed: TipTap wraps what it is given so that white space at its beginning is in the body, and the
/// standard makes every line end a line feed.
pub(super) fn page(html: &str) -> String {
    let mut page = String::with_capacity(html.len() + 16);
    page.push_str("<body>");
    let mut lines = html.split('\r');
    page.push_str(lines.next().unwrap_or_default());
    for line in lines {
        page.push('\n');
        page.push_str(line.strip_prefix('\n').unwrap_or(line));
    }
    page.push_str("</body>");
    page
}

/// Which rules hold for what comes: the standard's insertion modes.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Body,
    /// In an element that holds only text.
    Text,
    Table,
    /// In a text directly in a table, as long as it may be only white space.
    TableText,
    Caption,
    ColumnGroup,
    TableBody,
    Row,
    Cell,
    Template,
    AfterBody,
    AfterAfterBody,
}

/// An element that is open.
#[derive(Clone, Copy)]
struct Open {
    id: DomId,
    /// None of HTML's names where it is one of SVG or MathML.
    name: Name,
    flags: u32,
}

/// Where something is put.
enum Place {
    In(DomId),
    Before(DomId),
}

/// Makes the tree.
pub(super) struct Builder<'a> {
    dom: Dom<'a>,
    /// The open elements, `html` and `body` the first of them.
    open: Vec<Open>,
    /// The formatting elements that wait to be opened again, or are open; none for a marker, which bounds them.
    formatting: Vec<Option<(DomId, Name)>>,
    mode: Mode,
    /// The mode to go back to after a text.
    original: Mode,
    /// The mode in each open template.
    templates: Vec<Mode>,
    table_text: Vec<Cow<'a, str>>,
    form: Option<DomId>,
    /// Whether a line feed is dropped that comes next.
    drops_newline: bool,
    /// Whether what may not stand in a table goes before it.
    fosters: bool,
    /// How what follows a tag is to be read.
    reading: Reading,
    most_nodes: usize,
    exceeded: bool,
}

impl<'a> TokenSink<'a> for Builder<'a> {
    fn take(&mut self, token: Token<'a>) -> Reading {
        let drops_newline = std::mem::take(&mut self.drops_newline);
        match token {
            Token::Tag(mut tag) => return self.tag(&mut tag),
            Token::Text(text) if drops_newline && text.starts_with('\n') => {
                let rest = match text {
                    Cow::Borrowed(text) => Cow::Borrowed(text.get(1..).unwrap_or_default()),
                    Cow::Owned(text) => Cow::Owned(text.get(1..).unwrap_or_default().to_owned()),
                };
                if !rest.is_empty() {
                    self.text(rest);
                }
            }
            Token::Text(text) => self.text(text),
            Token::Null => drop(self.null()),
            Token::Comment => self.comment(),
            Token::Doctype => {}
            Token::End => self.end_table_text(),
        }
        Reading::Content
    }

    fn is_in_foreign(&self) -> bool {
        self.current().flags & FOREIGN != 0
    }
}

impl<'a> Builder<'a> {
    /// One for a page; above a number of nodes it gives up.
    pub(super) fn new(most_nodes: usize) -> Builder<'a> {
        let mut builder = Builder {
            dom: Dom::new(),
            open: Vec::new(),
            formatting: Vec::new(),
            mode: Mode::Body,
            original: Mode::Body,
            templates: Vec::new(),
            table_text: Vec::new(),
            form: None,
            drops_newline: false,
            fosters: false,
            reading: Reading::Content,
            most_nodes,
            exceeded: false,
        };
        for name in [Name::Html, Name::Body] {
            builder.insert_named(name);
        }
        builder
    }

    /// Takes a tag. What its rules make of it may be that it comes again by other rules.
    fn tag(&mut self, tag: &mut Tag<'a>) -> Reading {
        self.end_table_text();
        loop {
            let again = match self.is_foreign(!tag.is_end, tag.name) {
                true => self.in_foreign(tag),
                false => self.in_mode(self.mode, tag),
            };
            if !again {
                return std::mem::replace(&mut self.reading, Reading::Content);
            }
        }
    }

    fn comment(&mut self) {
        self.end_table_text();
        let id = self.create(DomData::Other);
        let parent = match self.mode {
            Mode::AfterBody if !self.is_in_foreign() => self.open.first().map_or(Dom::DOCUMENT, |html| html.id),
            Mode::AfterAfterBody if !self.is_in_foreign() => Dom::DOCUMENT,
            _ => return self.put(self.place(None), id),
        };
        self.append(parent, id);
    }

    // What is open.

    /// The innermost open element.
    fn current(&self) -> Open {
        const NONE: Open = Open { id: Dom::DOCUMENT, name: Name::Html, flags: 0 };
        self.open.last().copied().unwrap_or(NONE)
    }

    fn is_current(&self, name: Name) -> bool {
        self.current().name == name
    }

    /// Whether an element is open, and nothing that bounds a scope in it.
    fn has_in_scope(&self, bounds: u32, is: impl Fn(&Open) -> bool) -> bool {
        for open in self.open.iter().rev() {
            if is(open) {
                return true;
            }
            if open.flags & bounds != 0 {
                return false;
            }
        }
        false
    }

    fn has(&self, bounds: u32, name: Name) -> bool {
        self.has_in_scope(bounds, |open| open.name == name)
    }

    fn has_flagged(&self, bounds: u32, flags: u32) -> bool {
        self.has_in_scope(bounds, |open| open.flags & flags != 0)
    }

    fn has_open(&self, id: DomId) -> bool {
        self.open.iter().rev().any(|open| open.id == id)
    }

    fn is_in_template(&self) -> bool {
        !self.templates.is_empty()
    }

    /// Closes the innermost element; `html` stays.
    fn pop(&mut self) {
        if self.open.len() > 1 {
            self.open.pop();
        }
    }

    /// Closes elements up to one, and that too.
    fn pop_through(&mut self, name: Name) {
        while self.open.len() > 1 && !self.is_current(name) {
            self.pop();
        }
        self.pop();
    }

    fn pop_through_flagged(&mut self, flags: u32) {
        self.pop_to(flags);
        self.pop();
    }

    /// Closes elements until one of some kind is the innermost.
    fn pop_to(&mut self, flags: u32) {
        while self.open.len() > 1 && self.current().flags & flags == 0 {
            self.pop();
        }
    }

    /// Closes elements whose end tags may be left out, but for one name.
    fn pop_implied(&mut self, except: Name) {
        while self.current().flags & IMPLIED != 0 && !self.is_current(except) {
            self.pop();
        }
    }

    fn remove_open(&mut self, id: DomId) {
        if let Some(at) = self.open.iter().rposition(|open| open.id == id) {
            self.open.remove(at);
        }
    }

    /// The mode that what is open asks for.
    fn reset_mode(&mut self) {
        let mode_in = |open: &Open| match open.name {
            _ if open.flags & CELL != 0 => Some(Mode::Cell),
            _ if open.flags & ROWS != 0 => Some(Mode::TableBody),
            Name::Tr => Some(Mode::Row),
            Name::Caption => Some(Mode::Caption),
            Name::Colgroup => Some(Mode::ColumnGroup),
            Name::Table => Some(Mode::Table),
            Name::Template => self.templates.last().copied(),
            _ => None,
        };
        self.mode = self.open.iter().rev().find_map(mode_in).unwrap_or(Mode::Body);
    }

    // Where things are put.

    fn create(&mut self, data: DomData<'a>) -> DomId {
        if self.dom.len() >= self.most_nodes {
            self.exceeded = true;
        }
        self.dom.create(data)
    }

    /// The place for what comes next in an element, or in the current one.
    fn place(&self, target: Option<Open>) -> Place {
        let target = target.unwrap_or(self.current());
        if !self.fosters || target.flags & FOSTERS == 0 {
            return Place::In(self.inside(target));
        }
        let is_either = |open: &Open| matches!(open.name, Name::Template | Name::Table);
        match self.open.iter().rposition(is_either).and_then(|at| self.open.get(at - usize::from(at > 0)..=at)) {
            Some(&[.., open]) if open.name == Name::Template => Place::In(self.inside(open)),
            Some(&[.., table]) if self.dom.parent(table.id).is_some() => Place::Before(table.id),
            Some(&[around, ..]) => Place::In(around.id),
            _ => Place::In(self.open.first().map_or(target.id, |html| html.id)),
        }
    }

    /// Where the content of an element is: that of a template stands apart.
    fn inside(&self, open: Open) -> DomId {
        match self.dom.node(open.id).data {
            DomData::Element { template: Some(content), .. } => content,
            _ => open.id,
        }
    }

    fn put(&mut self, place: Place, id: DomId) {
        match place {
            Place::In(parent) => self.append(parent, id),
            Place::Before(sibling) => {
                let depth = self.dom.parent(sibling).map_or(0, |parent| self.dom.node(parent).depth);
                self.dom.set_depth(id, depth + 1);
                self.dom.insert_before(sibling, id);
            }
        }
    }

    fn append(&mut self, parent: DomId, id: DomId) {
        let depth = self.dom.node(parent).depth;
        self.dom.set_depth(id, depth + 1);
        if depth >= MOST_OPEN {
            self.exceeded = true;
        }
        let above = self.dom.parent(parent).filter(|_| depth > DEEPEST_ELEMENT);
        self.dom.append(above.unwrap_or(parent), id);
    }

    /// Adds a text, to the one before it where there is one.
    fn insert_text(&mut self, text: Cow<'a, str>) {
        let place = self.place(None);
        let before = match place {
            Place::In(parent) => self.dom.last_child(parent),
            Place::Before(sibling) => self.dom.previous_sibling(sibling),
        };
        if let Some(DomData::Text(known)) = before.map(|before| &mut self.dom.node_mut(before).data) {
            known.to_mut().push_str(&text);
            return;
        }
        let id = self.create(DomData::Text(text));
        match place {
            Place::In(parent) => self.dom.append(parent, id),
            Place::Before(sibling) => self.dom.insert_before(sibling, id),
        }
    }

    fn create_element(&mut self, name: Name, local: Cow<'a, str>, attrs: Option<Rc<[Attr<'a>]>>) -> DomId {
        let template = (name == Name::Template).then(|| self.create(DomData::Other));
        self.create(DomData::Element { name: local, attrs, template, foreign: false })
    }

    /// Opens the element of HTML that a tag is.
    fn insert(&mut self, tag: &mut Tag<'a>) -> DomId {
        let local = std::mem::take(&mut tag.local);
        let id = self.create_element(tag.name, local, tag.attrs.take());
        self.put(self.place(None), id);
        self.open.push(Open { id, name: tag.name, flags: tag.name.flags() });
        id
    }

    /// Opens an element that no tag is there for.
    fn insert_named(&mut self, name: Name) {
        self.insert(&mut Tag::named(name));
    }

    /// Adds the element that a tag is, which has no content.
    fn insert_void(&mut self, tag: &mut Tag<'a>) -> DomId {
        let id = self.insert(tag);
        self.pop();
        id
    }

    /// Opens the element that a tag is, which holds only text.
    fn insert_raw(&mut self, tag: &mut Tag<'a>, reading: Reading) {
        self.insert(tag);
        self.reading = reading;
        self.original = self.mode;
        self.mode = Mode::Text;
    }

    /// By which bounds rows, cells and the like are looked for.
    fn has_in_table(&self, name: Name) -> bool {
        self.has(TABLES, name)
    }
}

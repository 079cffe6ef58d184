//! The modes of a body, of what may stand in a head, and of templates.

use super::names::{BUTTON, HEADING, IMPLIED, LIST, MATH, Name, SCOPE, SPECIAL, THOROUGH};
use super::{Builder, Mode, Reading, Tag};
use std::borrow::Cow;

impl<'a> Builder<'a> {
    /// Takes a tag by the rules of a mode; whether it comes again by those of the mode that is then set.
    pub(super) fn in_mode(&mut self, mode: Mode, tag: &mut Tag<'a>) -> bool {
        match mode {
            Mode::Body => self.in_body(tag),
            Mode::Text => {
                self.pop();
                self.mode = self.original;
                false
            }
            Mode::Table | Mode::TableText => self.in_table(tag),
            Mode::Caption => self.in_caption(tag),
            Mode::ColumnGroup => self.in_column_group(tag),
            Mode::TableBody => self.in_table_body(tag),
            Mode::Row => self.in_row(tag),
            Mode::Cell => self.in_cell(tag),
            Mode::Template => self.in_template(tag),
            Mode::AfterBody | Mode::AfterAfterBody => match (tag.is_end, tag.name) {
                (false, Name::Html) => self.in_body(tag),
                (true, Name::Html) if mode == Mode::AfterBody => {
                    self.mode = Mode::AfterAfterBody;
                    false
                }
                _ => {
                    self.mode = Mode::Body;
                    true
                }
            },
        }
    }

    /// Takes a text.
    pub(super) fn text(&mut self, text: Cow<'a, str>) {
        if self.is_foreign(true, Name::Other) || self.mode == Mode::Text {
            self.insert_text(text);
            return;
        }
        match self.mode {
            Mode::Table | Mode::TableBody | Mode::Row => self.text_in_table(text),
            Mode::TableText => self.table_text.push(text),
            Mode::ColumnGroup | Mode::AfterBody | Mode::AfterAfterBody => self.text_in_runs(&text),
            _ => self.text_in_body(text),
        }
    }

    pub(super) fn text_in_body(&mut self, text: Cow<'a, str>) {
        self.reconstruct();
        self.insert_text(text);
    }

    /// Takes a text where white space is one thing and all else another, so that each run is taken by itself.
    fn text_in_runs(&mut self, text: &str) {
        let mut rest = text;
        while let Some(first) = rest.bytes().next() {
            let is_space = first.is_ascii_whitespace();
            let length = rest.bytes().position(|byte| byte.is_ascii_whitespace() != is_space).unwrap_or(rest.len());
            let (run, after) = rest.split_at(length);
            match self.mode {
                Mode::ColumnGroup if is_space => self.insert_text(run.to_owned().into()),
                Mode::AfterBody | Mode::AfterAfterBody if is_space => self.text_in_body(run.to_owned().into()),
                _ => {
                    if self.null() {
                        return self.text(rest.to_owned().into());
                    }
                }
            }
            rest = after;
        }
    }

    /// Takes a NUL, which is dropped, but as something that is no white space: whether it ended the mode.
    pub(super) fn null(&mut self) -> bool {
        if self.is_foreign(true, Name::Other) {
            self.insert_text("\u{FFFD}".into());
            return false;
        }
        match self.mode {
            Mode::ColumnGroup if self.is_current(Name::Colgroup) => {
                self.pop();
                self.mode = Mode::Table;
            }
            Mode::AfterBody | Mode::AfterAfterBody => self.mode = Mode::Body,
            _ => return false,
        }
        true
    }

    /// Takes a tag of what may stand in a head, wherever it stands.
    pub(super) fn in_head(&mut self, tag: &mut Tag<'a>) -> bool {
        match (tag.is_end, tag.name) {
            (false, Name::Title) => self.insert_raw(tag, Reading::References),
            (false, Name::Noframes | Name::Style) => self.insert_raw(tag, Reading::Raw),
            (false, Name::Script) => self.insert_raw(tag, Reading::Script),
            (false, Name::Template) => {
                self.formatting.push(None);
                self.mode = Mode::Template;
                self.templates.push(Mode::Template);
                self.insert(tag);
            }
            (true, Name::Template) => {
                if self.is_in_template() {
                    while self.current().flags & (IMPLIED | THOROUGH) != 0 {
                        self.pop();
                    }
                    self.pop_through(Name::Template);
                    self.clear_to_marker();
                    self.templates.pop();
                    self.reset_mode();
                }
            }
            _ => {
                self.insert_void(tag);
            }
        }
        false
    }

    fn in_template(&mut self, tag: &mut Tag<'a>) -> bool {
        let mode = match tag.name {
            name if is_in_heads(name) && (!tag.is_end || name == Name::Template) => return self.in_head(tag),
            _ if tag.is_end => return false,
            Name::Caption | Name::Colgroup | Name::Tbody | Name::Tfoot | Name::Thead => Mode::Table,
            Name::Col => Mode::ColumnGroup,
            Name::Tr => Mode::TableBody,
            Name::Td | Name::Th => Mode::Row,
            _ => Mode::Body,
        };
        self.templates.pop();
        self.templates.push(mode);
        self.mode = mode;
        true
    }

    pub(super) fn in_body(&mut self, tag: &mut Tag<'a>) -> bool {
        if is_in_heads(tag.name) && (!tag.is_end || tag.name == Name::Template) {
            return self.in_head(tag);
        }
        if tag.is_end {
            return self.end_in_body(tag);
        }
        self.start_in_body(tag);
        false
    }

    fn start_in_body(&mut self, tag: &mut Tag<'a>) {
        match tag.name {
            Name::Html | Name::Body => {
                if !self.is_in_template() {
                    self.dom.around.extend(tag.attrs.take());
                }
            }
            Name::Caption | Name::Col | Name::Colgroup | Name::Frame | Name::Frameset | Name::Head => {}
            Name::Tbody | Name::Td | Name::Tfoot | Name::Th | Name::Thead | Name::Tr => {}
            name if is_block(name) => {
                self.end_paragraph();
                self.insert(tag);
                self.drops_newline = matches!(name, Name::Pre | Name::Listing);
                if name == Name::Plaintext {
                    self.reading = Reading::Plaintext;
                }
            }
            Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6 => {
                self.end_paragraph();
                if self.current().flags & HEADING != 0 {
                    self.pop();
                }
                self.insert(tag);
            }
            Name::Form => {
                let in_template = self.is_in_template();
                if in_template || self.form.is_none() {
                    self.end_paragraph();
                    let id = self.insert(tag);
                    if !in_template {
                        self.form = Some(id);
                    }
                }
            }
            Name::Li | Name::Dd | Name::Dt => {
                self.end_item(tag.name == Name::Li);
                self.end_paragraph();
                self.insert(tag);
            }
            Name::A => {
                self.end_link();
                self.reconstruct();
                self.insert_formatting(tag);
            }
            Name::Nobr => {
                self.reconstruct();
                if self.has(SCOPE, Name::Nobr) {
                    self.end_formatting(&mut Tag::named(Name::Nobr));
                    self.reconstruct();
                }
                self.insert_formatting(tag);
            }
            name if is_formatting(name) => {
                self.reconstruct();
                self.insert_formatting(tag);
            }
            Name::Applet | Name::Marquee | Name::Object => {
                self.reconstruct();
                self.insert(tag);
                self.formatting.push(None);
            }
            Name::Table => {
                self.insert(tag);
                self.mode = Mode::Table;
            }
            Name::Image => {
                (tag.name, tag.local) = (Name::Img, Name::Img.text().into());
                self.start_in_body(tag);
            }
            Name::Area | Name::Br | Name::Embed | Name::Img | Name::Keygen | Name::Wbr | Name::Input => {
                if tag.name == Name::Input && self.has(SCOPE, Name::Select) {
                    self.pop_through(Name::Select);
                }
                self.reconstruct();
                self.insert_void(tag);
            }
            Name::Param | Name::Source | Name::Track => {
                self.insert_void(tag);
            }
            Name::Hr => {
                self.end_paragraph();
                if self.has(SCOPE, Name::Select) {
                    self.pop_implied(Name::Other);
                }
                self.insert_void(tag);
            }
            Name::Textarea => {
                self.insert_raw(tag, Reading::References);
                self.drops_newline = true;
            }
            Name::Xmp => {
                self.end_paragraph();
                self.reconstruct();
                self.insert_raw(tag, Reading::Raw);
            }
            Name::Iframe | Name::Noembed => self.insert_raw(tag, Reading::Raw),
            Name::Select if self.has(SCOPE, Name::Select) => self.pop_through(Name::Select),
            Name::Rb | Name::Rp | Name::Rt | Name::Rtc => {
                if self.has(SCOPE, Name::Ruby) {
                    self.pop_implied(if matches!(tag.name, Name::Rp | Name::Rt) { Name::Rtc } else { Name::Other });
                }
                self.insert(tag);
            }
            Name::Math | Name::Svg => {
                self.reconstruct();
                self.insert_foreign(tag, if tag.name == Name::Math { MATH } else { 0 });
            }
            name => {
                if name == Name::Button && self.has(SCOPE, Name::Button) {
                    self.pop_implied(Name::Other);
                    self.pop_through(Name::Button);
                } else if matches!(name, Name::Option | Name::Optgroup) {
                    if self.has(SCOPE, Name::Select) {
                        self.pop_implied(if name == Name::Option { Name::Optgroup } else { Name::Other });
                    } else if self.is_current(Name::Option) {
                        self.pop();
                    }
                }
                self.reconstruct();
                self.insert(tag);
            }
        }
    }

    /// Takes an end tag; whether it comes again.
    fn end_in_body(&mut self, tag: &mut Tag<'a>) -> bool {
        match tag.name {
            Name::Body | Name::Html => {
                if self.has(SCOPE, Name::Body) {
                    self.mode = Mode::AfterBody;
                    return tag.name == Name::Html;
                }
            }
            Name::Form => self.end_form(),
            Name::P => {
                if !self.has(SCOPE | BUTTON, Name::P) {
                    self.insert_named(Name::P);
                }
                self.end_paragraph();
            }
            name @ (Name::Li | Name::Dd | Name::Dt) => {
                if self.has(if name == Name::Li { SCOPE | LIST } else { SCOPE }, name) {
                    self.pop_implied(name);
                    self.pop_through(name);
                }
            }
            Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6 => {
                if self.has_flagged(SCOPE, HEADING) {
                    self.pop_implied(Name::Other);
                    self.pop_through_flagged(HEADING);
                }
            }
            Name::Br => self.start_in_body(&mut Tag::named(Name::Br)),
            name if is_formatting(name) || matches!(name, Name::A | Name::Nobr) => self.end_formatting(tag),
            name if name != Name::Plaintext && is_block(name) || matches!(name, Name::Button | Name::Select) => {
                self.end_scoped(name);
            }
            name @ (Name::Applet | Name::Marquee | Name::Object) => {
                if self.end_scoped(name) {
                    self.clear_to_marker();
                }
            }
            _ => self.end_any_other(tag),
        }
        false
    }

    /// Closes an element and all that is in it; false where it is not open.
    fn end_scoped(&mut self, name: Name) -> bool {
        let is_open = self.has(SCOPE, name);
        if is_open {
            self.pop_implied(Name::Other);
            self.pop_through(name);
        }
        is_open
    }

    /// Closes the paragraph that is open.
    fn end_paragraph(&mut self) {
        if self.has(SCOPE | BUTTON, Name::P) {
            self.pop_implied(Name::P);
            self.pop_through(Name::P);
        }
    }

    /// Closes the item that another one ends.
    fn end_item(&mut self, of_list: bool) {
        for open in self.open.iter().rev() {
            let name = open.name;
            if if of_list { name == Name::Li } else { matches!(name, Name::Dd | Name::Dt) } {
                self.pop_implied(name);
                self.pop_through(name);
                return;
            }
            if open.flags & SPECIAL != 0 && !matches!(name, Name::Address | Name::Div | Name::P) {
                return;
            }
        }
    }

    fn end_form(&mut self) {
        if self.is_in_template() {
            self.end_scoped(Name::Form);
            return;
        }
        if let Some(id) = self.form.take().filter(|id| self.has_in_scope(SCOPE, |open| open.id == *id)) {
            self.pop_implied(Name::Other);
            self.remove_open(id);
        }
    }

    /// Takes an end tag that has no rules of its own.
    pub(super) fn end_any_other(&mut self, tag: &Tag<'a>) {
        for (at, open) in self.open.iter().enumerate().rev() {
            let is_html = open.flags & super::FOREIGN == 0;
            if is_html
                && open.name == tag.name
                && (tag.name != Name::Other || self.dom.name(open.id) == Some(&*tag.local))
            {
                self.open.truncate(at.max(1));
                return;
            }
            if open.flags & SPECIAL != 0 {
                return;
            }
        }
    }
}

fn is_in_heads(name: Name) -> bool {
    use Name::{Base, Basefont, Bgsound, Link, Meta, Noframes, Script, Style, Template, Title};
    matches!(name, Base | Basefont | Bgsound | Link | Meta | Noframes | Script | Style | Template | Title)
}

/// Formatting elements, but for those that do not nest.
fn is_formatting(name: Name) -> bool {
    use Name::{B, Big, Code, Em, Font, I, S, Small, Strike, Strong, Tt, U};
    matches!(name, B | Big | Code | Em | Font | I | S | Small | Strike | Strong | Tt | U)
}

/// Elements that end a paragraph and have no other rules.
fn is_block(name: Name) -> bool {
    use Name::*;
    matches!(
        name,
        Address
            | Article
            | Aside
            | Blockquote
            | Center
            | Details
            | Dialog
            | Dir
            | Div
            | Dl
            | Fieldset
            | Figcaption
            | Figure
            | Footer
            | Header
            | Hgroup
            | Listing
            | Main
            | Menu
            | Nav
            | Ol
            | P
            | Plaintext
            | Pre
            | Search
            | Section
            | Summary
            | Ul
    )
}

//! The modes of tables.

use super::names::{CELL, FOSTERS, Name, ROOTS, ROWS, TABLES};
use super::{Builder, Mode, Tag};
use std::borrow::Cow;

impl<'a> Builder<'a> {
    /// Takes a tag in a table; whether it comes again.
    pub(super) fn in_table(&mut self, tag: &mut Tag<'a>) -> bool {
        if tag.is_end {
            match tag.name {
                Name::Table => {
                    if self.has_in_table(Name::Table) {
                        self.pop_through(Name::Table);
                        self.reset_mode();
                    }
                }
                name if is_part(name) || matches!(name, Name::Body | Name::Html) => {}
                Name::Template => return self.in_head(tag),
                _ => return self.in_body_fostered(tag),
            }
            return false;
        }
        match tag.name {
            Name::Caption => {
                self.pop_to(TABLES);
                self.formatting.push(None);
                self.insert(tag);
                self.mode = Mode::Caption;
            }
            Name::Colgroup => {
                self.pop_to(TABLES);
                self.insert(tag);
                self.mode = Mode::ColumnGroup;
            }
            Name::Col => {
                self.pop_to(TABLES);
                self.insert_named(Name::Colgroup);
                self.mode = Mode::ColumnGroup;
                return true;
            }
            Name::Tbody | Name::Tfoot | Name::Thead => {
                self.pop_to(TABLES);
                self.insert(tag);
                self.mode = Mode::TableBody;
            }
            Name::Td | Name::Th | Name::Tr => {
                self.pop_to(TABLES);
                self.insert_named(Name::Tbody);
                self.mode = Mode::TableBody;
                return true;
            }
            Name::Table => {
                if self.has_in_table(Name::Table) {
                    self.pop_through(Name::Table);
                    self.reset_mode();
                    return true;
                }
            }
            Name::Style | Name::Script | Name::Template => return self.in_head(tag),
            Name::Input if tag.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden")) => {
                self.insert_void(tag);
            }
            Name::Form => {
                if !self.is_in_template() && self.form.is_none() {
                    self.form = Some(self.insert_void(tag));
                }
            }
            _ => return self.in_body_fostered(tag),
        }
        false
    }

    fn in_body_fostered(&mut self, tag: &mut Tag<'a>) -> bool {
        self.fosters = true;
        let again = self.in_body(tag);
        self.fosters = false;
        again
    }

    /// Takes a text in a table. Where it is directly in the table, it waits for its end: it may be white space.
    pub(super) fn text_in_table(&mut self, text: Cow<'a, str>) {
        if self.current().flags & FOSTERS == 0 {
            self.text_fostered(text);
            return;
        }
        self.original = self.mode;
        self.mode = Mode::TableText;
        self.table_text.push(text);
    }

    fn text_fostered(&mut self, text: Cow<'a, str>) {
        self.fosters = true;
        self.text_in_body(text);
        self.fosters = false;
    }

    /// Puts the text that waited where it belongs.
    pub(super) fn end_table_text(&mut self) {
        if self.mode != Mode::TableText {
            return;
        }
        self.mode = self.original;
        let is_space = |text: &Cow<str>| text.bytes().all(|byte| byte.is_ascii_whitespace());
        let all_space = self.table_text.iter().all(is_space);
        for text in std::mem::take(&mut self.table_text) {
            match all_space {
                true => self.insert_text(text),
                false => self.text_fostered(text),
            }
        }
    }

    pub(super) fn in_caption(&mut self, tag: &mut Tag<'a>) -> bool {
        match (tag.is_end, tag.name) {
            (true, Name::Caption | Name::Table) => {}
            (false, name) if is_part(name) => {}
            (true, name) if is_part(name) || matches!(name, Name::Body | Name::Html) => return false,
            _ => return self.in_body(tag),
        }
        if !self.has_in_table(Name::Caption) {
            return false;
        }
        self.pop_implied(Name::Other);
        self.pop_through(Name::Caption);
        self.clear_to_marker();
        self.mode = Mode::Table;
        !(tag.is_end && tag.name == Name::Caption)
    }

    pub(super) fn in_column_group(&mut self, tag: &mut Tag<'a>) -> bool {
        match (tag.is_end, tag.name) {
            (false, Name::Html) => return self.in_body(tag),
            (false, Name::Col) => {
                self.insert_void(tag);
            }
            (true, Name::Col) => {}
            (_, Name::Template) => return self.in_head(tag),
            _ if !self.is_current(Name::Colgroup) => {}
            (is_end, name) => {
                self.pop();
                self.mode = Mode::Table;
                return !(is_end && name == Name::Colgroup);
            }
        }
        false
    }

    pub(super) fn in_table_body(&mut self, tag: &mut Tag<'a>) -> bool {
        match (tag.is_end, tag.name) {
            (false, Name::Tr) => {
                self.pop_to(ROWS | ROOTS);
                self.insert(tag);
                self.mode = Mode::Row;
            }
            (false, Name::Td | Name::Th) => {
                self.pop_to(ROWS | ROOTS);
                self.insert_named(Name::Tr);
                self.mode = Mode::Row;
                return true;
            }
            (true, name @ (Name::Tbody | Name::Tfoot | Name::Thead)) => {
                if self.has_in_table(name) {
                    self.end_table_body();
                }
            }
            (true, Name::Table)
            | (false, Name::Caption | Name::Col | Name::Colgroup | Name::Tbody | Name::Tfoot | Name::Thead) => {
                let is_around = |name| matches!(name, Name::Table | Name::Tbody | Name::Tfoot);
                if self.has_in_scope(TABLES, |open| is_around(open.name)) {
                    self.end_table_body();
                    return true;
                }
            }
            (true, name) if is_part(name) || matches!(name, Name::Body | Name::Html) => {}
            _ => return self.in_table(tag),
        }
        false
    }

    fn pop_to_row(&mut self) {
        while self.open.len() > 1 && self.current().flags & ROOTS == 0 && !self.is_current(Name::Tr) {
            self.pop();
        }
    }

    fn end_table_body(&mut self) {
        self.pop_to(ROWS | ROOTS);
        self.pop();
        self.mode = Mode::Table;
    }

    pub(super) fn in_row(&mut self, tag: &mut Tag<'a>) -> bool {
        match (tag.is_end, tag.name) {
            (false, Name::Td | Name::Th) => {
                self.pop_to_row();
                self.insert(tag);
                self.mode = Mode::Cell;
                self.formatting.push(None);
                false
            }
            (true, Name::Tr) => {
                self.end_row();
                false
            }
            (true, Name::Table) => self.end_row(),
            (true, name @ (Name::Tbody | Name::Tfoot | Name::Thead)) => self.has_in_table(name) && self.end_row(),
            (false, name) if is_part(name) => self.end_row(),
            (true, name) if is_part(name) || matches!(name, Name::Body | Name::Html) => false,
            _ => self.in_table(tag),
        }
    }

    /// Closes the row; false where there is none.
    fn end_row(&mut self) -> bool {
        let has_row = self.has_in_table(Name::Tr);
        if has_row {
            self.pop_to_row();
            self.pop();
            self.mode = Mode::TableBody;
        }
        has_row
    }

    pub(super) fn in_cell(&mut self, tag: &mut Tag<'a>) -> bool {
        match (tag.is_end, tag.name) {
            (true, name @ (Name::Td | Name::Th)) => {
                if self.has_in_table(name) {
                    self.pop_implied(Name::Other);
                    self.pop_through(name);
                    self.clear_to_marker();
                    self.mode = Mode::Row;
                }
                false
            }
            (false, name) if is_part(name) => self.has_flagged(TABLES, CELL) && self.end_cell(),
            (true, Name::Body | Name::Caption | Name::Col | Name::Colgroup | Name::Html) => false,
            (true, name) if is_part(name) || name == Name::Table => self.has_in_table(name) && self.end_cell(),
            _ => self.in_body(tag),
        }
    }

    fn end_cell(&mut self) -> bool {
        self.pop_implied(Name::Other);
        self.pop_through_flagged(CELL);
        self.clear_to_marker();
        self.mode = Mode::Row;
        true
    }
}

/// Whether this is an element that stands only in tables.
fn is_part(name: Name) -> bool {
    use Name::{Caption, Col, Colgroup, Tbody, Td, Tfoot, Th, Thead, Tr};
    matches!(name, Caption | Col | Colgroup | Tbody | Td | Tfoot | Th | Thead | Tr)
}

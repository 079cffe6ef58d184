//! The inline content of rows.

use super::builder::{Builder, StatedMarks, Text, Written};
use super::inline_line::InlineLine;
use super::nodes::is_textblock;
use super::{Link, Row, shown};
use crate::atoms::{Atoms, has_signs};
use crate::attributes::{self, Known};
use crate::moved_text::{self, Carried, NewText};
use crate::objects::Objects;
use crate::unsaid::IN_MARKDOWN;
use crate::{
    as_shown, content, formulas, guard, line_html, markdown, retext, runs, same_text, segments, typography, wrapping,
};
use copydesk_document::{Mark, Node, NodeRole, Schema};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::rc::Rc;

/// A letter that no text has.
const LETTER: char = '\u{17EF0}';

impl Builder<'_> {
    /// Gives the rows with a text of the content their inline content: words that stay or moved keep their marks.
    pub(super) fn fill(&mut self) {
        let texts: Vec<Text> =
            std::mem::take(&mut self.texts).into_iter().map(|text| self.with_old_signs(text)).collect();
        let schema = self.schema;
        let place: FxHashMap<usize, usize> = self.named.iter().enumerate().map(|(at, row)| (*row, at)).collect();
        let owned: FxHashSet<usize> = texts.iter().filter_map(|text| text.own).collect();
        let kept: FxHashSet<usize> = self.out.iter().filter_map(|row| row.from).collect();
        let old: Vec<(&[Node], bool)> = self
            .named
            .iter()
            .map(|at| (&self.old_rows[*at].inline[..], !owned.contains(at) && !kept.contains(at)))
            .chain(self.beside.iter().map(|inline| (&inline[..], false)))
            .collect();
        let new = texts.iter().map(|text| NewText {
            own: text.own.and_then(|own| place.get(&own).copied()),
            text: text.written.text.clone(),
        });
        let carried = moved_text::carried(schema, &old, new.collect(), self.whole);
        for (Text { at, own, written, .. }, Carried { moved, chunks }) in texts.into_iter().zip(carried) {
            let before = own.map_or(&[][..], |own| &self.old_rows[own].inline);
            let states_marks = written.marked.iter().flatten().any(|node| !node.marks().is_empty());
            let base = moved.clone().unwrap_or_else(|| match chunks {
                Some(chunks) => retext::inline_along(schema, before, &written.text, chunks),
                None => retext::inline(schema, before, &written.text),
            });
            let marked = written.marked.map(|marked| same_text::with_attributes(schema, marked, &base));
            self.out[at].inline = match marked {
                Some(marked) if written.states == StatedMarks::All => same_text::with_hidden(schema, marked, &base),
                Some(marked) if states_marks => {
                    let kept = moved.unwrap_or_else(|| retext::kept(schema, before, &written.text));
                    let kept = match written.states {
                        StatedMarks::OfMarkdown => without_marks_of_markdown(schema, kept),
                        _ => stated_marks(schema, kept, &marked),
                    };
                    let unstated = unstated_marks(schema, &base, &marked);
                    same_text::with_marks(schema, same_text::with_marks(schema, kept, &unstated), &marked)
                }
                Some(marked) => same_text::with_marks(schema, base, &marked),
                None => base,
            };
        }
    }

    /// Returns a text of the content with the quotes, dashes and spaces that its old row has.
    fn with_old_signs(&self, mut text: Text) -> Text {
        let old =
            text.own.filter(|_| !self.is_text).map(|own| runs::flat_text(self.schema, &self.old_rows[own].inline));
        let retyped = old.and_then(|old| typography::retyped(&text.written.text, &old, text.changes_words));
        if let Some(retyped) = retyped {
            let marked = text.written.marked.map(|marked| retext::inline(self.schema, &marked, &retyped));
            text.written = Written { text: retyped, marked, ..text.written };
        }
        text
    }

    /// Returns the inline leaves of the rows that are named, and of the lines beside them.
    fn atoms(&mut self) -> Rc<Atoms> {
        let named = self.named.iter().map(|at| &self.old_rows[*at].inline[..]);
        let named = named.chain(self.beside.iter().map(Vec::as_slice));
        self.atoms.get_or_insert_with(|| Rc::new(Atoms::of(self.schema, named))).clone()
    }

    /// Adds a row with a text of the content. A text that is a leaf or several lines adds these.
    pub(super) fn text(&mut self, row: Row, text: &str) -> Option<()> {
        let schema = self.schema;
        if let Some(at) = self.contents.iter().position(|line| runs::flat_text(schema, &line.nodes) == text) {
            let InlineLine { nodes, keeps_marks } = self.contents.remove(at);
            if keeps_marks {
                let marked = nodes.iter().any(|node| !node.is_text() || !node.marks().is_empty()).then_some(nodes);
                return self.push_text(row, Written { text: text.to_owned(), marked, states: StatedMarks::Own });
            }
            self.push(Row { inline: nodes, ..row });
            return Some(());
        }
        let unescaped = row.from.and_then(|from| self.without_escapes(text, from));
        let text = unescaped.as_deref().unwrap_or(text);
        let old = row.from.map_or(&[][..], |from| &self.old_rows[from].inline);
        let old_text = runs::flat_text(schema, old);
        if row.from.is_some() && old_text == text {
            let inline = old.to_vec();
            self.push(Row { inline, ..row });
            return Some(());
        }
        // Signs in plain text are text.
        if self.is_text || self.host.is_none() {
            return self.push_text(row, Written { text: text.to_owned(), marked: None, states: StatedMarks::Own });
        }
        let old = old.to_vec();
        let is_bold = has_bold(schema, &old);
        let atoms = self.atoms();
        let (mut shield, shielded) = atoms.shielded(&[text]);
        let own = row.from.as_slice();
        let own = if own.is_empty() { &self.named[..] } else { own };
        // The signs of formulas and other leaves do not belong to the words beside them. A text without signs does not
        // need this.
        let old_texts: Vec<Cow<'_, str>> = match has_signs(&shielded[0]) || shielded[0].contains(['&', '<']) {
            true => atoms.shielded(&own.iter().map(|at| &*self.old[*at].text).collect::<Vec<_>>()).1,
            false => Vec::new(),
        };
        let (shielded, has_phrases) = match (row.from, &old_texts[..]) {
            (Some(_), [old_text]) => {
                let text = shield.tags(&shielded[0], old_text);
                let (mut text, old_text, phrases) = shield.phrases(schema, &old, &text, old_text);
                if !self.is_markdown {
                    text = shield.signs(&text, &old_text);
                }
                let text = shield.words(&text, std::iter::once(&*old_text));
                let written = phrases.iter().fold(text, |text, (letter, phrase)| text.replace(*letter, phrase));
                (written, !phrases.is_empty())
            }
            _ => (shield.words(&shielded[0], old_texts.iter().map(|text| &**text)), false),
        };
        let is_formula = || schema.find_role(NodeRole::InlineMath).is_some() && formulas::has_inline(&shielded);
        let texts = || self.named.iter().map(|at| self.old[*at].text.as_str());
        let bare = content::without_tags(&content::without_code_elements(&shielded));
        // A sign of Markdown beside a tag is beside no word.
        let has_tags = content::has_tag(&shielded);
        let is_shown = || old_texts.iter().any(|old| as_shown::repeats_reference(&shielded, old));
        let has_entities = wrapping::has_entity(&shielded)
            && (self.has_references && !texts().any(wrapping::has_entity) || is_shown());
        let apart = || content::without_tags(&content::without_code_elements(&shielded).replace('<', " <"));
        let is_marked = self.is_markdown && bare.contains(['\\', '*', '_', '~', '[', '&', '<'])
            || has_phrases
            || markdown::has_inline_mark(&bare)
            || has_tags && markdown::has_inline_mark(&apart())
            || markdown::has_small_mark(&bare, texts())
            || markdown::has_underscored(&bare, texts()) && is_bold
            || bare.contains('`')
            || markdown::has_escape(&bare) && !old_texts.iter().any(|text| text.contains('\\'))
            || is_formula();
        let host = self.host.filter(|host| {
            let is_read = host.markdown().is_some() || self.is_markdown;
            !self.is_text && (is_marked && is_read || (has_tags || has_entities) && !is_marked)
        });
        let Some(host) = host else {
            return self.push_text(row, Written { text: text.to_owned(), marked: None, states: StatedMarks::Own });
        };
        let is_html = (has_tags || has_entities) && !is_marked;
        // Tags alone state all marks of a line. Small letters are written as tags in Markdown as well.
        let states = match is_html && has_tags && !self.writes_markdown {
            true if content::start_tags(&shielded).all(|tag| matches!(tag, "sub" | "sup")) => StatedMarks::OfMarkdown,
            true => StatedMarks::All,
            false => StatedMarks::Own,
        };
        self.states |= !is_html;
        let html = match is_html {
            true => {
                Ok(format!("<p>{}</p>", line_html::with_kept_spaces(&content::with_text_signs(&shielded), &old_text)))
            }
            // A text that begins like a block is parsed behind a letter, so that it stays text.
            false if shown::begins(&shielded) => {
                markdown::to_html(host, &format!("{LETTER}{}", shielded)).map(|html| html.replacen(LETTER, "", 1))
            }
            false => markdown::to_html(host, &line_html::with_kept_spaces(&shielded, &old_text)),
        };
        let html = html.map(|html| shield.html(html));
        let checked = html.and_then(|html| guard::check_html(&[&html], self.document).map(|()| html));
        let html = checked.map_err(|error| self.error = Some(error)).ok()?;
        let parsed = host.parse(&line_html::in_textblock(self.document, &html), 0).ok()?;
        let [block] = <[Node; 1]>::try_from(parsed).ok()?;
        let block = line_html::with_spaces(block);
        if block.is_leaf() && !is_textblock(schema, &block) {
            let mut row = row;
            let own = row.path.last_mut()?;
            let old = own.node.clone();
            // An image may come from anywhere.
            let known = Known::of([&old]).with_leaves_of(self.document.blocks());
            let made = attributes::keep_known(schema, &[old], &known, vec![block], &html).pop()?;
            *own = self.ids.link(made);
            self.push(row);
            return Some(());
        }
        if !is_textblock(schema, &block) {
            return None;
        }
        let known = self.known.get_or_insert_with(|| Rc::new(Known::of(self.document.blocks()))).clone();
        let mut first = Some(row.from);
        for segment in segments::split(schema, &block) {
            let from = first.take().flatten();
            let opened_by = if from.is_some() { row.opened_by.clone() } else { segment.opened_by };
            let row = Row { path: row.path.clone(), opened_by, inline: Vec::new(), from };
            let inline = known.keep_inline(schema, segment.inline, &html);
            let inline = if is_html { atoms.restored(schema, inline) } else { inline };
            let old = from.map_or(&[][..], |from| &self.old_rows[from].inline);
            let inline = Objects::of(schema, old).named(schema, inline);
            let text = runs::flat_text(schema, &inline);
            self.push_text(row, Written { text, marked: Some(inline), states })?;
        }
        Some(())
    }

    /// Returns a text without the escapes of signs that make a mark: the old row has such a mark, and no such sign in
    /// its text.
    fn without_escapes(&self, text: &str, from: usize) -> Option<String> {
        const SIGNS: [(&str, char, &str); 4] =
            [("bold", '*', "\\*\\*"), ("italic", '*', "\\*"), ("italic", '_', "\\_"), ("code", '`', "\\`")];
        if self.is_text || !text.contains('\\') {
            return None;
        }
        let marks = || self.old_rows[from].inline.iter().flat_map(Node::marks);
        let has = |name: &str| marks().any(|mark| self.schema.mark(mark.kind).is_some_and(|kind| kind.name == name));
        let is_sign = |(mark, sign, escaped): &(&str, char, &str)| {
            has(mark) && !self.old[from].text.contains(*sign) && text.matches(escaped).count() > 1
        };
        let found: Vec<char> = SIGNS.iter().filter(|sign| is_sign(sign)).map(|(_, sign, _)| *sign).collect();
        let bare =
            found.iter().fold(text.to_owned(), |text, sign| text.replace(&format!("\\{sign}"), &sign.to_string()));
        (!found.is_empty()).then_some(bare)
    }

    pub(super) fn push_text(&mut self, row: Row, written: Written) -> Option<()> {
        self.texts.push(Text { at: self.out.len(), own: row.from, written, changes_words: self.changes_words });
        self.push(row);
        Some(())
    }

    /// Adds a line of code.
    pub(super) fn code_line(&mut self, path: Vec<Link>, from: Option<usize>, text: &str) -> Option<()> {
        let old = from.map(|from| self.old_rows[from].clone());
        let opened_by = old.as_ref().and_then(|old| old.opened_by.clone());
        let inline = retext::inline(self.schema, &old.map(|old| old.inline).unwrap_or_default(), text);
        self.push(Row { path, opened_by, inline, from });
        Some(())
    }
}

/// Returns whether inline content has bold text: a name in code is not bold, so `__word__` is.
fn has_bold(schema: &Schema, content: &[Node]) -> bool {
    let is_bold = |mark: &Mark| schema.mark(mark.kind).is_some_and(|kind| kind.name == "bold");
    content.iter().any(|node| node.marks().iter().any(is_bold))
}

/// Returns inline content with those of its marks that Markdown cannot state, if `marked`, content with the same text,
/// states none or only marks that are there: other marks replace them. Content that states a kind of mark states all of
/// that kind.
fn unstated_marks(schema: &Schema, content: &[Node], marked: &[Node]) -> Vec<Node> {
    let is_stated = |mark: &Mark| marked.iter().flat_map(Node::marks).any(|stated| stated.kind == mark.kind);
    let is_markdown = |mark: &Mark| schema.mark(mark.kind).is_some_and(|kind| IN_MARKDOWN.contains(&&*kind.name));
    let is_unstated = |mark: &&Mark| !is_markdown(mark) && !is_stated(mark);
    let mut at = 0;
    let within = |stated: &Node| {
        let from = at;
        at += runs::flat_text(schema, std::slice::from_ref(stated)).len();
        let unstated = |node: Node| {
            let is_there = stated.marks().iter().all(|mark| node.marks().contains(mark));
            let marks: Vec<Mark> = node.marks().iter().filter(|_| is_there).filter(is_unstated).cloned().collect();
            node.with_marks(marks.into())
        };
        runs::cut(schema, content, from..at).into_iter().map(unstated).collect::<Vec<_>>()
    };
    marked.iter().flat_map(within).collect()
}

/// Returns inline content without the marks that Markdown states of phrases for which `marked` content with the same
/// text states others, and without all of them if that repeats one: who repeats one has left the others out. A link
/// stays.
fn stated_marks(schema: &Schema, content: Vec<Node>, marked: &[Node]) -> Vec<Node> {
    let is_stated = |mark: &&Mark| is_of_markdown(schema, mark);
    let end = runs::flat_text(schema, &content).len();
    let (mut at, mut repeats, mut kept) = (0, false, Vec::new());
    for stated in marked {
        let from = at;
        at += runs::flat_text(schema, std::slice::from_ref(stated)).len();
        let there = runs::cut(schema, &content, from..at);
        let states = || stated.marks().iter().filter(is_stated);
        let has = |mark: &Mark| there.iter().all(|node| node.marks().contains(mark));
        repeats |= !there.is_empty() && states().any(has);
        // A mark that continues beside the range belongs to a longer phrase.
        let (before, behind) = (runs::cut(schema, &content, 0..from), runs::cut(schema, &content, at..end));
        let beside = [before.last(), behind.first()];
        let goes_on = |mark: &Mark| beside.iter().flatten().any(|node| node.marks().contains(mark));
        let is_replaced = states().next().is_some();
        let keeps = |mark: &Mark| !is_replaced || !is_stated(&mark) || goes_on(mark);
        kept.extend(there.into_iter().map(|node| with_marks_that(node, keeps)));
    }
    if !repeats {
        return kept;
    }
    without_marks_of_markdown(schema, content)
}

/// Returns inline content without the marks that Markdown has signs for, but for links.
fn without_marks_of_markdown(schema: &Schema, content: Vec<Node>) -> Vec<Node> {
    content.into_iter().map(|node| with_marks_that(node, |mark| !is_of_markdown(schema, mark))).collect()
}

/// Returns whether Markdown has a sign for a mark and the mark is not a link.
fn is_of_markdown(schema: &Schema, mark: &Mark) -> bool {
    schema.mark(mark.kind).is_some_and(|kind| IN_MARKDOWN.contains(&&*kind.name) && kind.name != "link")
}

fn with_marks_that(node: Node, stay: impl Fn(&Mark) -> bool) -> Node {
    let marks: Vec<Mark> = node.marks().iter().filter(|mark| stay(mark)).cloned().collect();
    node.with_marks(marks.into())
}

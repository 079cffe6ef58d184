//! Inline leaves that are not text (mentions, formulas, inline images) in content that names them by their [text
//! form](copydesk_document::text_form).
//!
//! The forms of the leaves of some lines are searched for in the content that replaces these lines, and nowhere else:
//! text that merely looks like a form stays text. Forms refer to the leaves that have them, in document order; a form
//! that occurs more often than there are leaves adds copies of such a leaf. A leaf whose form is not written is
//! removed.

use super::dictionary::Dictionary;
use super::inlines::Inlines;
use super::markdown_phrases::{self, MarkdownPhrase};
use super::objects::{self, Objects};
use super::operation::LineEdit;
use super::word_diff::diff_words;
use copydesk_document::align::Relation;
use copydesk_document::{Document, Line, Node, OBJECT, Schema, join_texts, text_form, words};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

/// The first of the characters that represent forms while content is parsed: letters of Tangut, which parsers read as
/// words and which hardly occur in texts.
const FIRST_SIGN: u32 = 0x1_7000;
/// Number of these characters.
const MOST_SIGNS: usize = 0x17F8;

/// The signs of Markdown that make marks and links.
const SIGNS: [char; 7] = ['*', '_', '~', '`', '\\', '[', ']'];

/// Returns whether a character can represent a form.
fn is_sign(c: char) -> bool {
    u32::from(c).checked_sub(FIRST_SIGN).is_some_and(|at| (at as usize) < MOST_SIGNS)
}

/// Returns whether a character is one of a word in a script with spaces between words.
fn is_word(c: char) -> bool {
    words::is_one_word("a", c.encode_utf8(&mut [0; 4]))
}

/// Returns whether a text has a sign of a mark or of an escape.
pub fn has_signs(text: &str) -> bool {
    text.contains(SIGNS)
}

/// Returns the words of a text that have signs, without the punctuation around them.
fn signed_words(text: &str) -> impl Iterator<Item = &str> {
    let is_around = |c: char| c.is_ascii_punctuation() && !SIGNS.contains(&c);
    // A tag is not part of a word.
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '<' | '>'));
    words.map(move |word| word.trim_matches(is_around)).filter(|word| has_signs(word))
}

/// Returns the tags and comments of a text, in bytes.
fn tags(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut done = 0;
    text.match_indices('<').filter_map(move |(start, _)| {
        let rest = &text[start + 1..];
        let end = match rest.strip_prefix("!--") {
            Some(comment) => "!--".len() + comment.find("-->")? + "-->".len(),
            None if rest.trim_start_matches('/').starts_with(|c: char| c.is_ascii_alphabetic()) => rest.find('>')? + 1,
            None => return None,
        };
        let tag = start..start + 1 + end;
        (start >= done).then(|| {
            done = tag.end;
            tag
        })
    })
}

/// Cuts a text into words, with equal signs of Markdown side by side as one.
fn sign_runs(text: &str) -> Vec<&str> {
    let mut runs: Vec<&str> = Vec::new();
    let mut start = 0;
    for word in words::split(text) {
        let end = start + word.len();
        match runs.last_mut().filter(|last| word.starts_with(SIGNS) && last.ends_with(word)) {
            Some(last) => *last = &text[end - word.len() - last.len()..end],
            None => runs.push(&text[start..end]),
        }
        start = end;
    }
    runs
}

/// The inline leaves of some lines, by their text form.
#[derive(Default)]
pub struct Atoms {
    by_form: FxHashMap<String, Form>,
    /// The inline nodes with content.
    objects: Vec<Node>,
}

/// Returns the inline contents of lines, or nothing if none of them has leaves. `all` has every line of the blocks that
/// they are in.
pub fn contents(document: &Document, all: &[Line], lines: &[Line]) -> Vec<Vec<Node>> {
    let (Some(first), true) =
        (lines.first(), lines.iter().any(|line| !line.atoms.is_empty() || line.text.contains(OBJECT)))
    else {
        return Vec::new();
    };
    let start = all.partition_point(|line| line.line < first.line);
    let mut inlines = Inlines::new(document, all);
    (start..start + lines.len()).map(|at| inlines.of(at).to_vec()).collect()
}

/// The leaves that have a form.
#[derive(Default)]
struct Form {
    /// In the order of the text: each leaf, or `None` for text that reads like a form.
    places: Vec<Option<Node>>,
    /// True if a letter is right before or right after one of the leaves: then a letter may be there in content as well.
    is_glued: [bool; 2],
}

impl Atoms {
    /// Collects the leaves of the inline content of lines, or of whole blocks.
    pub fn of<'n>(schema: &Schema, contents: impl IntoIterator<Item = &'n [Node]> + Clone) -> Atoms {
        let mut atoms = Atoms::default();
        let has_objects = schema.node_types().iter().any(|kind| kind.inline && !kind.content.is_empty());
        for content in contents.clone() {
            atoms.collect(schema, content);
            if has_objects {
                objects::collect(schema, content, &mut atoms.objects);
            }
        }
        if !atoms.is_empty() {
            let mut places: Vec<(String, Option<Node>)> = Vec::new();
            {
                let finder = atoms.finder();
                contents.into_iter().for_each(|content| finder.places(schema, content, &mut places));
            }
            for (form, place) in places {
                atoms.by_form.entry(form).or_default().places.push(place);
            }
        }
        atoms
    }

    /// Collects the leaves of lines, and behind them those of other inline contents. `all` has every line of the blocks
    /// that the lines are in.
    pub fn of_lines(document: &Document, all: &[Line], lines: &[Line], beside: &[Vec<Node>]) -> Atoms {
        let contents = contents(document, all, lines);
        Atoms::of(document.schema(), contents.iter().chain(beside).map(Vec::as_slice))
    }

    /// Collects the leaves of a document.
    pub fn of_document(document: &Document) -> Atoms {
        Atoms::of(document.schema(), [document.blocks()])
    }

    fn collect(&mut self, schema: &Schema, nodes: &[Node]) {
        for (at, node) in nodes.iter().enumerate() {
            if !node.is_atom() {
                if node.has_atoms() {
                    self.collect(schema, node.children());
                }
                continue;
            }
            let form = self.by_form.entry(text_form(schema, node)).or_default();
            let before = at.checked_sub(1).and_then(|at| nodes[at].text()).and_then(|text| text.chars().next_back());
            let after = nodes.get(at + 1).and_then(Node::text).and_then(|text| text.chars().next());
            form.is_glued[0] |= before.is_some_and(is_word);
            form.is_glued[1] |= after.is_some_and(is_word);
        }
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_form.is_empty()
    }

    /// Returns one of the leaves with a form.
    pub fn any(&self, form: &str) -> Option<&Node> {
        self.by_form.get(form)?.places.iter().flatten().next()
    }

    /// Prepares a search for the forms.
    pub fn finder(&self) -> Finder<'_> {
        let dictionary = Dictionary::of(self.by_form.keys().map(String::as_str));
        let first = self.by_form.keys().filter_map(|form| form.chars().next()).collect();
        Finder { atoms: self, dictionary, first }
    }

    /// Returns content in which each form is the leaf that it means. Leaves that the content has already, as elements,
    /// are the first of their form.
    pub fn restored(&self, schema: &Schema, nodes: Vec<Node>) -> Vec<Node> {
        let nodes = Objects::of(schema, &self.objects).named(schema, nodes);
        if self.is_empty() {
            return nodes;
        }
        let finder = self.finder();
        let queues = self.by_form.iter().map(|(form, it)| (form.as_str(), it.places.iter().collect())).collect();
        Restorer { schema, finder, queues }.all(None, nodes)
    }

    /// Returns texts in which a single letter represents each form, so that parsers read it as a word, and the shield
    /// that restores the forms. Texts that contain such letters themselves are not changed.
    pub fn shielded<'t>(&self, texts: &[&'t str]) -> (Shield, Vec<Cow<'t, str>>) {
        let unchanged = || texts.iter().map(|text| Cow::Borrowed(*text)).collect();
        if self.is_empty() || self.by_form.len() > MOST_SIGNS || texts.iter().any(|text| text.contains(is_sign)) {
            return (Shield::default(), unchanged());
        }
        let finder = self.finder();
        let (mut shield, mut signs) = (Shield::default(), FxHashMap::<&str, char>::default());
        let mut out = Vec::with_capacity(texts.len());
        for text in texts {
            let found = finder.find(text);
            if found.is_empty() {
                out.push(Cow::Borrowed(*text));
                continue;
            }
            let (mut new, mut done) = (String::with_capacity(text.len()), 0);
            for range in found {
                new.push_str(&text[done..range.start]);
                let form = &text[range.clone()];
                let sign = signs.entry(form).or_insert_with(|| shield.letter(form));
                new.push(*sign);
                done = range.end;
            }
            new.push_str(&text[done..]);
            out.push(Cow::Owned(new));
        }
        (shield, out)
    }
}

/// An edit of lines, and these lines, with single letters in place of forms.
pub struct ShieldedEdit<'l> {
    /// The lines.
    pub lines: Cow<'l, [Line]>,
    /// The edit.
    pub edit: LineEdit,
    /// Puts the forms back.
    pub shield: Shield,
}

impl Atoms {
    /// Returns an edit of lines, and the lines, with single letters for the forms.
    pub fn shielded_edit<'l>(&self, lines: &'l [Line], edit: &LineEdit) -> ShieldedEdit<'l> {
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).chain([edit.content.as_str()]).collect();
        let (shield, mut texts) = self.shielded(&texts);
        if shield.forms.is_empty() {
            return ShieldedEdit { lines: Cow::Borrowed(lines), edit: edit.clone(), shield };
        }
        let content = texts.pop().unwrap_or_default().into_owned();
        let lines = lines.iter().zip(texts).map(|(line, text)| Line { text: text.into_owned(), ..line.clone() });
        ShieldedEdit { lines: lines.collect(), edit: LineEdit { content, ..edit.clone() }, shield }
    }
}

/// The forms that single letters represent.
#[derive(Default)]
pub struct Shield {
    forms: Vec<String>,
}

impl Shield {
    /// Returns a text with a single letter in place of each word that is one of the `known` texts of the document: the
    /// signs in such a word are not Markdown.
    pub fn words<'t>(&mut self, text: &str, known: impl Iterator<Item = &'t str>) -> String {
        let is_other = |c: char| is_sign(c) && u32::from(c) >= FIRST_SIGN + self.forms.len() as u32;
        if !has_signs(text) || text.contains(is_other) {
            return text.to_owned();
        }
        let known: FxHashSet<&str> = known.flat_map(signed_words).collect();
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for word in signed_words(text).filter(|word| known.contains(word)) {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            out.push_str(&text[done..start]);
            out.push(self.letter(word));
            done = start + word.len();
        }
        out + &text[done..]
    }

    /// Returns a text with a single letter in place of each sign of Markdown that is unchanged from an `old` text, in which
    /// it is text.
    pub fn signs(&mut self, text: &str, old: &str) -> String {
        let is_other = |c: char| is_sign(c) && u32::from(c) >= FIRST_SIGN + self.forms.len() as u32;
        if !has_signs(text) || !has_signs(old) || text.contains(is_other) {
            return text.to_owned();
        }
        let (old, new) = (sign_runs(old), sign_runs(text));
        let mut letters: FxHashMap<&str, char> = FxHashMap::default();
        let (mut out, mut is_escaped) = (String::with_capacity(text.len()), false);
        for chunk in diff_words(&old, &new, |_| false) {
            let is_unchanged = chunk.relation == Relation::Equal;
            for word in &new[chunk.new] {
                match is_unchanged && !is_escaped && word.starts_with(SIGNS) {
                    true => out.push(*letters.entry(word).or_insert_with(|| self.letter(word))),
                    false => out.push_str(word),
                }
                // A sign that is escaped is written in Markdown.
                is_escaped = !is_unchanged && word.ends_with('\\');
            }
        }
        out
    }

    /// Returns a text with a single letter in place of each tag and comment that the `old` text has as text.
    pub fn tags(&mut self, text: &str, old: &str) -> String {
        if !text.contains('<') || !old.contains('<') {
            return text.to_owned();
        }
        let mut left: FxHashMap<&str, usize> = FxHashMap::default();
        tags(old).for_each(|tag| *left.entry(&old[tag]).or_default() += 1);
        let (mut out, mut done) = (String::with_capacity(text.len()), 0);
        // An escape is written in Markdown.
        for tag in tags(text).filter(|tag| !text[..tag.start].ends_with('\\')) {
            let Some(count) = left.get_mut(&text[tag.clone()]).filter(|count| **count > 0) else { continue };
            *count -= 1;
            out.push_str(&text[done..tag.start]);
            out.push(self.letter(&text[tag.clone()]));
            done = tag.end;
        }
        out + &text[done..]
    }

    /// Returns a text, and the `old` one, with a single letter in place of each phrase of `line` that the text writes in
    /// Markdown, and what each letter stands for: the phrase in its signs.
    pub fn phrases(
        &mut self,
        schema: &Schema,
        line: &[Node],
        text: &str,
        old: &str,
    ) -> (String, String, Vec<(char, String)>) {
        let (mut out, mut old, mut done) = (String::with_capacity(text.len()), old.to_owned(), 0);
        let mut phrases = Vec::new();
        let mut letters: FxHashMap<&str, char> = FxHashMap::default();
        for MarkdownPhrase { whole, inner, is_reference } in markdown_phrases::find(schema, line, text) {
            out.push_str(&text[done..whole.start]);
            done = whole.end;
            if let Some(letter) = letters.get(&text[whole.clone()]) {
                out.push(*letter);
                continue;
            }
            let phrase = &text[inner.clone()];
            // Signs in it are text.
            let shown = if has_signs(phrase) { self.letter(phrase).to_string() } else { phrase.to_owned() };
            let letter = self.letter(&text[whole.clone()]);
            out.push(letter);
            letters.insert(&text[whole.clone()], letter);
            let signed = [&text[whole.start..inner.start], &shown, &text[inner.end..whole.end]].concat();
            phrases.push((letter, if is_reference { shown } else { signed }));
            if old.matches(phrase).count() == 1 {
                old = old.replace(phrase, letter.encode_utf8(&mut [0; 4]));
            }
        }
        (out + &text[done..], old, phrases)
    }

    /// Returns the letter that represents a new form.
    fn letter(&mut self, form: &str) -> char {
        self.forms.push(form.to_owned());
        char::from_u32(FIRST_SIGN + self.forms.len() as u32 - 1).unwrap_or(copydesk_document::OBJECT)
    }

    /// Puts the forms back into text.
    pub fn text(&self, text: String) -> String {
        self.put_back(text, |form| form.to_owned())
    }

    /// Puts the forms back into HTML.
    pub fn html(&self, html: String) -> String {
        self.put_back(html, super::content::escape)
    }

    fn put_back(&self, text: String, written: impl Fn(&str) -> String) -> String {
        let form = |c: char| u32::from(c).checked_sub(FIRST_SIGN).and_then(|at| self.forms.get(at as usize));
        if self.forms.is_empty() || !text.contains(|c| form(c).is_some()) {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            match form(c) {
                Some(form) => out.push_str(&written(form)),
                None => out.push(c),
            }
        }
        out
    }
}

/// Finds text forms.
pub struct Finder<'a> {
    atoms: &'a Atoms,
    dictionary: Dictionary<'a>,
    first: FxHashSet<char>,
}

impl<'a> Finder<'a> {
    /// Returns the ranges of forms in a text, in bytes, from left to right, the longest at each place. A form is not
    /// part of a word or an address: `me@Ann` and `@Anna` do not contain `@Ann`, unless the leaf was beside these
    /// letters before.
    pub fn find(&self, text: &str) -> Vec<Range<usize>> {
        let (mut found, mut end) = (Vec::new(), 0);
        if self.first.is_empty() {
            return found;
        }
        let mut before = None;
        for (at, c) in text.char_indices() {
            if at >= end
                && self.first.contains(&c)
                && let Some(form) =
                    self.dictionary.prefixes_of(&text[at..]).find(|form| self.fits(form, before, text, at))
            {
                end = at + form.len();
                found.push(at..end);
            }
            before = Some(c);
        }
        found
    }

    fn fits(&self, form: &str, before: Option<char>, text: &str, at: usize) -> bool {
        let Some(known) = self.atoms.by_form.get(form) else { return false };
        let after = text[at + form.len()..].chars().next();
        let is_letter = |c: Option<char>| c.is_some_and(is_word);
        let (first, last) = (form.chars().next(), form.chars().next_back());
        let begins_word = is_letter(first) || first == Some('@');
        let [is_glued_before, is_glued_after] = known.is_glued;
        (is_glued_before || !begins_word || !is_letter(before))
            && (is_glued_after || !is_letter(last) || !is_letter(after))
    }

    /// Appends the forms in content in the order of its text, each with its leaf, or with `None` if it is text.
    fn places(&self, schema: &Schema, nodes: &[Node], out: &mut Vec<(String, Option<Node>)>) {
        for node in nodes {
            match node.text() {
                Some(text) => out.extend(self.find(text).into_iter().map(|range| (text[range].to_owned(), None))),
                None if node.is_atom() => out.push((text_form(schema, node), Some(node.clone()))),
                None => self.places(schema, node.children(), out),
            }
        }
    }
}

struct Restorer<'a> {
    schema: &'a Schema,
    finder: Finder<'a>,
    queues: FxHashMap<&'a str, VecDeque<&'a Option<Node>>>,
}

impl Restorer<'_> {
    /// `parent` is the node that holds the nodes.
    fn all(&mut self, parent: Option<&Node>, nodes: Vec<Node>) -> Vec<Node> {
        let is_code = parent.is_some_and(|parent| self.schema.node_type(parent.kind()).code);
        let mut out = Vec::with_capacity(nodes.len());
        for node in nodes {
            match node.text() {
                Some(text) if !is_code => self.text(parent, &node, text, &mut out),
                Some(_) => out.push(node),
                None if node.is_atom() => {
                    if let Some(queue) = self.queues.get_mut(text_form(self.schema, &node).as_str()) {
                        while queue.pop_front().is_some_and(Option::is_none) {}
                    }
                    out.push(node);
                }
                None => {
                    let children = self.all(Some(&node), node.children().to_vec());
                    out.push(if children == node.children() { node } else { node.with_children(children) });
                }
            }
        }
        join_texts(out)
    }

    fn text(&mut self, parent: Option<&Node>, node: &Node, text: &str, out: &mut Vec<Node>) {
        let mut done = 0;
        for range in self.finder.find(text) {
            let form = &text[range.clone()];
            let next = self.queues.get_mut(form).and_then(VecDeque::pop_front);
            let leaf = match next {
                Some(place) => place.as_ref(),
                None => self.finder.atoms.any(form),
            };
            let Some(leaf) = leaf.filter(|leaf| self.takes(parent, leaf)) else { continue };
            if done < range.start {
                out.push(node.with_text(&text[done..range.start]));
            }
            out.push(leaf.with_marks(node.mark_set().clone()));
            done = range.end;
        }
        match done {
            0 => out.push(node.clone()),
            done if done < text.len() => out.push(node.with_text(&text[done..])),
            _ => {}
        }
    }

    /// Returns whether a node takes a leaf among its children.
    fn takes(&self, parent: Option<&Node>, leaf: &Node) -> bool {
        let Some(parent) = parent else { return true };
        let kind = self.schema.node_type(parent.kind());
        self.schema.edges(kind.content_match).iter().any(|(child, _)| *child == leaf.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_test_support::random::Random;

    #[test]
    fn signs_that_stay_of_an_old_text_are_no_markdown() {
        let shielded = |text: &str, old: &str| Shield::default().signs(text, old);
        assert!(!has_signs(&shielded("Run new`code` now", "Run old`code` now")));
        assert!(!has_signs(&shielded("**new** and [x](/y)", "**old** and [x](/z)")));
        // Signs that are added are Markdown, also beside others.
        assert_eq!(shielded("2 **3** 4", "2 3 4"), "2 **3** 4");
        let mixed = shielded("2 * **3** = 6", "2 * 3 = 6");
        assert_eq!(mixed.matches("**").count(), 2);
        assert!(!mixed.contains(" * "));
    }

    #[test]
    fn a_shielded_text_comes_back() {
        const PIECES: [&str; 10] = ["a", "word", " ", "*", "**", "_", "`", "[", "](", "<b>"];
        let mut random = Random::new();
        for _ in 0..20_000 {
            let mut text = || (0..random.below(12)).map(|_| *random.pick(&PIECES)).collect::<String>();
            let (old, new) = (text(), text());
            let mut shield = Shield::default();
            let shielded = shield.signs(&new, &old);
            assert_eq!(shield.text(shielded), new, "beside {old:?}");
            assert!(!has_signs(&Shield::default().signs(&old, &old)), "{old:?}");
        }
    }
}

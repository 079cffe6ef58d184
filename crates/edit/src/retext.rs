//! Inline content with another text, which keeps as many of its marks as the new text has a place for.
//!
//! Text that stays keeps its marks, also a phrase with marks that has another place in the new text. Text that replaces
//! other text takes its marks, as typing over a selection does in ProseMirror. Text that is merely added has the marks
//! that both of its neighbours have, and at the ends of the text those that all of it had; but a link does not grow at
//! its edges.
//!
//! A leaf is kept if the new text has its text form, otherwise it is removed. Nodes with content keep their positions
//! if the new text has no boundaries of such nodes.

use super::atoms::Atoms;
use super::dictionary::Dictionary;
use super::donors::Donors;
use super::objects;
use super::phrases::{only_place, phrases};
use super::runs::{EDGE, InlineRuns};
use super::word_diff::diff_words;
use copydesk_document::align::{Chunk, Relation};
use copydesk_document::{Mark, Marks, Node, OBJECT, Schema, join_texts, text_form, words};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::ops::Range;

/// A textblock with `text` as its only line.
pub fn with_text(schema: &Schema, block: &Node, text: &str) -> Node {
    block.with_children(inline(schema, block.children(), text))
}

/// Inline content with another text.
pub fn inline(schema: &Schema, old: &[Node], text: &str) -> Vec<Node> {
    let atoms = Atoms::of(schema, [old]);
    Inline::new(schema, old, &atoms, text.contains(OBJECT)).with_text(text)
}

/// Inline content without leaves, with another text. `chunks` is how [`differences`] has aligned the two.
pub fn inline_along(schema: &Schema, old: &[Node], text: &str, chunks: Vec<Chunk>) -> Vec<Node> {
    let atoms = Atoms::default();
    Inline::new(schema, old, &atoms, text.contains(OBJECT)).along(Some(chunks), text, &[])
}

/// Returns inline content with another text, in which only the unchanged parts have marks.
pub fn kept(schema: &Schema, old: &[Node], text: &str) -> Vec<Node> {
    let atoms = Atoms::of(schema, [old]);
    let inline = Inline { inherits: false, ..Inline::new(schema, old, &atoms, text.contains(OBJECT)) };
    inline.with_text(text)
}

/// A range of a new text, in bytes, that comes from another line, with the nodes that it was there.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// The bytes of the new text.
    pub range: Range<usize>,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The bytes of the old text where they were, if they come from the same content.
    pub from: Option<Range<usize>>,
}

/// Returns inline content with another text, in which the ranges of `moved` are the nodes that they say. The ranges are
/// ascending, disjoint, and inside the ranges that [`differences`] returns for the new text and the same leaves.
pub fn inline_with(schema: &Schema, old: &[Node], text: &str, atoms: &Atoms, moved: &[Moved]) -> Vec<Node> {
    Inline::new(schema, old, atoms, text.contains(OBJECT)).with_moved(text, moved)
}

/// The differences of two texts of a line.
pub struct Differences {
    /// The bytes of the old text that are not in the new one.
    pub gone: Vec<Range<usize>>,
    /// The bytes of the new text that are not in the old one.
    pub added: Vec<Range<usize>>,
    /// The alignment that they are taken from.
    pub chunks: Vec<Chunk>,
}

/// Returns the differences between the text of a line and another one. Differences with only spaces and signs between
/// them are one. The form of one of the leaves of `atoms` is one word.
pub fn differences(schema: &Schema, old: &[Node], text: &str, atoms: &Atoms) -> Differences {
    let inline = Inline::new(schema, old, atoms, text.contains(OBJECT));
    let (mut gone, mut added): (Vec<Range<usize>>, Vec<Range<usize>>) = Default::default();
    let mut goes_on = false;
    let chunks = inline.chunks(text);
    for Chunk { relation, old, new } in chunks.iter().cloned() {
        if relation == Relation::Equal {
            goes_on &= !text[new].contains(|c: char| c.is_alphanumeric() || c == OBJECT);
            continue;
        }
        match (goes_on, gone.last_mut(), added.last_mut()) {
            (true, Some(last_gone), Some(last_added)) => (last_gone.end, last_added.end) = (old.end, new.end),
            _ => {
                gone.push(old);
                added.push(new);
            }
        }
        goes_on = true;
    }
    gone.retain(|range| !range.is_empty());
    added.retain(|range| !range.is_empty());
    Differences { gone, added, chunks }
}

/// Returns inline content with `text` in place of each of several ranges of its text. The ranges are in bytes of
/// [`InlineRuns`]'s text, ascending and disjoint. Objects in a range that `text` has no [`OBJECT`] for are removed.
pub fn replace_all(schema: &Schema, old: &[Node], ranges: &[Range<usize>], text: &str) -> Vec<Node> {
    let none = Atoms::default();
    let whole = Inline::new(schema, old, &none, true);
    let runs = &whole.old;
    let phrases = super::runs::phrases_of(schema, old);
    let (mut content, mut done) = (Vec::new(), 0);
    for (holder, ranges) in runs.by_holder(ranges) {
        if let Some(at) = holder {
            let (run, node) = &runs.runs[at];
            content.extend(runs.cut(done..run.start));
            // No line can begin in it.
            let children = replace_all(schema, node.children(), &runs.inside(at, ranges), &text.replace('\n', " "));
            content.push(node.with_children(children));
            done = run.end;
            continue;
        }
        for range in ranges {
            let within = runs.cut(range.clone());
            content.extend(runs.cut(done..range.start));
            if within.is_empty() {
                content.extend(whole.added(range.clone(), text));
            } else {
                let atoms = Atoms::of(schema, [&within[..]]);
                // What is added to a link that is named as a whole belongs to it.
                let around = match phrases.contains(range) {
                    true => {
                        let marks = Marks::from(InlineRuns::new(schema, &within).marks_of_all());
                        [marks.clone(), marks]
                    }
                    false => runs.marks_around(range),
                };
                let inline = Inline { around, ..Inline::new(schema, &within, &atoms, true) };
                content.extend(inline.with_text(text));
            }
            done = range.end;
        }
    }
    content.extend(runs.cut(done..runs.text.len()));
    join_texts(content)
}

/// Inline content that receives another text.
struct Inline<'a> {
    old: InlineRuns<'a>,
    /// The leaves to which forms in the new text refer.
    atoms: &'a Atoms,
    /// True if the new text states which objects with content stay.
    names_objects: bool,
    /// True if new text has the marks of the text that it replaces or adjoins.
    inherits: bool,
    /// The marks before and behind the content, if it is a part of a line.
    around: [Marks; 2],
}

impl<'a> Inline<'a> {
    fn new(schema: &'a Schema, old: &'a [Node], atoms: &'a Atoms, names_objects: bool) -> Inline<'a> {
        Inline { old: InlineRuns::new(schema, old), atoms, names_objects, inherits: true, around: [Marks::NONE; 2] }
    }

    fn with_text(&self, text: &str) -> Vec<Node> {
        self.with_moved(text, &[])
    }

    /// Aligns the text with another one, word by word. The ranges are in bytes.
    fn chunks(&self, text: &str) -> Vec<Chunk> {
        let with_content = self.old.objects(0..self.old.text.len()).into_iter().filter(|(_, node)| !node.is_leaf());
        let ranges: Vec<Range<usize>> = with_content.map(|(range, _)| range).collect();
        let objects = Dictionary::of(ranges.iter().map(|range| &self.old.text[range.clone()]));
        let old = cut_words(&self.old.text, &objects, &self.forms());
        let new = cut_words(text, &objects, &self.atoms.finder().find(text));
        let (old_ends, new_ends) = (words::ends(&old), words::ends(&new));
        let in_bytes = |chunk: Chunk| Chunk {
            relation: chunk.relation,
            old: bytes(&old_ends, &chunk.old),
            new: bytes(&new_ends, &chunk.new),
        };
        let edges: FxHashSet<usize> = self.old.runs.iter().map(|(run, _)| run.start).collect();
        let is_edge = |at: usize| old_ends.get(at).is_some_and(|start| edges.contains(start));
        diff_words(&old, &new, is_edge).into_iter().map(in_bytes).collect()
    }

    /// Joins the changes at both ends of a phrase with marks if only one of them deletes text: the new phrase may
    /// repeat a word of the old one, or in Chinese a character.
    fn with_whole_phrases(&self, mut chunks: Vec<Chunk>) -> Vec<Chunk> {
        // Spaces at the ends of a change may be those of the words beside the phrase.
        let trimmed = |range: Range<usize>| {
            let text = &self.old.text[range.clone()];
            let start = range.start + text.len() - text.trim_start().len();
            start..start + text.trim().len()
        };
        let is_run = |range: Range<usize>| {
            let is_it = |run: &Range<usize>, node: &Node| trimmed(run.clone()) == range && !node.marks().is_empty();
            !range.is_empty() && self.old.runs.iter().any(|(run, node)| is_it(run, node))
        };
        let mut at = 0;
        while at + 2 < chunks.len() {
            let [first, kept, last] = &chunks[at..at + 3] else { break };
            let whole = first.old.start..last.old.end;
            let (one, other) = (first.old.is_empty(), last.old.is_empty());
            let gone = if other { first.old.clone() } else { last.old.clone() };
            let is_phrase = kept.relation == Relation::Equal
                && one != other
                && self.old.text[gone].contains(char::is_alphanumeric)
                && is_run(trimmed(whole.clone()));
            if is_phrase {
                let new = first.new.start..last.new.end;
                chunks.splice(at..at + 3, [Chunk { relation: Relation::Replaced, old: whole, new }]);
            }
            at += 1;
        }
        chunks
    }

    /// Returns the bytes of the forms of the leaves, and of text that reads the same.
    fn forms(&self) -> Vec<Range<usize>> {
        if self.atoms.is_empty() {
            return Vec::new();
        }
        let finder = self.atoms.finder();
        let forms = |(run, node): &(Range<usize>, &Node)| match node.text() {
            Some(text) => finder.find(text).into_iter().map(|at| run.start + at.start..run.start + at.end).collect(),
            None if node.is_atom() => vec![run.clone()],
            None => Vec::new(),
        };
        self.old.runs.iter().flat_map(forms).collect()
    }

    /// Returns the forms of own leaves in the differing parts of a new text, each with the leaf to which it refers: one
    /// that is not `kept` elsewhere, or else a copy.
    fn leaves(&self, text: &str, chunks: &[Chunk], moved: &[Moved], kept: &FxHashSet<usize>) -> Vec<Moved> {
        let mut leaves = Vec::new();
        if self.atoms.is_empty() {
            return leaves;
        }
        let mut unused: FxHashMap<String, VecDeque<&Node>> = FxHashMap::default();
        let mut any: FxHashMap<String, &Node> = FxHashMap::default();
        for (_, node) in self.old.runs.iter().filter(|(_, node)| node.is_atom()) {
            let form = text_form(self.old.schema, node);
            any.entry(form.clone()).or_insert(node);
            if !kept.contains(&node.address()) {
                unused.entry(form).or_default().push_back(node);
            }
        }
        let mut differing = chunks.iter().filter(|chunk| chunk.relation != Relation::Equal).peekable();
        let mut moved = moved.iter().peekable();
        for range in self.atoms.finder().find(text) {
            while differing.next_if(|chunk| chunk.new.end <= range.start).is_some() {}
            while moved.next_if(|moved| moved.range.end <= range.start).is_some() {}
            let differs = differing.peek().is_some_and(|chunk| chunk.new.start <= range.start);
            if !differs || moved.peek().is_some_and(|moved| moved.range.start < range.end) {
                continue;
            }
            let form = &text[range.clone()];
            let leaf = unused.get_mut(form).and_then(VecDeque::pop_front).or_else(|| any.get(form).copied());
            leaves.extend(leaf.map(|leaf| Moved { range, nodes: vec![leaf.clone()], from: None }));
        }
        leaves
    }

    /// Returns the phrases with marks that the new text has elsewhere.
    fn moved_phrases(&self, text: &str, chunks: &[Chunk], moved: &[Moved]) -> Vec<Moved> {
        let mut found: Vec<Moved> = Vec::new();
        for phrase in phrases(&self.old.text, &self.old.runs) {
            let words = &self.old.text[phrase.clone()];
            if only_place(&self.old.text, words).is_none() || !self.old.objects(phrase.clone()).is_empty() {
                continue;
            }
            let Some(range) = only_place(text, words) else { continue };
            let holds = |chunk: &&Chunk| chunk.new.start <= range.start && range.end <= chunk.new.end;
            let stays = chunks.iter().find(holds).is_some_and(|chunk| chunk.relation == Relation::Equal);
            let overlaps = |other: &Moved| other.range.start < range.end && range.start < other.range.end;
            if !stays && !moved.iter().chain(&found).any(overlaps) {
                found.push(Moved { range, nodes: self.old.cut(phrase.clone()), from: Some(phrase) });
            }
        }
        found
    }

    fn with_moved(&self, text: &str, moved: &[Moved]) -> Vec<Node> {
        self.along(None, text, moved)
    }

    /// Returns the content with another text, with which it is aligned as `chunks` state.
    fn along(&self, chunks: Option<Vec<Chunk>>, text: &str, moved: &[Moved]) -> Vec<Node> {
        if text == self.old.text {
            return self.old.runs.iter().map(|(_, node)| (*node).clone()).collect();
        }
        let chunks = self.with_whole_phrases(chunks.unwrap_or_else(|| self.chunks(text)));
        let mut content = Vec::new();
        let mut kept: FxHashSet<usize> = FxHashSet::default();
        for chunk in chunks.iter().filter(|chunk| chunk.relation == Relation::Equal) {
            kept.extend(self.old.objects(chunk.old.clone()).iter().map(|(_, object)| object.address()));
        }
        let mut moved = [moved, &self.leaves(text, &chunks, moved, &kept)].concat();
        moved.extend(self.moved_phrases(text, &chunks, &moved));
        moved.sort_by_key(|moved| moved.range.start);
        let donors = Donors(moved.iter().filter_map(|moved| moved.from.clone()).collect());
        let used: FxHashSet<usize> = moved.iter().flat_map(|moved| &moved.nodes).map(Node::address).collect();
        let objects = self.old.objects(0..self.old.text.len()).into_iter().map(|(_, object)| object);
        let unused: Vec<&Node> = match text.contains(OBJECT) {
            true => objects
                .filter(|object| !kept.contains(&object.address()) && !used.contains(&object.address()))
                .collect(),
            false => Vec::new(),
        };
        let mut unused = unused.into_iter();
        let mut moved = moved.iter().peekable();
        // Up to here the new text is written; the node before that, where it came from elsewhere.
        let (mut done, mut last_moved): (usize, Option<Node>) = (0, None);
        for Chunk { relation, old: at, new } in chunks {
            let write = |range: Range<usize>| match relation {
                Relation::Equal => self.old.cut(at.start + range.start - new.start..at.start + range.end - new.start),
                _ if at.is_empty() => self.added(at.clone(), &text[range]),
                _ => self.replaced(at.clone(), &text[range], &donors),
            };
            while let Some(next) = moved.next_if(|next| next.range.start < new.end) {
                if done < next.range.start {
                    let between = write(done..next.range.start);
                    let between = self.between_moved(between, at.is_empty(), last_moved.as_ref(), next.nodes.first());
                    content.extend(with_objects(self.old.schema, between, &mut unused));
                }
                content.extend(next.nodes.iter().cloned());
                last_moved = next.nodes.last().cloned();
                done = next.range.end;
            }
            if done < new.end {
                let rest = write(done..new.end);
                let rest = match relation {
                    Relation::Equal => rest,
                    _ => self.between_moved(rest, at.is_empty(), last_moved.as_ref(), None),
                };
                content.extend(with_objects(self.old.schema, rest, &mut unused));
                done = new.end;
                last_moved = None;
            }
            if relation == Relation::Equal {
                continue;
            }
            if !self.names_objects {
                let objects = self.old.objects(at).into_iter().filter(|(_, object)| !object.is_leaf());
                content.extend(objects.map(|(_, object)| object.clone()));
            }
        }
        join_texts(content)
    }

    /// New content beside nodes that come from elsewhere. Spaces between them and other content, and text that is only
    /// added, have only the marks that both have.
    fn between_moved(
        &self,
        content: Vec<Node>,
        is_added: bool,
        before: Option<&Node>,
        after: Option<&Node>,
    ) -> Vec<Node> {
        let is_space = |node: &Node| node.text().is_some_and(|text| text.trim().is_empty());
        let shared = |node: Node| {
            let both = |mark: &&Mark| [before, after].into_iter().flatten().all(|beside| beside.marks().contains(mark));
            let marks: Vec<Mark> = node.marks().iter().filter(both).cloned().collect();
            node.with_marks(marks.into())
        };
        let is_beside = before.or(after).is_some();
        match is_added && is_beside || content.iter().all(is_space) {
            true => content.into_iter().map(shared).collect(),
            false => content,
        }
    }

    /// Returns text between the texts before and behind a range, with the marks that both have. At an end of the text,
    /// these are the marks of the other side that all of the text or the adjoining content has.
    fn added(&self, range: Range<usize>, text: &str) -> Vec<Node> {
        let left = self.old.runs.partition_point(|(run, _)| run.start < range.start).checked_sub(1);
        let right = self.old.runs.partition_point(|(run, _)| run.end <= range.end);
        let marks = |at: usize| self.old.runs.get(at).map(|(_, node)| node.marks());
        let all: Vec<Mark> = self.old.marks_of_all().into_iter().filter(|mark| !self.is_link(mark)).collect();
        let at_end = |around: &Marks| [&all[..], around.iter().as_slice()].concat();
        let [before, behind] = &self.around;
        let (beside, other) = match (left.and_then(marks), marks(right)) {
            (Some(left), Some(right)) => (left, right.to_vec()),
            (Some(left), None) => (left, at_end(behind)),
            (None, Some(right)) => (right, at_end(before)),
            (None, None) => return self.text_with(text, Marks::NONE),
        };
        if let Some(marks) = self.joined_beside(&range, text) {
            return self.text_with(text, marks);
        }
        let both: Vec<Mark> = beside.iter().filter(|mark| other.contains(mark)).cloned().collect();
        self.text_with(text, both.into())
    }

    /// Returns the marks of the text that added text is one word with, such as a part joined by a hyphen, or a longer name
    /// in code. `None` if it is one word with the texts on both sides.
    fn joined_beside(&self, range: &Range<usize>, text: &str) -> Option<Marks> {
        let is_joint = |c: char| matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\'' | '’');
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '$');
        let is_code = |node: &Node| {
            node.marks().iter().any(|mark| self.old.schema.mark(mark.kind).is_some_and(|kind| kind.name == "code"))
        };
        let is_joined = |(run, node): &&(Range<usize>, &Node)| {
            let is_behind = run.start == range.end;
            let old = node.text().unwrap_or_default();
            let (edge, end) = match is_behind {
                true => (old.chars().next(), text.chars().next_back()),
                false => (old.chars().next_back(), text.chars().next()),
            };
            let is_word = |c: char| words::is_one_word("a", c.encode_utf8(&mut [0; 4]));
            let is_part = end.is_some_and(is_joint) && text.chars().all(|c| is_word(c) || is_joint(c));
            match is_code(node) {
                true => edge.is_some_and(is_name) && text.chars().all(is_name),
                false => edge.is_some_and(is_word) && is_part && text.contains(is_word),
            }
        };
        if text.is_empty() {
            return None;
        }
        let beside = self.old.runs.iter().filter(|(run, _)| run.end == range.start || run.start == range.end);
        let joined: Vec<&(Range<usize>, &Node)> = beside.filter(is_joined).collect();
        let code = joined.iter().find(|(_, node)| is_code(node));
        match (&joined[..], code) {
            (_, Some((_, node))) | ([(_, node)], None) => Some(node.mark_set().clone()),
            _ => None,
        }
    }

    /// A text in place of another.
    fn replaced(&self, range: Range<usize>, text: &str, donors: &Donors) -> Vec<Node> {
        let left = donors.left_of(&range);
        let runs: Vec<Node> = left.iter().flat_map(|range| self.old.cut(range.clone())).collect();
        let texts: Vec<&Node> = runs.iter().filter(|node| node.is_text()).collect();
        let Some(first) = texts.first() else { return self.added(range, text) };
        let is_even = texts.iter().all(|node| node.mark_set() == first.mark_set());
        if is_even {
            return self.text_with(text, first.mark_set().clone());
        }
        if texts.len() == runs.len()
            && let [range] = &left[..]
            && let Some(content) = self.by_edges(range, text, &runs)
        {
            return content;
        }
        self.across(&texts, text)
    }

    /// Replaces a text with different marks whose first or last node is unchanged, such as the number of a note behind
    /// a word. `None` if neither is.
    fn by_edges(&self, range: &Range<usize>, text: &str, runs: &[Node]) -> Option<Vec<Node>> {
        let (first, last) = (runs.first()?.text()?, runs.last()?.text()?);
        let begins = text.strip_prefix(first).filter(|rest| !rest.is_empty());
        let ends = text.strip_suffix(last).filter(|rest| !rest.is_empty());
        if let ([_, _], Some(between)) = (runs, begins.and_then(|rest| rest.strip_suffix(last))) {
            let at = range.end - last.len();
            let content = [self.old.cut(range.start..at), self.added(at..at, between), self.old.cut(at..range.end)];
            return Some(content.concat());
        }
        // If both are unchanged, the shorter one grows.
        if let Some(rest) = ends.filter(|_| begins.is_none() || last.len() > first.len()) {
            let end = range.end - last.len();
            let content = self.replaced(range.start..end, rest, &Donors::default());
            return Some([content, self.old.cut(end..range.end)].concat());
        }
        let rest = begins?;
        let start = range.start + first.len();
        let content = self.replaced(start..range.end, rest, &Donors::default());
        Some([self.old.cut(range.start..start), content].concat())
    }

    /// Returns a text in place of texts with different marks. It has the marks of the first one, as typing over a
    /// selection does; a link only if all of them had it.
    fn across(&self, texts: &[&Node], text: &str) -> Vec<Node> {
        let stays = |mark: &&Mark| !self.is_link(mark) || texts.iter().all(|node| node.marks().contains(mark));
        let marks: Vec<Mark> = texts[0].marks().iter().filter(stays).cloned().collect();
        self.text_with(text, marks.into())
    }

    fn text_with(&self, text: &str, marks: Marks) -> Vec<Node> {
        let marks = if self.inherits { marks } else { Marks::NONE };
        if text.is_empty() { Vec::new() } else { vec![Node::text_node(self.old.schema, text, marks)] }
    }

    fn is_link(&self, mark: &Mark) -> bool {
        self.old.schema.mark(mark.kind).is_some_and(|kind| kind.name == "link" || !kind.inclusive)
    }
}

/// Returns new text in which each [`OBJECT`] is the next object that has no other place; surplus ones are removed.
fn with_objects<'a>(schema: &Schema, nodes: Vec<Node>, unused: &mut impl Iterator<Item = &'a Node>) -> Vec<Node> {
    if !nodes.iter().any(|node| node.text().is_some_and(|text| text.contains(OBJECT))) {
        return nodes;
    }
    let mut content = Vec::new();
    for node in nodes {
        let text = node.text().unwrap_or("");
        let pieces: Vec<&str> = text.split(OBJECT).collect();
        for (index, piece) in pieces.iter().enumerate() {
            // What is between two boundaries is the content of an object.
            let is_inside = index % 2 == 1 && index + 1 < pieces.len();
            match if index % 2 == 1 { unused.next() } else { None } {
                Some(object) if is_inside && !object.is_leaf() => {
                    content.push(objects::with_inner(schema, object, piece))
                }
                object => {
                    content.extend(object.cloned());
                    if !piece.is_empty() {
                        content.push(node.with_text(*piece));
                    }
                }
            }
        }
    }
    content
}

/// Splits a text into words. An object with content is one word, and so is each of the `forms`, given by their bytes.
fn cut_words<'t>(text: &'t str, objects: &Dictionary<'_>, forms: &[Range<usize>]) -> Vec<&'t str> {
    let mut words = Vec::new();
    let mut forms = forms.iter().peekable();
    let mut at = 0;
    while at < text.len() {
        while forms.next_if(|form| form.start < at).is_some() {}
        let form = forms.peek().map_or(text.len(), |form| form.start);
        let object = text[at..form].find(OBJECT).map(|offset| at + offset);
        let end = match object {
            Some(start) if start == at => {
                at + objects.longest_prefix_of(&text[at..]).map_or_else(|| object_end(&text[at..]), str::len)
            }
            None if form == at => forms.next().map_or(text.len(), |form| form.end),
            _ => {
                let end = object.unwrap_or(form);
                words.extend(words::split(&text[at..end]));
                at = end;
                continue;
            }
        };
        words.push(&text[at..end]);
        at = end;
    }
    words
}

/// Returns the end of the object that a text begins with: its second boundary, or the first one if there is no other.
fn object_end(text: &str) -> usize {
    text[EDGE..].find(OBJECT).map_or(EDGE, |at| EDGE + at + EDGE)
}

/// Converts a range of words to a range of bytes.
fn bytes(ends: &[usize], range: &Range<usize>) -> Range<usize> {
    ends[range.start]..ends[range.end]
}

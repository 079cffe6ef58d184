//! Text that moves within an edit, mostly from one line to another, such as where lines are joined, split or swapped.
//!
//! Plain text says nothing about marks. A line that is rewritten keeps those of the words that stay in it ([`retext`]);
//! this module finds words that moved from one line of the edit to another, and moves their nodes with them. Each word
//! of the old text is used at most once.

use super::atoms::Atoms;
use super::parent::holds;
use super::phrases::WordIndex;
use super::retext::{self, Differences, Moved};
use super::runs;

use copydesk_document::align::Chunk;
use copydesk_document::{Document, Node, Schema, push_inline, words};
use std::collections::HashMap;
use std::ops::Range;

/// The least [`weight`] of words that count as moved, unless they are or become a whole line.
const LEAST_WEIGHT: usize = 4;
/// The most places that are tried for two words.
const MOST_PLACES: usize = 32;

/// A word, space or sign of a line.
#[derive(Clone)]
struct Token<'t> {
    line: usize,
    bytes: Range<usize>,
    text: &'t str,
    /// The range of changed text that it is in.
    range: usize,
    /// True if it is an inline leaf, or the form of one.
    is_atom: bool,
}

impl Token<'_> {
    fn is_space(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// An old line of the edit.
struct OldLine {
    inline: Vec<Node>,
    text: String,
    /// The bytes of its inline leaves.
    atoms: Vec<Range<usize>>,
    /// The bytes that do not stay in it.
    gone: Vec<Range<usize>>,
    /// The bytes of its phrases with marks that left it and that no other line has.
    phrases: Vec<Range<usize>>,
}

/// A new line of the edit.
struct NewLine {
    text: String,
    /// The old line that it is; `None` if it is new.
    own: Option<usize>,
    /// The bytes that are forms of inline leaves.
    forms: Vec<Range<usize>>,
    /// The bytes that are not in that line.
    added: Vec<Range<usize>>,
    /// The alignment with that line.
    chunks: Vec<Chunk>,
}

/// A text that an edit writes.
pub struct NewText {
    /// The index of the old line that it is; `None` if it is new.
    pub own: Option<usize>,
    /// The text.
    pub text: String,
}

/// The content of a new text, as far as this module finds it.
#[derive(Clone, Default)]
pub struct Carried {
    /// The inline content, in which words that moved keep their nodes; `None` if no words moved into it.
    pub moved: Option<Vec<Node>>,
    /// The alignment of the text with the line that it is, for [`retext::inline_along`]; `None` if that is not known.
    pub chunks: Option<Vec<Chunk>>,
}

/// Returns the content of each new text. `old` has the inline content of the lines that the edit names, and whether the
/// line itself is removed. `whole` is the document, if it has further lines; these are unchanged and have no inline
/// leaves.
pub fn carried(schema: &Schema, old: &[(&[Node], bool)], new: Vec<NewText>, whole: Option<&Document>) -> Vec<Carried> {
    let is_plain = |node: &Node| node.is_text() && node.marks().is_empty();
    let has_marks = |node: &Node| node.is_text() && !node.marks().is_empty();
    if old.iter().all(|(inline, _)| inline.iter().all(is_plain))
        && !whole.is_some_and(|whole| whole.blocks().iter().any(|block| holds(block, &has_marks)))
    {
        return vec![Carried::default(); new.len()];
    }
    let atoms = Atoms::of(schema, old.iter().map(|(inline, _)| *inline));
    let finder = atoms.finder();
    let line = |(inline, is_gone): &(&[Node], bool)| {
        let (text, leaves) = text_and_leaves(schema, inline);
        let all = 0..text.len();
        let gone = if *is_gone { Vec::from([all]) } else { Vec::new() };
        OldLine { inline: inline.to_vec(), text, atoms: leaves, gone, phrases: Vec::new() }
    };
    let mut old: Vec<OldLine> = old.iter().map(line).collect();
    let mut lines = Vec::with_capacity(new.len());
    for NewText { own, text } in new {
        let forms = finder.find(&text);
        let (added, chunks) = match own {
            Some(at) => {
                let Differences { gone, added, chunks } = retext::differences(schema, &old[at].inline, &text, &atoms);
                old[at].gone = gone;
                (added, chunks)
            }
            None => {
                let all = 0..text.len();
                (Vec::from([all]), Vec::new())
            }
        };
        lines.push(NewLine { text, own, forms, added, chunks });
    }
    find_single_phrases(schema, &mut old, &lines, whole);
    contents(schema, &old, lines, &atoms)
}

/// Finds the phrases that left their line and are in no other old line and once in the new ones.
fn find_single_phrases(schema: &Schema, old: &mut [OldLine], new: &[NewLine], whole: Option<&Document>) {
    for OldLine { inline, phrases, gone, .. } in old.iter_mut().filter(|line| !line.gone.is_empty()) {
        *phrases = runs::phrases_of(schema, inline);
        phrases.retain(|phrase| gone.iter().any(|gone| gone.start <= phrase.start && phrase.end <= gone.end));
    }
    if old.iter().all(|line| line.phrases.is_empty()) {
        return;
    }
    let all = match whole {
        Some(whole) => lines_of(whole),
        None => old.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n"),
    };
    let new = new.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
    let (all, new) = (WordIndex::of(&all), WordIndex::of(&new));
    for OldLine { phrases, text, .. } in old {
        let is_once = |phrase: &str| all.has_once(phrase) && new.has_once(phrase);
        phrases.retain(|phrase| is_once(&text[phrase.clone()]));
    }
}

fn lines_of(document: &Document) -> String {
    let mut lines: Vec<String> = Vec::with_capacity(document.line_count());
    document.each_line(0..document.blocks().len(), &mut |line| lines.push(line.text.to_owned()));
    lines.join("\n")
}

/// Returns the text of inline content, and the ranges of its leaves other than text, in bytes.
fn text_and_leaves(schema: &Schema, inline: &[Node]) -> (String, Vec<Range<usize>>) {
    let (mut text, mut leaves) = (String::new(), Vec::new());
    for node in inline {
        let start = text.len();
        push_inline(schema, node, &mut text);
        if node.is_atom() {
            leaves.push(start..text.len());
        }
    }
    (text, leaves)
}

/// Returns the content of each new line.
fn contents(schema: &Schema, old: &[OldLine], new: Vec<NewLine>, atoms: &Atoms) -> Vec<Carried> {
    let mut pool = Pool::of(old);
    let content = |line: NewLine| {
        let own = line.own.map_or(&[][..], |own| &old[own].inline);
        let nodes = |(range, source): (Range<usize>, Source)| {
            Some(match source {
                Source::Moved(from, bytes) => {
                    let nodes = runs::cut(schema, &old[from].inline, bytes.clone());
                    Moved { range, nodes, from: (line.own == Some(from)).then_some(bytes) }
                }
                // It occurs more often than before: the rest are copies, also of one that stays in this line.
                Source::Copied => {
                    let nodes = vec![atoms.any(&line.text[range.clone()])?.clone()];
                    Moved { range, nodes, from: None }
                }
            })
        };
        let moved: Vec<Moved> = pool.take(&line, old).into_iter().filter_map(nodes).collect();
        let moved = (!moved.is_empty()).then(|| retext::inline_with(schema, own, &line.text, atoms, &moved));
        // With the forms of leaves of other lines it may be another alignment.
        let is_known = line.own.is_some() && atoms.is_empty();
        Carried { moved, chunks: is_known.then_some(line.chunks) }
    };
    new.into_iter().map(content).collect()
}

/// The source of content of a new line.
enum Source {
    /// From an old line, by its index and the bytes of its text.
    Moved(usize, Range<usize>),
    /// From a leaf with this form that stays or was taken already.
    Copied,
}

/// The words that left their lines.
struct Pool<'t> {
    tokens: Vec<Token<'t>>,
    is_used: Vec<bool>,
    /// The places of two adjacent words, whatever space is between them: the index of the first.
    pairs: HashMap<(&'t str, &'t str), Vec<usize>>,
    /// The places of each word.
    words: HashMap<&'t str, Vec<usize>>,
}

impl<'t> Pool<'t> {
    fn of(old: &'t [OldLine]) -> Pool<'t> {
        let mut tokens: Vec<Token> = Vec::new();
        let gone =
            old.iter().enumerate().flat_map(|(index, line)| line.gone.iter().map(move |gone| (index, line, gone)));
        for (range, (index, line, gone)) in gone.enumerate() {
            tokens.extend(cut(index, &line.text, gone.clone(), range, &line.atoms));
        }
        let add = |places: &mut Vec<usize>, at: usize| {
            if places.len() < MOST_PLACES {
                places.push(at);
            }
        };
        let (mut pairs, mut words) = (HashMap::<_, Vec<usize>>::new(), HashMap::<_, Vec<usize>>::new());
        let mut last: Option<usize> = None;
        for (at, token) in tokens.iter().enumerate().filter(|(_, token)| !token.is_space()) {
            add(words.entry(token.text).or_default(), at);
            if let Some(last) = last.filter(|last| tokens[*last].range == token.range) {
                add(pairs.entry((tokens[last].text, token.text)).or_default(), last);
            }
            last = Some(at);
        }
        let is_used = vec![false; tokens.len()];
        Pool { tokens, is_used, pairs, words }
    }

    /// Takes words that came into a line out of the pool: the bytes in that line, and where they come from.
    fn take(&mut self, line: &NewLine, old: &[OldLine]) -> Vec<(Range<usize>, Source)> {
        let mut moved = Vec::new();
        for added in &line.added {
            let new: Vec<Token> = cut(0, &line.text, added.clone(), 0, &line.forms);
            let mut at = 0;
            while at < new.len() {
                match self.longest(&new[at..], line, old) {
                    Some((from, length)) => {
                        self.is_used[from..from + length].fill(true);
                        let (first, last) = (&self.tokens[from], &self.tokens[from + length - 1]);
                        let range = new[at].bytes.start..new[at + length - 1].bytes.end;
                        moved.push((range, Source::Moved(first.line, first.bytes.start..last.bytes.end)));
                        at += length;
                    }
                    None if new[at].is_atom => {
                        moved.push((new[at].bytes.clone(), Source::Copied));
                        at += 1;
                    }
                    None => at += 1,
                }
            }
        }
        moved
    }

    /// Finds the heaviest run of unused words that a list of tokens of a line begins with: its first token and its
    /// length.
    fn longest(&self, new: &[Token], line: &NewLine, old: &[OldLine]) -> Option<(usize, usize)> {
        let first = new.first().filter(|token| !token.is_space())?;
        let next = new[1..].iter().find(|token| !token.is_space());
        let pairs = next.and_then(|next| self.pairs.get(&(first.text, next.text))).into_iter().flatten();
        let words = self.words.get(first.text).into_iter().flatten();
        let run = |from: &usize| {
            let tokens = &self.tokens[*from..];
            let same = |(at, (a, b)): &(usize, (&Token, &Token))| {
                a.text == b.text && a.is_atom == b.is_atom && b.range == tokens[0].range && !self.is_used[from + at]
            };
            let mut length = new.iter().zip(tokens).enumerate().take_while(same).count();
            while length > 0 && new[length - 1].is_space() {
                length -= 1;
            }
            (*from, length, weight(&new[..length]))
        };
        // A few words that are not all of a line may be there by chance.
        let is_line = |from: usize, length: usize| {
            let bytes = |tokens: &[Token]| tokens[0].bytes.start..tokens[length - 1].bytes.end;
            let text = &old[self.tokens[from].line].text;
            text[bytes(&self.tokens[from..])] == *text.trim() || line.text[bytes(new)] == *line.text.trim()
        };
        // Words with marks of their own are meant, however few they are.
        let is_phrase = |from: usize, length: usize| {
            let moved = &self.tokens[from..from + length];
            let bytes = moved[0].bytes.start..moved[length - 1].bytes.end;
            old[moved[0].line].phrases.contains(&bytes)
        };
        let runs = pairs.chain(words).map(run).filter(|(_, length, _)| *length > 0);
        let runs = runs.filter(|(from, length, weight)| {
            *weight >= LEAST_WEIGHT || is_line(*from, *length) || is_phrase(*from, *length)
        });
        runs.max_by_key(|(from, _, weight)| (*weight, std::cmp::Reverse(*from))).map(|(from, length, _)| (from, length))
    }
}

/// Cuts a range of a line into words. Each of the `atoms`, given by their bytes, is one.
fn cut<'t>(line: usize, text: &'t str, bytes: Range<usize>, range: usize, atoms: &[Range<usize>]) -> Vec<Token<'t>> {
    let mut tokens = Vec::new();
    let mut words = |between: Range<usize>| {
        let mut at = between.start;
        for word in words::split(&text[between]) {
            tokens.push(Token { line, bytes: at..at + word.len(), text: word, range, is_atom: false });
            at += word.len();
        }
    };
    let first = atoms.partition_point(|atom| atom.start < bytes.start);
    let inside: Vec<&Range<usize>> = atoms[first..].iter().take_while(|atom| atom.end <= bytes.end).collect();
    let mut at = bytes.start;
    for atom in &inside {
        words(at..atom.start);
        at = atom.end;
    }
    words(at..bytes.end);
    let atom =
        |atom: &Range<usize>| Token { line, bytes: atom.clone(), text: &text[atom.clone()], range, is_atom: true };
    tokens.extend(inside.into_iter().map(atom));
    tokens.sort_by_key(|token| token.bytes.start);
    tokens
}

/// Returns the weight of a run: two for each word of letters, one for each character of a script that writes words
/// without spaces, nothing for spaces and signs. An inline leaf never matches by chance.
fn weight(tokens: &[Token]) -> usize {
    let is_wide = |text: &str| text.chars().next().is_some_and(|c| ('\u{2E80}'..='\u{D7FF}').contains(&c));
    let of = |token: &Token| match token.text {
        _ if token.is_atom => LEAST_WEIGHT,
        text if is_wide(text) => 1,
        text if text.contains(char::is_alphanumeric) => 2,
        _ => 0,
    };
    tokens.iter().map(of).sum()
}

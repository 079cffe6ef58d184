//! Nodes as the sequence of tokens that positions count: where a node opens, where one closes, text, and leaves.
//!
//! A difference in tokens describes changes of structure as people make them: Enter in a paragraph is two tokens more
//! (one paragraph closes, one opens), a list around a paragraph is two before it and two behind. Everything between
//! keeps its place, which a difference in whole blocks could not express.

use super::change::Change;
use copydesk_document::align::{self, Relation};
use copydesk_document::words::split;
use copydesk_document::{Node, Schema, join_texts};
use std::ops::Range;

/// The most steps by which an insertion is moved to where it is balanced.
const MOST_STEPS: usize = 200;

/// One token.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// The beginning of a node: the node without its children.
    Open(Node),
    /// The end of the node that was opened last.
    Close,
    /// A text or a leaf.
    Whole(Node),
}

impl Token {
    fn size(&self) -> usize {
        match self {
            Token::Open(_) | Token::Close => 1,
            Token::Whole(node) => node.size(),
        }
    }

    fn depth(&self) -> isize {
        match self {
            Token::Open(_) => 1,
            Token::Close => -1,
            Token::Whole(_) => 0,
        }
    }

    fn part(&self, range: Range<usize>) -> Token {
        match self {
            Token::Whole(node) if node.is_text() => Token::Whole(node.cut_text(range.start, range.end)),
            token => token.clone(),
        }
    }
}

/// A range of tokens and its replacement.
#[derive(Clone, Debug)]
pub struct Splice {
    /// The beginning of the range.
    pub from: usize,
    /// The end of the range.
    pub to: usize,
    /// The new content.
    pub new: New,
    /// The change of depth behind the splice, in levels.
    pub depth: isize,
}

/// The new content of a range.
#[derive(Clone, Debug)]
pub enum New {
    /// Whole nodes in the place of whole nodes: a [`Change`].
    Nodes(Vec<Node>),
    /// Tokens that open or close nodes which go on outside of the range.
    Tokens(Vec<Token>),
}

impl Splice {
    /// A change as a splice.
    pub fn of(change: Change) -> Splice {
        Splice { from: change.from, to: change.to, new: New::Nodes(change.content), depth: 0 }
    }

    /// Returns the size of the new content.
    pub fn new_size(&self) -> usize {
        match &self.new {
            New::Nodes(nodes) => nodes.iter().map(Node::size).sum(),
            New::Tokens(tokens) => tokens.iter().map(Token::size).sum(),
        }
    }

    /// Returns the number of positions by which the document grows.
    pub fn growth(&self) -> isize {
        self.new_size() as isize - (self.to - self.from) as isize
    }
}

/// Returns the tokens of nodes; texts are split into words if `by_word` is true.
pub fn flatten(schema: &Schema, nodes: &[Node], by_word: bool) -> Vec<Token> {
    fn write(schema: &Schema, node: &Node, by_word: bool, out: &mut Vec<Token>) {
        match node.text() {
            Some(text) if by_word => {
                let word = |word: &str| Token::Whole(Node::text_node(schema, word, node.mark_set().clone()));
                out.extend(split(text).map(word));
            }
            _ if node.is_leaf() => out.push(Token::Whole(node.clone())),
            _ => {
                out.push(Token::Open(node.with_children(Vec::new())));
                node.children().iter().for_each(|child| write(schema, child, by_word, out));
                out.push(Token::Close);
            }
        }
    }
    let mut tokens = Vec::new();
    nodes.iter().for_each(|node| write(schema, node, by_word, &mut tokens));
    tokens
}

/// Returns the nodes of a sequence of tokens; `None` if a node is not closed, or one is closed that was not opened.
pub fn build(tokens: Vec<Token>) -> Option<Vec<Node>> {
    let (mut open, mut nodes) = (Vec::new(), Vec::new());
    for token in tokens {
        match token {
            Token::Open(node) => open.push((node, std::mem::take(&mut nodes))),
            Token::Whole(node) => nodes.push(node),
            Token::Close => {
                let (node, before): (Node, Vec<Node>) = open.pop()?;
                let children = std::mem::replace(&mut nodes, before);
                nodes.push(node.with_children(children));
            }
        }
    }
    open.is_empty().then(|| join_texts(nodes))
}

/// Returns nodes that begin at the position `at`, with splices made in their tokens. The splices are in ascending order
/// and do not overlap. `None` if the result is not whole nodes.
pub fn spliced(schema: &Schema, nodes: &[Node], at: usize, splices: &[(usize, &Splice)]) -> Option<Vec<Node>> {
    let (mut out, mut position, mut next, mut is_made) = (Vec::new(), at, 0, false);
    let make = |splice: &Splice, out: &mut Vec<Token>| match &splice.new {
        New::Nodes(nodes) => out.extend(flatten(schema, nodes, false)),
        New::Tokens(tokens) => out.extend(tokens.iter().cloned()),
    };
    for token in flatten(schema, nodes, false) {
        let (start, end) = (position, position + token.size());
        while position < end {
            match splices.get(next) {
                Some((from, splice)) if *from <= position => {
                    if !is_made {
                        make(splice, &mut out);
                    }
                    let to = from + splice.to - splice.from;
                    position = to.clamp(position, end);
                    is_made = to > position;
                    next += usize::from(!is_made);
                }
                Some((from, _)) if *from < end => {
                    out.push(token.part(position - start..from - start));
                    position = *from;
                }
                _ => {
                    out.push(token.part(position - start..end - start));
                    position = end;
                }
            }
        }
    }
    splices[next..].iter().filter(|_| !is_made).for_each(|(_, splice)| make(splice, &mut out));
    build(out)
}

/// The splices that make old nodes, which begin at the position `at`, the new ones; ascending, as small as can be.
pub fn diff(schema: &Schema, old: &[Node], new: &[Node], at: usize) -> Vec<Splice> {
    let mut splices = Vec::new();
    children(schema, old, new, at, &mut splices);
    splices
}

fn children(schema: &Schema, old: &[Node], new: &[Node], at: usize, out: &mut Vec<Splice>) {
    let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let back = old[front..].iter().rev().zip(new[front..].iter().rev()).take_while(|(a, b)| a == b).count();
    let at = at + old[..front].iter().map(Node::size).sum::<usize>();
    let (old, new) = (&old[front..old.len() - back], &new[front..new.len() - back]);
    match (old, new) {
        ([], []) => {}
        ([a], [b]) if a.same_markup(b) && !a.is_leaf() => children(schema, a.children(), b.children(), at + 1, out),
        ([], _) | (_, []) => {
            let to = at + old.iter().map(Node::size).sum::<usize>();
            out.push(Splice { from: at, to, new: New::Nodes(new.to_vec()), depth: 0 });
        }
        _ => tokens(&flatten(schema, old, true), &flatten(schema, new, true), at, out),
    }
}

fn tokens(old: &[Token], new: &[Token], at: usize, out: &mut Vec<Splice>) {
    let starts: Vec<usize> = std::iter::once(at)
        .chain(old.iter().scan(at, |position, token| {
            *position += token.size();
            Some(*position)
        }))
        .collect();
    let mut least = 0;
    for chunk in align::diff(old, new).into_iter().filter(|chunk| chunk.relation == Relation::Replaced) {
        let mut gap = Gap { old: chunk.old, new: chunk.new };
        gap.balance(old, new, least);
        least = gap.old.end;
        out.extend(gap.splice(old, new, &starts));
    }
}

/// Tokens that differ.
struct Gap {
    old: Range<usize>,
    new: Range<usize>,
}

impl Gap {
    /// An insertion or a deletion is ambiguous if the tokens before it equal its end: "a close and an open" is "an open
    /// and a close" one token further left. The reading that is whole nodes is preferred.
    fn balance(&mut self, old: &[Token], new: &[Token], least: usize) {
        let inserts = self.old.is_empty();
        if !inserts && !self.new.is_empty() {
            return;
        }
        let (tokens, range) = if inserts { (new, self.new.clone()) } else { (old, self.old.clone()) };
        let most = MOST_STEPS.min(self.old.start - least).min(self.new.start);
        for step in 0..=most {
            let moved = range.start - step..range.end - step;
            if step > 0 && tokens[moved.start] != tokens[moved.end] {
                return;
            }
            if is_balanced(&tokens[moved]) {
                for range in [&mut self.old, &mut self.new] {
                    *range = range.start - step..range.end - step;
                }
                return;
            }
        }
    }

    fn splice(self, old: &[Token], new: &[Token], starts: &[usize]) -> Option<Splice> {
        let (mut from, mut to) = (starts[self.old.start], starts[self.old.end]);
        let (mut old, mut new) = (old[self.old].to_vec(), new[self.new].to_vec());
        from += narrow(&mut old, &mut new, false);
        to -= narrow(&mut old, &mut new, true);
        if from == to && new.is_empty() {
            return None;
        }
        let depth = |tokens: &[Token]| tokens.iter().map(Token::depth).sum::<isize>();
        let grown = depth(&new) - depth(&old);
        let new = match is_balanced(&old) && is_balanced(&new) {
            true => New::Nodes(build(new).unwrap_or_default()),
            false => New::Tokens(new),
        };
        Some(Splice { from, to, new, depth: grown })
    }
}

fn is_balanced(tokens: &[Token]) -> bool {
    let mut depth = 0;
    tokens.iter().all(|token| {
        depth += token.depth();
        depth >= 0
    }) && depth == 0
}

/// Takes away the text that both begin or end with; its size.
fn narrow(old: &mut Vec<Token>, new: &mut Vec<Token>, at_end: bool) -> usize {
    let mut size = 0;
    loop {
        let at =
            |tokens: &[Token]| if at_end { tokens.len().checked_sub(1) } else { (!tokens.is_empty()).then_some(0) };
        let (Some(in_old), Some(in_new)) = (at(old), at(new)) else { return size };
        let (Token::Whole(a), Token::Whole(b)) = (&old[in_old], &new[in_new]) else { return size };
        let same = common(a, b, at_end);
        if same == 0 {
            return size;
        }
        size += same;
        cut(old, in_old, same, at_end);
        cut(new, in_new, same, at_end);
    }
}

fn cut(tokens: &mut Vec<Token>, at: usize, same: usize, at_end: bool) {
    let size = tokens[at].size();
    if size == same {
        tokens.remove(at);
    } else {
        tokens[at] = tokens[at].part(if at_end { 0..size - same } else { same..size });
    }
}

/// Returns the length that two texts with the same marks have in common at one end; 0 for other tokens.
fn common(a: &Node, b: &Node, at_end: bool) -> usize {
    let (Some(old), Some(new)) = (a.text(), b.text()) else { return 0 };
    if a.mark_set() != b.mark_set() {
        return 0;
    }
    let same = |(a, b): &(char, char)| a == b;
    let size = |(sign, _): (char, char)| sign.len_utf16();
    match at_end {
        false => old.chars().zip(new.chars()).take_while(same).map(size).sum(),
        true => old.chars().rev().zip(new.chars().rev()).take_while(same).map(size).sum(),
    }
}

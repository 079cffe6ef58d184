//! The trees of random inputs.

use super::super::dom::{Dom, DomData, DomId, without_namespace};
use super::super::tree;
use super::generator;
use super::random::Random;
use super::reference::{self, Data, Node};
use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::TreeSink;
use html5ever::ns;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
use std::collections::BTreeSet;

/// A tree as text, a node a line, and the attributes of `html` and `body`: their order is not kept.
#[derive(Debug, Default, PartialEq)]
struct Outline {
    lines: String,
    around: BTreeSet<String>,
}

impl Outline {
    fn line(&mut self, depth: usize, text: &str) {
        self.lines.push_str(&format!("{}{text}\n", "| ".repeat(depth)));
    }

    fn element<'t>(
        &mut self,
        depth: usize,
        foreign: bool,
        name: &str,
        attrs: impl Iterator<Item = (bool, &'t str, &'t str)>,
    ) {
        let mut text = format!("<{}{name}", if foreign { "foreign " } else { "" });
        for (has_namespace, name, value) in attrs {
            text += &format!(" {}{name}={value:?}", if has_namespace { "ns:" } else { "" });
        }
        self.line(depth, &(text + ">"));
    }
}

fn ours(page: &str) -> Option<Outline> {
    let dom = tree::parse(page)?;
    let around = dom.around.iter().flat_map(|attrs| attrs.iter()).map(|attr| attr.name.to_string()).collect();
    let mut outline = Outline { around, ..Outline::default() };
    our_children(&dom, Dom::DOCUMENT, 0, &mut outline);
    Some(outline)
}

fn our_children(dom: &Dom, parent: DomId, depth: usize, outline: &mut Outline) {
    for id in dom.children(parent) {
        match &dom.node(id).data {
            DomData::Text(text) => outline.line(depth, &format!("{text:?}")),
            DomData::Other => outline.line(depth, "<!>"),
            DomData::Element { name, attrs, template, foreign } => {
                let shown = attrs.iter().flat_map(|attrs| attrs.iter()).map(|attr| {
                    let local = without_namespace(&attr.name).filter(|_| *foreign);
                    (local.is_some(), local.unwrap_or(&attr.name), &*attr.value)
                });
                outline.element(depth, *foreign, name, shown);
                if let Some(content) = template {
                    outline.line(depth + 1, "content");
                    our_children(dom, *content, depth + 2, outline);
                }
            }
        }
        our_children(dom, id, depth + 1, outline);
    }
}

fn theirs(page: &str) -> Option<Outline> {
    let options = TokenizerOpts { discard_bom: false, ..Default::default() };
    let tokenizer = Tokenizer::new(reference::tree_builder(), options);
    let input = BufferQueue::default();
    // A NUL before the line break that is dropped does not keep Chromium from doing so: see the tokenizer.
    input.push_back(StrTendril::from_slice(page));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    let nodes = tokenizer.sink.sink.finish()?;
    let mut outline = Outline::default();
    their_children(&nodes, 0, 0, &mut outline);
    Some(outline)
}

fn their_children(nodes: &[Node], parent: usize, depth: usize, outline: &mut Outline) {
    for id in &nodes[parent].children {
        match &nodes[*id].data {
            Data::Document => unreachable!("a document in a tree"),
            Data::Text(text) => outline.line(depth, &format!("{text:?}")),
            Data::Comment => outline.line(depth, "<!>"),
            Data::Element { name, attrs, template } => {
                let foreign = name.ns != ns!(html);
                if depth <= 1 && !foreign && ["html", "head", "body"].contains(&&*name.local) {
                    outline.around.extend(attrs.iter().map(|attr| attr.name.local.to_string()));
                    if &*name.local != "head" {
                        outline.element(depth, false, &name.local, std::iter::empty());
                    }
                } else {
                    let local = |name: &str| if foreign { name.to_ascii_lowercase() } else { name.to_owned() };
                    let shown: Vec<_> = attrs
                        .iter()
                        .map(|attr| (attr.name.ns != ns!(), local(&attr.name.local), &*attr.value))
                        .collect();
                    let shown = shown.iter().map(|(has_namespace, name, value)| (*has_namespace, &**name, *value));
                    outline.element(depth, foreign, &local(&name.local), shown);
                }
                if let Some(content) = template {
                    outline.line(depth + 1, "content");
                    their_children(nodes, *content, depth + 2, outline);
                }
            }
        }
        their_children(nodes, *id, depth + 1, outline);
    }
}

fn differ(pieces: &[String]) -> bool {
    let page = tree::page(&pieces.concat());
    ours(&page) != theirs(&page)
}

/// Leaves out what the difference does not need.
fn shrink(mut pieces: Vec<String>) -> Vec<String> {
    let mut at = 0;
    while at < pieces.len() {
        let mut fewer = pieces.clone();
        fewer.remove(at);
        match differ(&fewer) {
            true => (pieces, at) = (fewer, 0),
            false => at += 1,
        }
    }
    pieces
}

#[test]
fn random_inputs_become_the_trees_that_html5ever_builds() {
    let mut random = Random::new();
    for round in 0..super::rounds() {
        let pieces = generator::pieces(&mut random);
        if differ(&pieces) {
            let least = shrink(pieces).concat();
            let page = tree::page(&least);
            let show = |outline: Option<Outline>| {
                outline.map_or("too deep".to_owned(), |outline| format!("{}{:?}", outline.lines, outline.around))
            };
            panic!("round {round}: {least:?}\nours\n{}\ntheirs\n{}", show(ours(&page)), show(theirs(&page)));
        }
    }
}

#[test]
fn what_nests_too_deep_is_refused_where_it_was() {
    for tag in ["div", "b", "span", "svg", "template", "table><tr><td", "ul><li", "table><b", "a><p"] {
        for depth in [100, 255, 300].into_iter().chain(509..516).chain(1019..1026).chain([1100]) {
            let page = tree::page(&(format!("<{tag}>").repeat(depth) + "x<p>y</b>z"));
            assert_eq!(ours(&page), theirs(&page), "{depth} times <{tag}>");
        }
    }
}

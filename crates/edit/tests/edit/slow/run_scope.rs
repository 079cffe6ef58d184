//! The scope of a run, compared with a comparison of all tokens outside of it.

use crate::documents::{WORDS, block, blocks, document_of, for_seeds};
use crate::run_scope::bind_scope;
use copydesk_base::{ErrorInfo, Locale};
use copydesk_document::{Document, Node};
use copydesk_edit::guard::ScopeRange;
use copydesk_edit::{Change, DocumentCell, EditContext, guard};
use std::rc::Rc;

/// Returns one token for each position: an opening, a closing (with its node), a leaf, or a code unit.
fn tokens(document: &Document) -> Vec<String> {
    fn write(document: &Document, node: &Node, out: &mut Vec<String>) {
        let marks = || format!("{:?}", node.marks());
        match node.text() {
            Some(text) => out.extend(text.encode_utf16().map(|unit| format!("{unit}{}", marks()))),
            None if node.is_leaf() => out.push(node.to_json(document.schema())),
            None => {
                let markup = node.with_children(Vec::new()).to_json(document.schema());
                out.push(markup.clone());
                node.children().iter().for_each(|child| write(document, child, out));
                out.push(format!("/{markup}"));
            }
        }
    }
    let mut out = Vec::new();
    document.blocks().iter().for_each(|node| write(document, node, &mut out));
    out
}

#[test]
fn an_edit_is_in_the_scope_if_all_outside_of_it_stays() {
    let counts = std::cell::Cell::new([0_usize; 2]);
    for_seeds(4000, |random| {
        let document = document_of(&blocks(random, 1, 4));
        let cell = DocumentCell::new(document.clone());
        let (a, b) = (random.below(document.size() + 1), random.below(document.size() + 1));
        let scope = Rc::new(bind_scope(&cell, ScopeRange { from: a.min(b), to: a.max(b) }).unwrap());
        let range = scope.range(&document);
        let (before, first) = (tokens(&document), random.below(document.blocks().len()));
        // A block becomes another one, or a part of its text does.
        let start = document.block_start(first);
        let end = start + document.blocks()[first].size();
        let lines = document.lines_of_blocks(first..first + 1);
        let change = match random.below(3) {
            0 => {
                let with = document_of(&[block(random, 1)]);
                Change { from: start, to: end, content: with.blocks().to_vec() }
            }
            _ if lines.iter().all(|line| line.text.is_empty()) => Change { from: start, to: end, content: Vec::new() },
            _ => {
                let with_text: Vec<_> =
                    lines.iter().filter(|line| line.to > line.from && !line.text.is_empty()).collect();
                let line = *random.pick(&with_text);
                let from = line.from + random.below(line.to - line.from + 1);
                let to = from + random.below(line.to - from + 1);
                let text = Node::text_node(document.schema(), *random.pick(&WORDS), Default::default());
                Change { from, to, content: vec![text] }
            }
        };
        let Ok(after) = copydesk_edit::change::replace(&document, std::slice::from_ref(&change)) else { return };
        let after = tokens(&after);
        let same = |a: &[String], b: &[String]| a == b;
        let behind = before.len() - range.end;
        let stays = range.start + behind <= after.len()
            && same(&before[..range.start], &after[..range.start])
            && same(&before[range.end..], &after[after.len() - behind..]);
        let context = EditContext { scope: Some(scope), ..EditContext::from(Locale::En) };
        let checked = guard::check(&Default::default(), &document, &[change], &context);
        assert_eq!(checked.is_ok(), stays, "{range:?} {:?}", checked.err().map(|error| error.code()));
        let mut seen = counts.get();
        seen[usize::from(stays)] += 1;
        counts.set(seen);
    });
    if std::env::var("COPYDESK_SEED").is_err() {
        assert!(counts.get().iter().all(|count| *count > 200), "{counts:?}");
    }
}

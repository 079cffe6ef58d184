//! Text replaced in several places of a line at once, and many texts found in another.

use crate::documents::{document_of, for_seeds};
use crate::random::Random;
use copydesk_document::align::{Relation, align};
use copydesk_document::{Document, Node, OBJECT, Schema};
use copydesk_edit::dictionary::Dictionary;
use copydesk_edit::patterns::Patterns;
use copydesk_edit::{retext, runs};
use serde_json::{Value, json};
use std::ops::Range;

/// A schema with footnotes, which hold text and pictures, and with marks.
fn schema() -> std::sync::Arc<Schema> {
    let schema = json!({
        "nodes": [
            { "name": "doc", "content": "paragraph+" },
            { "name": "paragraph", "content": "inline*" },
            { "name": "text", "group": "inline" },
            { "name": "icon", "group": "inline", "inline": true, "attrs": { "src": { "default": "" } } },
            { "name": "note", "group": "inline", "inline": true, "content": "(text | icon)*" },
        ],
        "marks": [{ "name": "bold" }, { "name": "link", "inclusive": false, "attrs": { "href": {} } }],
    });
    Schema::from_json(&schema.to_string()).unwrap()
}

fn inline(random: &mut Random, depth: usize) -> Vec<Value> {
    let text = |random: &mut Random| {
        let words = ["tea", "tea ", " a", "中", "😀", "tea tea"];
        let text: String = (0..=random.below(2)).map(|_| *random.pick(&words)).collect();
        match random.below(3) {
            0 => json!({ "type": "text", "text": text, "marks": [{ "type": "bold" }] }),
            1 => json!({ "type": "text", "text": text, "marks": [{ "type": "link", "attrs": { "href": "/a" } }] }),
            _ => json!({ "type": "text", "text": text }),
        }
    };
    let node = |random: &mut Random| match random.below(6) {
        0 => json!({ "type": "icon", "attrs": { "src": random.below(2).to_string() } }),
        1 if depth == 0 => json!({ "type": "note", "content": inline(random, 1) }),
        _ => text(random),
    };
    (0..random.below(6)).map(|_| node(random)).collect()
}

fn paragraph(random: &mut Random) -> (std::sync::Arc<Schema>, Vec<Node>) {
    let schema = schema();
    let json = json!({ "type": "doc", "content": [{ "type": "paragraph", "content": inline(random, 0) }] });
    let document = Document::from_json(&json.to_string(), schema.clone()).unwrap();
    (schema, document.blocks()[0].children().to_vec())
}

/// The places of a text, but for those that end inside a note and begin outside of it.
fn places(schema: &Schema, content: &[Node], of: &str) -> Vec<Range<usize>> {
    let text = runs::flat_text(schema, content);
    let all: Vec<Range<usize>> = text.match_indices(of).map(|(at, found)| at..at + found.len()).collect();
    let cut = runs::cut_objects(schema, content, &all);
    all.into_iter().zip(cut).filter(|(_, cut)| !cut).map(|(range, _)| range).collect()
}

#[test]
fn places_replaced_at_once_are_places_replaced_one_by_one() {
    for_seeds(3000, |random| {
        let (schema, content) = paragraph(random);
        let old = random.pick(&["tea", "a", " ", "a t", "[icon: 0]", "a[icon: 1]", "\u{FFFC}", "a\u{FFFC}"]);
        let new = random.pick(&["coffee", "", "a\nb", "[icon: 0]", "x [icon: 1] y", "\u{FFFC}", "x \u{FFFC} y"]);
        let ranges = places(&schema, &content, old);
        let one = |content: Vec<Node>, range: &Range<usize>| {
            retext::replace_all(&schema, &content, std::slice::from_ref(range), new)
        };
        let slow = ranges.iter().rev().fold(content.clone(), one);
        assert_eq!(retext::replace_all(&schema, &content, &ranges, new), slow, "{old:?} to {new:?} in {content:?}");
    });
}

#[test]
fn what_cuts_an_object_is_found_for_all_places_as_for_each() {
    for_seeds(1000, |random| {
        let (schema, content) = paragraph(random);
        let text = runs::flat_text(&schema, &content);
        let mut ends: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        ends.retain(|_| random.below(2) == 0);
        let ranges: Vec<Range<usize>> = ends.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect();
        let slow = |range: &Range<usize>| runs::cut_objects(&schema, &content, std::slice::from_ref(range))[0];
        let expected: Vec<bool> = ranges.iter().map(slow).collect();
        assert_eq!(runs::cut_objects(&schema, &content, &ranges), expected);
    });
}

#[test]
fn a_text_of_which_a_place_is_in_a_note_keeps_the_note() {
    let (schema, text) = (schema(), "\u{FFFC}");
    let json = json!({ "type": "doc", "content": [{ "type": "paragraph", "content": [
        { "type": "text", "text": "tea " },
        { "type": "note", "content": [{ "type": "text", "text": "tea and tea" }] },
        { "type": "text", "text": " tea" },
    ] }] });
    let document = Document::from_json(&json.to_string(), schema.clone()).unwrap();
    let content = document.blocks()[0].children();
    let new = retext::replace_all(&schema, content, &places(&schema, content, "tea"), "coffee");
    assert_eq!(runs::flat_text(&schema, &new), format!("coffee {text}coffee and coffee{text} coffee"));
    assert_eq!(new.len(), 3);
}

#[test]
fn the_longest_beginning_is_that_of_a_search_through_all() {
    for_seeds(2000, |random| {
        let word = |random: &mut Random, most: usize| -> String {
            (0..random.below(most)).map(|_| *random.pick(&['a', 'b', OBJECT])).collect()
        };
        let all: Vec<String> = (0..random.below(12)).map(|_| word(random, 6)).collect();
        let text = word(random, 10);
        let mut expected: Vec<&str> = all.iter().map(String::as_str).filter(|word| text.starts_with(word)).collect();
        expected.sort_by_key(|word| std::cmp::Reverse(word.len()));
        expected.dedup();
        let dictionary = Dictionary::of(all.iter().map(String::as_str));
        assert_eq!(dictionary.prefixes_of(&text).collect::<Vec<_>>(), expected);
        assert_eq!(dictionary.longest_prefix_of(&text), expected.first().copied());
    });
}

#[test]
fn patterns_are_where_a_search_for_each_finds_them_alone() {
    for_seeds(2000, |random| {
        let row = |random: &mut Random, length: usize| -> Vec<Option<u32>> {
            (0..length).map(|_| Some(random.below(3) as u32).filter(|_| random.below(8) > 0)).collect()
        };
        let length = random.below(20);
        let text = row(random, length);
        let patterns: Vec<Vec<Option<u32>>> = (0..random.below(6))
            .map(|_| {
                let length = random.below(5);
                row(random, length)
            })
            .collect();
        let slow = |pattern: &Vec<Option<u32>>| {
            let is_whole = !pattern.is_empty() && !pattern.contains(&None);
            let mut places = (0..text.len()).filter(|at| is_whole && text[*at..].starts_with(pattern));
            places.next().filter(|_| places.next().is_none())
        };
        let expected: Vec<Option<usize>> = patterns.iter().map(slow).collect();
        let found = Patterns::of(patterns.iter().map(Vec::as_slice)).find_unique(&text);
        assert_eq!(found, expected, "{patterns:?} in {text:?}");
    });
}

#[test]
fn a_document_of_pictures_is_compared_by_their_addresses() {
    // The images differ in one attribute only.
    let picture = |at: usize| json!({ "type": "image", "attrs": { "src": format!("/{at}.png") } });
    let old: Vec<Value> = (0..40).map(picture).collect();
    let new: Vec<Value> = (0..40).filter(|at| at % 4 != 1).map(picture).collect();
    let (old, new) = (document_of(&old), document_of(&new));
    let kept: usize = align(old.blocks(), new.blocks())
        .iter()
        .filter(|chunk| chunk.relation == Relation::Equal)
        .map(|chunk| chunk.old.len())
        .sum();
    assert_eq!(kept, 30);
}

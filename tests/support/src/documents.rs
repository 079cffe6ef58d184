//! Random documents of the built-in schema, and runs that print their seed.

#![allow(dead_code, reason = "each test program uses a part of it")]

use crate::random::Random;
use copydesk_document::{Document, Schema};
use serde_json::{Value, json};

/// Runs a check for many seeds and names the one that failed.
pub fn for_seeds(count: u64, check: impl Fn(&mut Random)) {
    let only = std::env::var("COPYDESK_SEED").ok().and_then(|seed| seed.parse::<u64>().ok());
    let seeds = only.map_or(0..count, |seed| seed..seed + 1);
    for seed in seeds {
        let run = std::panic::AssertUnwindSafe(|| check(&mut Random::from_seed(seed)));
        if let Err(cause) = std::panic::catch_unwind(run) {
            eprintln!("it failed with COPYDESK_SEED={seed}");
            std::panic::resume_unwind(cause);
        }
    }
}

pub const WORDS: [&str; 10] = ["one", "two ", " three", "中文字", "😀", "👩‍👧", "e\u{301}", "\u{a0}", "<x>", "tail."];

fn inline(random: &mut Random) -> Value {
    let mut nodes: Vec<Value> = Vec::new();
    for index in 0..random.below(4) {
        let text: String = (0..=random.below(3)).map(|_| *random.pick(&WORDS)).collect();
        match random.below(5) {
            0 => nodes.push(json!({"type": "hardBreak"})),
            1 => nodes.push(json!({"type": "text", "marks": [{"type": "italic"}], "text": format!("{text}\nnext")})),
            // Neighbours get different marks, so that they are not joined.
            _ if index % 2 == 0 => nodes.push(json!({"type": "text", "marks": [{"type": "bold"}], "text": text})),
            _ => nodes.push(json!({"type": "text", "text": text})),
        }
    }
    nodes.into()
}

pub fn block(random: &mut Random, depth: usize) -> Value {
    let inner =
        |random: &mut Random| -> Vec<Value> { (0..=random.below(2)).map(|_| block(random, depth + 1)).collect() };
    match random.below(if depth > 2 { 6 } else { 10 }) {
        0..3 => json!({"type": "paragraph", "content": inline(random)}),
        3 => json!({"type": "heading", "attrs": {"level": 1 + random.below(3)}, "content": inline(random)}),
        4 if random.below(2) == 0 => json!({"type": "horizontalRule"}),
        4 => json!({"type": "image", "attrs": {"src": "/1.png", "alt": *random.pick(&WORDS)}}),
        5 => {
            let lines: Vec<&str> = (0..=random.below(3)).map(|_| *random.pick(&WORDS)).collect();
            json!({"type": "codeBlock", "content": [{"type": "text", "text": lines.join("\n")}]})
        }
        6 => json!({"type": "blockquote", "content": inner(random)}),
        7 => {
            let mut content = vec![json!({"type": "paragraph", "content": inline(random)})];
            content.extend(inner(random));
            json!({"type": "bulletList", "content": [{"type": "listItem", "content": content}]})
        }
        8 => {
            json!({"type": "taskList", "content": [{"type": "taskItem", "attrs": {"checked": true}, "content": [{"type": "paragraph", "content": inline(random)}]}]})
        }
        _ => {
            json!({"type": "table", "content": [{"type": "tableRow", "content": [{"type": "tableCell", "content": inner(random)}, {"type": "tableHeader", "content": inner(random)}]}]})
        }
    }
}

pub fn blocks(random: &mut Random, least: usize, most: usize) -> Vec<Value> {
    (0..least + random.below(most - least + 1)).map(|_| block(random, 0)).collect()
}

pub fn document_of(blocks: &[Value]) -> Document {
    Document::from_json(&json!({"type": "doc", "content": blocks}).to_string(), Schema::tiptap()).unwrap()
}

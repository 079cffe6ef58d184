//! Properties of every document, tried on random ones. `COPYDESK_SEED=n` makes a run again.

use crate::documents::{blocks, document_of, for_seeds};
use crate::random::Random;
use copydesk_base::ErrorInfo;
use copydesk_document::{BlockId, Document, Line, Node, Schema, Section, SectionKeys, Style, utf16};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

#[test]
fn a_document_that_followed_every_edit_equals_one_read_afresh() {
    for_seeds(300, |random| {
        let mut current = blocks(random, 1, 12);
        let mut document = document_of(&current);
        for _ in 0..12 {
            let (before, ids) = (document.blocks().to_vec(), document.block_ids().to_vec());
            let from = random.below(current.len() + 1);
            let removed = random.below((current.len() - from).min(4) + 1);
            let least = usize::from(removed == current.len());
            let mut new = blocks(random, least, 3);
            // Often some of the old blocks are among the new ones.
            for old in current[from..from + removed].iter().filter(|_| random.below(2) == 0) {
                new.push(old.clone());
            }
            document.sync(from, removed, &Value::from(new.clone()).to_string()).unwrap();
            current.splice(from..from + removed, new);
            let fresh = document_of(&current);
            assert_eq!(document, fresh);
            assert_eq!(document.lines(), fresh.lines());
            assert_eq!(document.sections(), fresh.sections());
            assert_eq!(document.size(), fresh.size());
            assert_eq!(document.to_html(), fresh.to_html());
            check_ids(&before, &ids, &document, from, removed);
        }
    });
}

/// A cache of the HTML of sections by their keys.
#[derive(Default)]
struct Reader {
    since: u32,
    html: HashMap<u32, String>,
}

impl Reader {
    /// Returns the HTML of each section; only sections with new keys are written. `written` counts them.
    fn read(&mut self, keys: &mut SectionKeys, document: &Document, written: &mut usize) -> Vec<String> {
        let sections = document.sections();
        let given = keys.of(document.blocks(), &sections);
        assert_eq!(given.iter().collect::<HashSet<_>>().len(), sections.len(), "the keys of sections are distinct");
        let texts = sections.iter().zip(given).map(|(section, key)| {
            if key >= self.since {
                *written += 1;
                return (key, document.html_of(&document.blocks()[section.blocks.clone()]));
            }
            (key, self.html[&key].clone())
        });
        let texts: Vec<_> = texts.collect();
        self.html = texts.iter().cloned().collect();
        self.since = keys.next();
        texts.into_iter().map(|(_, html)| html).collect()
    }
}

#[test]
fn sections_with_known_keys_are_unchanged() {
    let html_of = |document: &Document| -> Vec<String> {
        let content = |section: &Section| document.html_of(&document.blocks()[section.blocks.clone()]);
        document.sections().iter().map(content).collect()
    };
    for_seeds(300, |random| {
        let mut document = document_of(&blocks(random, 1, 30));
        let (mut keys, mut often, mut seldom) = (SectionKeys::default(), Reader::default(), Reader::default());
        for _ in 0..20 {
            let count = document.blocks().len();
            let from = random.below(count + 1);
            let removed = random.below((count - from).min(4) + 1);
            let mut new = document_of(&blocks(random, 1, 3)).blocks().to_vec();
            // Blocks that are moved or copied as the same values.
            if random.below(3) == 0 {
                let at = random.below(count);
                new.extend_from_slice(&document.blocks()[at..(at + 6).min(count)]);
            }
            document.splice(from..from + removed, new);
            if random.below(8) == 0 {
                keys.invalidate(&document.blocks()[..1]);
            }
            if random.below(16) == 0 {
                keys.invalidate_all();
            }
            let expected = html_of(&document);
            assert_eq!(often.read(&mut keys, &document, &mut 0), expected);
            let mut written = 0;
            assert_eq!(often.read(&mut keys, &document, &mut written), expected);
            assert_eq!(written, 0, "nothing has changed");
            if random.below(4) == 0 {
                assert_eq!(seldom.read(&mut keys, &document, &mut 0), expected);
            }
        }
    });
}

#[test]
fn a_change_gives_only_its_section_a_new_key() {
    let html: String = (0..9).map(|at| format!("<h2>Part {at}</h2><p>One.</p><p>Two.</p>")).collect();
    let mut document = Document::from_html(&html).unwrap();
    let mut keys = SectionKeys::default();
    let before = keys.of(document.blocks(), &document.sections());
    let paragraph = Document::from_html("<p>Other.</p>").unwrap().blocks().to_vec();
    document.splice(13..14, paragraph);
    let after = keys.of(document.blocks(), &document.sections());
    let changed: Vec<usize> = (0..after.len()).filter(|at| before[*at] != after[*at]).collect();
    assert_eq!(changed, [5], "section 0 is empty");
    keys.invalidate(&document.blocks()[..1]);
    let invalidated = keys.of(document.blocks(), &document.sections());
    let changed: Vec<usize> = (0..after.len()).filter(|at| invalidated[*at] != after[*at]).collect();
    assert_eq!(changed, [1]);
}

#[test]
fn several_stretches_at_once_come_to_the_same_as_one_after_the_other() {
    for_seeds(300, |random| {
        let mut current = blocks(random, 1, 14);
        let mut document = document_of(&current);
        let before = document.clone();
        let (mut stretches, mut came, mut at) = (Vec::new(), Vec::new(), 0);
        let mut now = Vec::new();
        while at < current.len() {
            let from = (at + random.below(4)).min(current.len());
            now.extend_from_slice(&current[at..from]);
            let removed = random.below((current.len() - from).min(2) + 1);
            let added = blocks(random, 0, 2);
            stretches.push([from, removed, added.len()]);
            now.extend(added.clone());
            came.extend(added);
            at = from + removed + 1;
            now.extend(current.get(from + removed).cloned());
        }
        if now.is_empty() {
            return;
        }
        document.sync_stretches(&stretches, &Value::from(came).to_string()).unwrap();
        current = now;
        assert_eq!(document, document_of(&current));
        let ids = document.block_ids();
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
        let untouched =
            before.block_ids().iter().enumerate().filter(|(index, _)| {
                !stretches.iter().any(|[from, removed, _]| (*from..from + removed).contains(index))
            });
        for (index, id) in untouched {
            let found = document.block_with_id(*id).map(|found| &document.blocks()[found]);
            assert!(found.is_some_and(|found| found.ptr_eq(&before.blocks()[index])), "what lies between stays itself");
        }
    });
}

#[test]
fn stretches_that_overlap_or_bring_another_count_are_refused() {
    let document = document_of(&blocks(&mut Random::from_seed(1), 6, 6));
    let paragraph = json!([{ "type": "paragraph" }]).to_string();
    for stretches in [&[[2, 2, 1], [3, 1, 0]][..], &[[4, 3, 1]], &[[0, 1, 2]], &[[0, 1, 0]], &[[usize::MAX, 1, 1]]] {
        let mut document = document.clone();
        assert_eq!(document.sync_stretches(stretches, &paragraph).unwrap_err().code(), "invalid_document");
        assert_eq!(document.version(), "v1");
    }
}

/// Blocks outside the change keep their ids, no id is there twice, and the ids of edited blocks stay in order.
fn check_ids(before: &[Node], ids: &[BlockId], document: &Document, from: usize, removed: usize) {
    let now = document.block_ids();
    let after = before.len() - from - removed;
    assert_eq!(now[..from], ids[..from]);
    assert_eq!(now[now.len() - after..], ids[ids.len() - after..]);
    assert_eq!(now.iter().collect::<HashSet<_>>().len(), now.len());
    let place = |id: &BlockId| ids.iter().position(|old| old == id);
    let kept = now.iter().zip(document.blocks()).filter_map(|(id, block)| place(id).filter(|at| before[*at] != *block));
    assert!(kept.is_sorted(), "only an equal block moves");
    let gone = (0..ids.len()).filter(|at| !now.contains(&ids[*at]));
    for (id, block) in gone
        .flat_map(|gone| now.iter().zip(document.blocks()).map(move |new| (gone, new)))
        .filter_map(|(gone, (id, block))| (before[gone] == *block).then_some((id, block)))
    {
        assert!(place(id).is_some_and(|at| before[at] == *block), "an equal block that is gone is no new block");
    }
    for (index, id) in now.iter().enumerate() {
        if let Some(old) = ids.iter().position(|old| old == id).filter(|old| before[*old] == document.blocks()[index]) {
            assert!(before[old].ptr_eq(&document.blocks()[index]), "an unchanged block is the same value");
        }
    }
}

/// The blocks of a document, all of them different.
fn different(random: &mut Random, least: usize, most: usize) -> Vec<Value> {
    let mut different: Vec<Value> = Vec::new();
    for block in blocks(random, least, most) {
        if !different.contains(&block) {
            different.push(block);
        }
    }
    different
}

#[test]
fn moved_blocks_keep_their_ids() {
    for_seeds(500, |random| {
        let current = different(random, 1, 14);
        let mut document = document_of(&current);
        let ids = document.block_ids().to_vec();
        let mut order: Vec<usize> = (0..current.len()).collect();
        for _ in 0..1 + random.below(3) {
            let first = random.below(order.len());
            let last = first + 1 + random.below(order.len() - first);
            order[first..last].rotate_left(random.below(last - first));
        }
        let now: Vec<Value> = order.iter().map(|at| current[*at].clone()).collect();
        let version = document.version();
        document.sync(0, current.len(), &Value::from(now).to_string()).unwrap();
        assert_eq!(document.block_ids(), order.iter().map(|at| ids[*at]).collect::<Vec<_>>());
        assert_eq!(document.version() == version, order.is_sorted());
    });
}

#[test]
fn blocks_that_move_from_one_stretch_to_another_keep_their_ids() {
    for_seeds(500, |random| {
        let current = different(random, 1, 14);
        let mut document = document_of(&current);
        let ids = document.block_ids().to_vec();
        let mut cuts = [0; 3].map(|_| random.below(current.len() + 1));
        cuts.sort_unstable();
        let [first, last, to] = cuts;
        let (stretches, mut order) =
            ([[first, last - first, 0], [to, 0, last - first]], (0..ids.len()).collect::<Vec<_>>());
        order[first..to].rotate_left(last - first);
        document.sync_stretches(&stretches, &Value::from(current[first..last].to_vec()).to_string()).unwrap();
        assert_eq!(document.block_ids(), order.iter().map(|at| ids[*at]).collect::<Vec<_>>());
    });
}

#[test]
fn a_block_that_is_typed_in_keeps_its_id() {
    for_seeds(100, |random| {
        let mut current = blocks(random, 2, 8);
        let mut document = document_of(&current);
        let ids = document.block_ids().to_vec();
        let at = random.below(current.len());
        current[at] =
            json!({"type": "paragraph", "content": [{"type": "text", "text": "a sentence that is long enough"}]});
        document.sync(at, 1, &json!([current[at]]).to_string()).unwrap();
        let typed =
            json!([{"type": "paragraph", "content": [{"type": "text", "text": "a sentence that is long enough to"}]}]);
        let before = document.block_ids().to_vec();
        let version = document.version();
        document.sync(at, 1, &typed.to_string()).unwrap();
        assert_eq!(document.block_ids(), before);
        assert_ne!(document.version(), version);
        assert_eq!(ids.len(), before.len());
    });
}

#[test]
fn blocks_that_are_renamed_get_ids_that_no_block_ever_had() {
    for_seeds(20, |random| {
        let mut document = document_of(&blocks(random, 2, 8));
        let mut known: HashSet<BlockId> = document.block_ids().iter().copied().collect();
        for _ in 0..4 {
            let at = random.below(document.blocks().len());
            document.rename_anew(at);
            assert!(known.insert(document.block_ids()[at]), "{:?}", document.block_ids());
        }
        assert!(!known.contains(&document.next_id()));
    });
}

#[test]
fn a_sync_that_changes_nothing_keeps_the_version() {
    for_seeds(50, |random| {
        let current = blocks(random, 1, 6);
        let mut document = document_of(&current);
        let version = document.version();
        document.sync(0, current.len(), &Value::from(current.clone()).to_string()).unwrap();
        assert_eq!(document.version(), version);
    });
}

#[test]
fn widths_add_up_and_lines_stand_where_their_text_is() {
    for_seeds(300, |random| {
        let document = document_of(&blocks(random, 1, 8));
        assert_eq!(document.size(), document.blocks().iter().map(Node::size).sum::<usize>());
        let lines = document.lines();
        assert_eq!(lines.len(), document.line_count());
        let schema = document.schema();
        let mut end = 0;
        for (index, line) in lines.iter().enumerate() {
            assert_eq!(line.line, index + 1);
            assert!(line.from >= end && line.to >= line.from && line.to <= document.size());
            end = line.to;
            let node = node_at(document.blocks(), &line.path);
            assert_eq!(node.name(schema), line.kind);
            assert_eq!(line.block, line.path[0]);
            assert_eq!(document.block_at(line.from), line.block);
            assert!(document.line_numbers_of(line.block).contains(&line.line));
            if schema.is_textblock(node.kind()) {
                assert_eq!(line.to - line.from, utf16::len(&line.text));
                let start = content_start(&document, &line.path);
                assert_eq!(line.text, text_between(node, line.from - start, line.to - start));
            }
        }
        let (first, last) = (1 + random.below(lines.len()), 1 + random.below(lines.len()));
        let some: Vec<Line> = lines.iter().filter(|line| (first..=last).contains(&line.line)).cloned().collect();
        assert_eq!(document.lines_between(first, last), some);
    });
}

fn node_at<'d>(blocks: &'d [Node], path: &[usize]) -> &'d Node {
    let (first, rest) = path.split_first().unwrap();
    if rest.is_empty() { &blocks[*first] } else { node_at(blocks[*first].children(), rest) }
}

/// The position where the content of a node begins, counted the slow way.
fn content_start(document: &Document, path: &[usize]) -> usize {
    let mut siblings = document.blocks();
    let mut position = 0;
    for index in path {
        position += siblings[..*index].iter().map(Node::size).sum::<usize>() + 1;
        siblings = siblings[*index].children();
    }
    position
}

/// The text between two offsets into a textblock, by UTF-16 units.
fn text_between(textblock: &Node, from: usize, to: usize) -> String {
    let units: Vec<u16> =
        textblock.children().iter().flat_map(|child| child.text().unwrap_or("\u{fffc}").encode_utf16()).collect();
    String::from_utf16(&units[from..to]).unwrap()
}

#[test]
fn sections_cover_the_document_one_after_the_other() {
    for_seeds(300, |random| {
        let document = document_of(&blocks(random, 1, 10));
        let sections = document.sections();
        assert_eq!(sections.is_empty(), document.is_empty());
        for (index, section) in sections.iter().enumerate() {
            assert_eq!(section.index, index);
            let (next_block, next) = match sections.get(index + 1) {
                Some(next) => (next.blocks.start, next.from),
                None => (document.blocks().len(), document.size()),
            };
            assert_eq!((section.blocks.end, section.to), (next_block, next));
            assert_eq!(section.from, document.block_start(section.blocks.start));
            assert!(section.heading.is_none_or(|heading| section.blocks.contains(&heading)));
        }
    });
}

#[test]
fn json_and_values_read_back_as_they_were() {
    for_seeds(300, |random| {
        let document = document_of(&blocks(random, 1, 8));
        let schema = document.schema();
        let again = Document::from_json(&document.to_json(), schema.clone()).unwrap();
        assert_eq!(document, again);
        assert_eq!(document.to_json(), again.to_json());
        for block in document.blocks() {
            assert_eq!(Node::from_value(schema, &block.to_value(schema)).unwrap(), *block);
        }
    });
}

#[test]
fn html_settles_after_one_reading() {
    for_seeds(300, |random| {
        let document = document_of(&blocks(random, 1, 8));
        let once = Document::from_html(document.to_html()).unwrap();
        let twice = Document::from_html(once.to_html()).unwrap();
        assert_eq!(once.to_html(), twice.to_html());
    });
}

#[test]
fn both_styles_number_every_line_alike() {
    for_seeds(100, |random| {
        let document = document_of(&blocks(random, 1, 8));
        let numbers = |style| {
            let text = document.numbered(None, None, style).unwrap();
            let number = |row: &str| row.split_once(": ").and_then(|(number, _)| number.parse::<usize>().ok());
            text.lines().filter_map(number).collect::<Vec<_>>()
        };
        assert_eq!(numbers(Style::Plain), (1..=document.line_count()).collect::<Vec<_>>());
        assert_eq!(numbers(Style::Structure), numbers(Style::Plain));
    });
}

#[test]
fn text_is_cut_by_utf16_units_and_never_inside_a_pair() {
    let schema = Schema::tiptap();
    let text = Node::text_node(&schema, "a😀b", Default::default());
    assert_eq!(text.size(), 4);
    let cut = |from, to| text.cut_text(from, to).text().unwrap().to_owned();
    assert_eq!([cut(0, 1), cut(1, 3), cut(3, 4), cut(0, 2), cut(2, 4), cut(4, 9)], ["a", "😀", "b", "a", "😀b", ""]);
}

/// A schema that the crate has never heard of.
fn custom() -> Arc<Schema> {
    let schema = json!({
        "topNode": "page",
        "nodes": [
            {"name": "page", "content": "block+", "attrs": {"theme": {"default": "light"}}},
            {"name": "paragraph", "content": "inline*", "group": "block"},
            {"name": "callout", "content": "block+", "group": "block", "attrs": {"kind": {"default": "info"}, "icon": {}}},
            {"name": "chart", "group": "block", "atom": true, "attrs": {"data": {"default": null}}},
            {"name": "mention", "group": "inline", "inline": true, "attrs": {"id": {}, "label": {"default": null}}},
            {"name": "footnote", "group": "inline", "inline": true, "content": "text*"},
            {"name": "text", "group": "inline"},
        ],
        "marks": [{"name": "comment", "attrs": {"id": {}}, "excludes": ""}, {"name": "bold"}],
    });
    Schema::from_json(&schema.to_string()).unwrap()
}

#[test]
fn nodes_of_a_schema_never_heard_of_are_carried_unharmed() {
    let text = json!({"type": "page", "attrs": {"theme": "dark"}, "content": [
        {"type": "callout", "attrs": {"kind": "warn", "icon": "!"}, "content": [
            {"type": "paragraph", "content": [
                {"type": "text", "text": "Ask "},
                {"type": "mention", "attrs": {"id": 7, "label": null}},
                {"type": "text", "marks": [{"type": "comment", "attrs": {"id": "a"}}, {"type": "comment", "attrs": {"id": "b"}}], "text": " soon"},
                {"type": "footnote", "content": [{"type": "text", "text": "now"}]},
            ]},
        ]},
        {"type": "chart", "attrs": {"data": {"x": [1, 2.5, null]}}},
    ]})
    .to_string();
    let document = Document::from_json(&text, custom()).unwrap();
    assert_eq!(document.to_json(), text);
    assert_eq!(document.size(), 2 + 2 + 4 + 1 + 5 + 5 + 1);
    let lines = document.lines();
    assert_eq!(lines[0].text, "Ask @7 soon\u{fffc}now\u{fffc}");
    assert_eq!(lines[0].atoms, std::slice::from_ref(&(4..6)));
    assert_eq!((lines[0].from, lines[0].to, lines[0].path.as_slice()), (2, 17, [0, 0].as_slice()));
    assert_eq!((lines[1].from, lines[1].to, lines[1].kind.as_str()), (19, 20, "chart"));
    let html = document.to_html();
    for part in [
        "<div data-type=\"callout\" kind=\"warn\" icon=\"!\">",
        "<span data-type=\"mention\" data-id=\"7\">@7</span>",
        "now",
        "<div data-type=\"chart\" data=\"{&quot;x&quot;:[1,2.5,null]}\">",
    ] {
        assert!(html.contains(part), "{html} has no {part}");
    }
}

#[test]
fn numbers_come_back_to_the_last_digit() {
    let json = r#"{"type":"doc","content":[{"type":"image","attrs":{"src":"/1.png","alt":null,"title":null,"width":0.19844004278856286,"height":333.3333333333333}}]}"#;
    assert_eq!(Document::from_json(json, Schema::tiptap()).unwrap().to_json(), json);
}

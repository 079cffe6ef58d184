//! Properties of any edit of lines on any document. `COPYDESK_SEED=n` makes a run again.

use super::documents::{blocks, document_of, for_seeds};
use super::random::Random;
use super::update;
use copydesk_base::ErrorInfo;
use copydesk_base::Locale;
use copydesk_document::{Document, Line, Node};
use copydesk_edit::Error;
use copydesk_edit::inlines::Inlines;
use copydesk_edit::record::DiffRecord;
use copydesk_edit::relocate::Shown;
use copydesk_edit::{Applied, Change, DocUpdate, DocumentCell, EditContext, apply, change};
use serde_json::{Value, json};

/// Words that are in no document, that every document may have, and that make up what readers see as one character.
const NEW: [&str; 9] = ["new", "one two", "", "中文字", "😀", "👩‍👧‍👦", "e\u{301}", "tail. tail.", "x\u{200d}y"];

/// Lines of plain text for a content, which ends with a newline so that an empty last line is one.
fn some_lines(random: &mut Random, most: usize) -> Vec<String> {
    let words = |random: &mut Random| (0..=random.below(3)).map(|_| *random.pick(&NEW)).collect::<Vec<_>>().join(" ");
    (0..random.below(most + 1)).map(|_| words(random).trim().to_owned()).collect()
}

fn content(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn texts(document: &Document) -> Vec<String> {
    document.lines().into_iter().map(|line| line.text).collect()
}

/// A range of lines and its new content: other lines, often including old ones.
fn edit_of(random: &mut Random, document: &Document) -> (usize, usize, Vec<String>) {
    let total = document.line_count();
    let first = 1 + random.below(total);
    let last = (first + random.below(4)).min(total);
    let mut new = some_lines(random, 4);
    for line in document.lines_between(first, last) {
        if random.below(2) == 0 {
            new.insert(random.below(new.len() + 1), line.text);
        }
    }
    (first, last, new)
}

fn replace_lines(first: usize, last: usize, new: &[String]) -> Value {
    let edit = json!({ "start_line": first, "end_line": last, "content": content(new), "format": "text" });
    json!({ "operation": "replace_lines", "edits": [edit] })
}

fn valid(document: &Document) {
    for block in document.blocks() {
        assert_eq!(document.schema().check(block), Ok(()));
    }
    let again = Document::from_json(&document.to_json(), document.schema().clone()).unwrap();
    assert_eq!(again, *document);
}

/// Checks that `found` has the lines `expected`, except for empty lines that stayed because their block had to: in
/// cells, in items that nothing else can replace, and in a document that would otherwise be empty; and leaves, which
/// text does not state.
fn assert_lines(found: &Document, expected: &[String], gone: usize) {
    let is_leaf = |line: &Line| found.node_at(&line.path).is_some_and(Node::is_leaf);
    let stays = |line: &Line| line.text.is_empty() && (line.path.len() > 1 || found.line_count() == 1) || is_leaf(line);
    // reached[n]: true if the lines so far are the first n expected ones and lines that stayed.
    let mut reached: Vec<bool> = (0..=expected.len()).map(|count| count == 0).collect();
    for line in found.lines() {
        let matches = |count: &usize| *count > 0 && reached[count - 1] && expected[count - 1] == line.text;
        reached = (0..=expected.len()).map(|count| reached[count] && stays(&line) || matches(&count)).collect();
    }
    assert!(reached[expected.len()], "{:?} are not {expected:?}", texts(found));
    assert!(found.line_count() <= expected.len() + gone, "{gone} lines went, and yet: {:?}", texts(found));
}

/// The changes as their JSON has them.
fn changes_of(document: &Document, applied: &Applied) -> Vec<Change> {
    let change = |value: &Value| Change {
        from: value["from"].as_u64().unwrap() as usize,
        to: value["to"].as_u64().unwrap() as usize,
        content: value["content"]
            .as_array()
            .unwrap()
            .iter()
            .map(|node| Node::from_value(document.schema(), node).unwrap())
            .collect(),
    };
    applied.changes.as_array().unwrap().iter().map(change).collect()
}

/// Makes the changes one by one in a random order; each leaves a valid document, and all of them the same.
fn assert_any_order(random: &mut Random, before: &Document, changes: &[Change], after: &Document) {
    let mut left: Vec<usize> = (0..changes.len()).collect();
    let mut made: Vec<usize> = Vec::new();
    let mut document = before.clone();
    while !left.is_empty() {
        let index = left.remove(random.below(left.len()));
        let grown =
            |made: &usize| changes[*made].new_size() as isize - (changes[*made].to - changes[*made].from) as isize;
        let moved: isize = made.iter().filter(|other| **other < index).map(grown).sum();
        let at = |position: usize| position.checked_add_signed(moved).unwrap();
        let change = Change {
            from: at(changes[index].from),
            to: at(changes[index].to),
            content: changes[index].content.clone(),
        };
        document = change::replace(&document, &[change]).unwrap();
        valid(&document);
        made.push(index);
    }
    assert_eq!(document.to_json(), after.to_json());
}

fn code_lines(code: &str, first: usize, last: usize) -> Vec<String> {
    if last < first { Vec::new() } else { code.split('\n').map(str::to_owned).collect() }
}

/// The records say what became of the lines: with their new lines for their old ones the old lines are the new.
fn assert_records(before: &Document, records: &[DiffRecord], after: &Document) {
    let (mut lines, new) = (texts(before), texts(after));
    for record in records.iter().rev() {
        let old_lines = code_lines(&record.original_code, record.original_start_line, record.original_end_line);
        let new_lines = code_lines(&record.new_code, record.start_line, record.end_line);
        let at = record.original_start_line - 1..record.original_end_line;
        assert_eq!(lines[at.clone()], old_lines[..], "{record:?}");
        assert_eq!(new[record.start_line - 1..record.end_line], new_lines[..], "{record:?}");
        lines.splice(at, new_lines);
    }
    assert_eq!(lines, new, "{records:#?}");
}

/// Everything that holds for any edit.
fn assert_sound(random: &mut Random, before: &Document, applied: &Applied, after: &Document) {
    valid(after);
    assert_any_order(random, before, &changes_of(before, applied), after);
    assert_records(before, &applied.diffs, after);
}

#[test]
fn the_lines_outside_stay_and_those_of_the_range_are_the_new_ones() {
    for_seeds(600, |random| {
        let before = document_of(&blocks(random, 1, 6));
        let (first, last, new) = edit_of(random, &before);
        let cell = DocumentCell::new(before.clone());
        let applied = update(&cell, replace_lines(first, last, &new)).unwrap();
        let after = cell.document();
        let old = texts(&before);
        let expected = [&old[..first - 1], &new[..], &old[last..]].concat();
        assert_lines(&after, &expected, last + 1 - first);

        let (old_lines, new_lines) = (before.lines(), after.lines());
        let from_end = (last..old.len()).map(|line| (line, line + new_lines.len() - old_lines.len()));
        let (mut old_inlines, mut new_inlines) = (Inlines::new(&before, &old_lines), Inlines::new(&after, &new_lines));
        for (old_at, new_at) in (0..first - 1).map(|line| (line, line)).chain(from_end) {
            let (was, is) = (&old_lines[old_at], &new_lines[new_at]);
            assert_eq!((&was.text, &was.kind), (&is.text, &is.kind));
            assert_eq!(old_inlines.of(old_at), new_inlines.of(new_at), "marks outside of the range");
        }
        assert_sound(random, &before, &applied, &after);
    });
}

#[test]
fn several_ranges_are_each_what_they_are_alone() {
    for_seeds(150, |random| {
        let before = document_of(&blocks(random, 2, 8));
        let total = before.line_count();
        let (mut edits, mut expected, mut at, mut gone) = (Vec::new(), Vec::new(), 1, 0);
        let old = texts(&before);
        while at <= total {
            let first = at + random.below(4);
            let last = first + random.below(3);
            if last > total {
                break;
            }
            let new = some_lines(random, 3);
            expected.extend_from_slice(&old[at - 1..first - 1]);
            expected.extend(new.iter().cloned());
            gone += last + 1 - first;
            edits.push(json!({ "start_line": first, "end_line": last, "content": content(&new), "format": "text" }));
            at = last + 1;
        }
        if edits.is_empty() {
            return;
        }
        expected.extend_from_slice(&old[at - 1..]);
        edits.reverse();
        let cell = DocumentCell::new(before.clone());
        let applied = update(&cell, json!({ "operation": "replace_lines", "edits": edits })).unwrap();
        assert_lines(&cell.document(), &expected, gone);
        assert_sound(random, &before, &applied, &cell.document());
    });
}

#[test]
fn a_whole_document_given_back_changes_only_what_differs() {
    for_seeds(150, |random| {
        let before = document_of(&blocks(random, 1, 8));
        let mut lines = texts(&before);
        for _ in 0..random.below(3) {
            let at = random.below(lines.len());
            match random.below(3) {
                0 => lines[at] = "changed".to_owned(),
                1 => lines.insert(at, "new".to_owned()),
                _ => drop(lines.remove(at)),
            }
            if lines.iter().all(|line| line.trim().is_empty()) {
                lines.push("last".to_owned());
            }
        }
        if lines.iter().all(|line| line.trim().is_empty()) {
            return;
        }
        let cell = DocumentCell::new(before.clone());
        let edit = json!({ "content": content(&lines), "format": "text" });
        let given = json!({ "operation": "replace_lines", "edits": [edit], "whole": true });
        let applied = update(&cell, given).unwrap();
        assert_lines(&cell.document(), &lines, before.line_count());
        assert_sound(random, &before, &applied, &cell.document());
        if lines == texts(&before) {
            assert_eq!(cell.document().to_json(), before.to_json());
        }
    });
}

#[test]
fn a_text_gives_way_to_another_and_nothing_else_changes() {
    for_seeds(300, |random| {
        let before = document_of(&blocks(random, 1, 6));
        let lines: Vec<Line> = before.lines().into_iter().filter(|line| !line.text.trim().is_empty()).collect();
        if lines.is_empty() {
            return;
        }
        let line = random.pick(&lines);
        let signs: Vec<char> = line.text.chars().collect();
        let from = random.below(signs.len());
        let old: String = signs[from..from + 1 + random.below(signs.len() - from)].iter().collect();
        let new = some_lines(random, 1).concat();
        let cell = DocumentCell::new(before.clone());
        let result = update(&cell, json!({ "operation": "replace_text", "old": old, "new": new, "all": true }));
        if old.trim().is_empty() {
            assert_eq!(result.unwrap_err().code(), "invalid_parameter");
            return;
        }
        // A line beside others of its block is removed with its text.
        let all = before.lines();
        let has_others = |line: &Line| all.iter().filter(|other| other.path == line.path).count() > 1;
        let text = |line: &Line| {
            let text = line.text.replace(&old, &new);
            (!text.trim().is_empty() || line.text.trim().is_empty() || !has_others(line)).then_some(text)
        };
        let expected: Vec<String> = all.iter().filter_map(text).collect();
        assert_eq!(texts(&cell.document()), expected, "{old:?} by {new:?}");
        assert_sound(random, &before, &result.unwrap(), &cell.document());
    });
}

/// A block of lines that carry their own names as the URL of a link, whatever their text is.
fn named_block(random: &mut Random, next: &mut usize) -> Value {
    let mut named = |random: &mut Random| {
        *next += 1;
        // Few words, so that many lines read alike.
        let text = *random.pick(&["tea", "tea", "leaf", "green tea", "茶", "it's tea", "it’s tea"]);
        let mut marks = vec![json!({ "type": "link", "attrs": { "href": format!("https://a.example/{next}") } })];
        if random.below(3) == 0 {
            marks.push(json!({ "type": "bold" }));
        }
        let mut content = vec![json!({ "type": "text", "text": text, "marks": marks })];
        if random.below(4) == 0 {
            // The same name for several people.
            let id = format!("u{}", random.below(2));
            content.push(json!({ "type": "mention", "attrs": { "id": id, "label": "Ann" } }));
        }
        json!({ "type": "paragraph", "content": content })
    };
    match random.below(6) {
        0 => {
            let items: Vec<Value> =
                (0..1 + random.below(4)).map(|_| json!({ "type": "listItem", "content": [named(random)] })).collect();
            json!({ "type": "bulletList", "content": items })
        }
        1 => json!({ "type": "blockquote", "content": [named(random), named(random)] }),
        _ => named(random),
    }
}

/// The text and the name of each line.
fn named_lines(document: &Document) -> Vec<(String, Vec<String>)> {
    let lines = document.lines();
    let mut inlines = Inlines::new(document, &lines);
    let mut names = |at: usize| {
        let marks = inlines.of(at).iter().flat_map(|node| node.marks().iter());
        let mut names: Vec<String> = marks.filter_map(|mark| mark.attrs.text("href").map(str::to_owned)).collect();
        names.dedup();
        names
    };
    lines.iter().enumerate().map(|(at, line)| (line.text.clone(), names(at))).collect()
}

/// A change by the user, as an editor reports it: some blocks are replaced by others.
fn person(random: &mut Random, cell: &DocumentCell, next: &mut usize) {
    let mut now = cell.document();
    let count = now.blocks().len();
    let at = random.below(count);
    let values: Vec<Value> = now.blocks().iter().map(|block| block.to_value(now.schema())).collect();
    let typed = |value: &Value| -> Value {
        let text = value.to_string();
        let places: Vec<usize> = text.match_indices("\"text\":\"").map(|(at, found)| at + found.len()).collect();
        match places.is_empty() {
            true => value.clone(),
            false => serde_json::from_str(&format!("{}TYPED{}", &text[..places[0]], &text[places[0]..])).unwrap(),
        }
    };
    let (removed, new) = match random.below(9) {
        0 | 1 => (1, vec![typed(&values[at])]),
        // Two items change places.
        6 => {
            let mut block = values[at].clone();
            let Some(items) = block["content"].as_array_mut().filter(|items| items.len() > 1) else { return };
            if items[0]["type"] == "text" {
                return;
            }
            let (a, b) = (random.below(items.len()), random.below(items.len()));
            items.swap(a, b);
            (1, vec![block])
        }
        // A paragraph becomes an item of a list that is there, or two do with one going back.
        7 => {
            let Some(list) = values.iter().position(|value| value["type"] == "bulletList") else { return };
            if values[at]["type"] != "paragraph" {
                return;
            }
            let mut block = values[list].clone();
            let items = block["content"].as_array_mut().unwrap();
            let moved = json!({ "type": "listItem", "content": [values[at]] });
            let back = if items.len() > 1 && random.below(2) == 0 { Some(items.remove(0)) } else { None };
            items.push(moved);
            now.sync(list, 1, &json!([block]).to_string()).unwrap();
            now.sync(at, 1, "[]").unwrap();
            if let Some(back) = back {
                let to = random.below(now.blocks().len() + 1);
                now.sync(to, 0, &json!([back["content"][0]]).to_string()).unwrap();
            }
            cell.set_document(now);
            return;
        }
        // Cut and put in somewhere else, where the editor writes other quotes.
        8 if count > 1 => {
            let other = values[at].to_string().replace("it's", "it’s");
            now.sync(at, 1, "[]").unwrap();
            let to = random.below(count);
            now.sync(to, 0, &format!("[{other}]")).unwrap();
            cell.set_document(now);
            return;
        }
        2 => (0, vec![named_block(random, next)]),
        3 if count > 1 => (1, vec![]),
        4 => {
            // Items of a list come and go.
            let mut block = values[at].clone();
            if block["type"] != "bulletList" {
                return;
            }
            let items = block["content"].as_array_mut().unwrap();
            let place = random.below(items.len());
            if random.below(2) == 0 && items.len() > 1 {
                items.remove(place);
            } else {
                let item = named_block(random, next);
                if item["type"] == "paragraph" {
                    items.insert(place, json!({ "type": "listItem", "content": [item] }));
                }
            }
            (1, vec![block])
        }
        // Cut and put in somewhere else.
        5 if count > 1 => {
            now.sync(at, 1, "[]").unwrap();
            let to = random.below(count);
            now.sync(to, 0, &json!([values[at]]).to_string()).unwrap();
            cell.set_document(now);
            return;
        }
        _ => return,
    };
    now.sync(at, removed, &Value::from(new).to_string()).unwrap();
    cell.set_document(now);
}

#[test]
fn lines_of_a_snapshot_are_found_where_they_are_or_the_edit_is_stale() {
    let made = std::cell::Cell::new((0, 0));
    for_seeds(1500, |random| {
        let mut next = 0;
        let given: Vec<Value> = (0..2 + random.below(6)).map(|_| named_block(random, &mut next)).collect();
        let cell = super::atoms::document(&given);
        let then = cell.document();
        let mut seen = Shown::default();
        let mut evidence = seen.evidence(&then);
        let shown = evidence.with_lines(1..=then.line_count()).unwrap();
        evidence.search(&shown.into(), &mut |_| false);
        seen.show(&evidence);
        seen.answers();
        for _ in 0..1 + random.below(4) {
            person(random, &cell, &mut next);
        }
        let first = 1 + random.below(then.line_count());
        let last = (first + random.below(3)).min(then.line_count());
        let new: Vec<String> = (first..=last).map(|line| format!("NEW{line}")).collect();
        let meant = named_lines(&then)[first - 1..last].to_vec();
        let now = named_lines(&cell.document());

        let asked = DocUpdate::from_value(&replace_lines(first, last, &new)).unwrap();
        let result = seen
            .relocate(&cell, &asked)
            .and_then(|carried| apply(&cell, &carried.update, &EditContext::from(Locale::En)));
        let after = named_lines(&cell.document());
        match result {
            Err(error) => {
                assert!(matches!(error, Error::StaleLines { .. }), "{error}");
                assert_eq!(after, now, "what is refused changes nothing");
                made.set((made.get().0, made.get().1 + 1));
            }
            Ok(_) => {
                let place = after.iter().position(|(text, _)| text.starts_with("NEW")).unwrap();
                let found = &now[place..place + meant.len()];
                let mut expected = now.clone();
                let written: Vec<_> =
                    found.iter().zip(&new).map(|((_, name), text)| (text.clone(), name.clone())).collect();
                expected.splice(place..place + meant.len(), written);
                assert_eq!(after, expected, "nothing but those lines changed");
                // A removed line and an added one that reads the same may be one that was moved.
                let is_it = |found: &(String, Vec<String>), meant: &(String, Vec<String>)| {
                    let reads_same = found.0.replace('’', "'") == meant.0.replace('’', "'");
                    reads_same && (found.1 == meant.1 || !now.contains(meant))
                };
                assert!(found.iter().zip(&meant).all(|(a, b)| is_it(a, b)), "{meant:?} is not {found:?} of {now:?}");
                made.set((made.get().0 + 1, made.get().1));
            }
        }
    });
    let (applied, stale) = made.get();
    let only_one = std::env::var("COPYDESK_SEED").is_ok();
    assert!(only_one || applied > 200 && stale > 200, "{applied} edits were made, {stale} refused");
}

//! Text that an edit moves exists once, whatever is proposed, decided and undone. `ROUNDS` sets the number of runs,
//! `COPYDESK_SEED=n` repeats one.

use super::deciding::rounds;
use super::documents::for_seeds;
use super::random::Random;
use super::review::{edit, hunks, person_blocks, propose, reviewed};
use copydesk_document::{Document, Node};
use copydesk_review::decide::{accept, reject, resolve, restore, undo_turn};
use copydesk_review::undo_decision::undo_decision;
use copydesk_review::{ReviewCell, Version, Which};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub type Lines = Vec<Vec<String>>;

pub fn html(lines: &[Vec<String>]) -> String {
    lines.iter().map(|words| format!("<p>{}</p>", words.join(" "))).collect()
}

pub fn blocks(lines: &[Vec<String>]) -> Vec<Node> {
    Document::from_html(html(lines)).unwrap().blocks().to_vec()
}

pub fn lines(document: &Document) -> Lines {
    let words = |text: String| text.split_whitespace().map(str::to_owned).collect();
    document.lines().into_iter().map(|line| words(line.text)).collect()
}

pub fn words(lines: &[&str]) -> Lines {
    lines.iter().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

fn cell(of: &[&str]) -> ReviewCell {
    reviewed(&html(&words(of)))
}

fn proposes(cell: &ReviewCell, turn: &str, of: &[&str]) {
    propose(cell, turn, blocks(&words(of)));
}

fn count(document: &Document) -> BTreeMap<String, usize> {
    let mut count = BTreeMap::new();
    lines(document).into_iter().flatten().for_each(|word| *count.entry(word).or_default() += 1);
    count
}

/// Reviews one edit; returns the documents after each of its hunks was decided first, and then the others otherwise.
fn decided(start: &[&str], edited: &[&str]) -> Vec<Lines> {
    let made = || {
        let cell = cell(start);
        proposes(&cell, "t1", edited);
        cell
    };
    let mut results = Vec::new();
    for at in 0..hunks(&made()).len() {
        for accepts in [true, false] {
            let cell = made();
            let which = Which::Hunk(hunks(&cell)[at].id.clone());
            match accepts {
                true => drop(accept(&cell, &which).unwrap()),
                false => drop(reject(&cell, &which).unwrap()),
            }
            match accepts {
                true => drop(reject(&cell, &Which::All).unwrap()),
                false => drop(accept(&cell, &Which::All).unwrap()),
            }
            results.push(lines(&cell.base()));
        }
    }
    results
}

#[test]
fn a_split_a_join_or_a_move_is_decided_as_a_whole() {
    let moves: [(&[&str], &[&str]); 7] = [
        (&["One two three four."], &["One two", "Three four."]),
        (&["alpha", "one two", "last"], &["alpha one two", "last"]),
        (&["one two", "three", "four five"], &["one", "three two", "four five"]),
        (&["tea and coffee"], &["coffee and tea"]),
        (&["first line here", "second", "third"], &["second", "third", "first line here"]),
        (&["壹贰叁肆。"], &["壹贰", "叁肆。"]),
        (&["one two three", "four"], &["one", "two three four"]),
    ];
    let between: Vec<String> = (0..20).map(|at| format!("between {at}")).collect();
    let between: Vec<&str> = between.iter().map(String::as_str).collect();
    let far = [[&["a b c d e"], &between[..]].concat(), [&between[..], &["a b c d e"]].concat()];
    for (start, edited) in moves.into_iter().chain([(&far[0][..], &far[1][..])]) {
        for result in decided(start, edited) {
            let whole = [words(start), words(edited)];
            assert!(whole.contains(&result), "{start:?} {edited:?}: {result:?}");
        }
    }
}

#[test]
fn edits_that_move_nothing_are_decided_one_by_one() {
    let apart: [(&[&str], &[&str]); 3] = [
        (&["one red house", "two green trees"], &["one blue house", "two grey trees"]),
        (&["one two", "three", "four"], &["one two new", "three", "newer four"]),
        (&["one", "two", "three"], &["one", "three", "entirely other"]),
    ];
    for (start, edited) in apart {
        let cell = cell(start);
        proposes(&cell, "t1", edited);
        let all = hunks(&cell);
        assert!(all.len() > 1 && all.iter().all(|hunk| hunk.linked.is_empty()), "{all:?}");
    }
}

#[test]
fn neither_typing_nor_a_decision_elsewhere_changes_the_links() {
    let cell = cell(&["One two three four.", "second", "third"]);
    proposes(&cell, "t1", &["One two", "Three four.", "second new", "third"]);
    let links = || hunks(&cell).iter().map(|hunk| (hunk.id.clone(), hunk.linked.clone())).collect::<Vec<_>>();
    let before = links();
    assert_eq!(before.iter().filter(|(_, linked)| !linked.is_empty()).count(), 2);
    person_blocks(&cell, blocks(&words(&["One two three four.", "second", "third three four"])));
    assert_eq!(links(), before);
    let (other, _) = before.iter().find(|(_, linked)| linked.is_empty()).unwrap().clone();
    accept(&cell, &Which::Hunk(other.clone())).unwrap();
    assert_eq!(links(), before.into_iter().filter(|(id, _)| *id != other).collect::<Vec<_>>());
}

#[test]
fn a_conflict_in_moved_text_is_decided_as_a_whole() {
    for (version, expected) in
        [(Version::Mine, &["One two three typed four."][..]), (Version::Theirs, &["One two", "Three four."][..])]
    {
        for at in 0..2 {
            let cell = cell(&["One two three four."]);
            proposes(&cell, "t1", &["One two", "Three four."]);
            person_blocks(&cell, blocks(&words(&["One two three typed four."])));
            assert!(hunks(&cell).iter().all(|hunk| hunk.conflict));
            assert_eq!(accept(&cell, &Which::All).unwrap().conflicts, 2);
            resolve(&cell, &hunks(&cell)[at].id, version).unwrap();
            assert_eq!((lines(&cell.base()), hunks(&cell)), (words(expected), vec![]));
        }
    }
}

#[test]
fn restored_hunks_of_moved_text_are_decided_as_a_whole() {
    let cell = cell(&["One two three four.", "last"]);
    proposes(&cell, "t1", &["One two", "Three four.", "last"]);
    let stored: Vec<Value> = hunks(&cell).iter().map(|hunk| hunk.to_value(&cell.base())).collect();
    let again = reviewed(&cell.base().to_html());
    restore(&again, &Value::from(stored)).unwrap();
    accept(&again, &Which::Hunk(hunks(&again)[0].id.clone())).unwrap();
    assert_eq!((lines(&again.base()), hunks(&again)), (words(&["One two", "Three four.", "last"]), vec![]));
}

#[test]
fn a_rejection_stays_where_the_agent_has_proposed_again() {
    let lines_edit = |start: usize, end: usize, content: &str| {
        let edits = json!([{ "start_line": start, "end_line": end, "content": content }]);
        json!({ "operation": "replace_lines", "edits": edits })
    };
    let cell = cell(&["a one", "b two", "c three", "last"]);
    edit(&cell, "t1", "c1", lines_edit(2, 3, "b two c three"));
    edit(&cell, "t2", "c2", lines_edit(1, 2, "a one b two c three"));
    reject(&cell, &Which::All).unwrap();
    edit(&cell, "t3", "c3", lines_edit(2, 3, "b two c three"));
    let undone = undo_decision(&cell, None).unwrap();
    assert!(!undone.left.is_empty());
    let one = |document: &Document| count(document).values().all(|times| *times == 1) && count(document).len() == 7;
    assert!(one(&cell.base()) && one(&cell.document()), "{:?}", lines(&cell.document()));
    accept(&cell, &Which::All).unwrap();
    assert!(one(&cell.base()), "{:?}", lines(&cell.base()));
}

#[test]
fn an_insertion_that_is_proposed_again_is_not_there_twice() {
    for again in ["one two new words", "one two new other words", "one new words two"] {
        let cell = cell(&["one two", "last"]);
        proposes(&cell, "t1", &["one two new words", "last"]);
        reject(&cell, &Which::All).unwrap();
        proposes(&cell, "t2", &[again, "last"]);
        let undone = undo_decision(&cell, None).unwrap();
        assert_eq!((undone.hunks.len(), undone.left.len()), (0, 1));
        accept(&cell, &Which::All).unwrap();
        assert_eq!(lines(&cell.base()), words(&[again, "last"]));
    }
}

#[test]
fn a_turn_on_which_another_was_built_is_undone_with_it() {
    let start = ["alpha beta", "one two three four", "last"];
    let cell = cell(&start);
    proposes(&cell, "t1", &["alpha beta", "one two", "three four", "last"]);
    proposes(&cell, "t2", &["alpha beta one two", "three four", "last"]);
    undo_turn(&cell, "t1").unwrap();
    assert_eq!((lines(&cell.base()), lines(&cell.document())), (words(&start), words(&start)));
}

/// A review in which the agent moves words and adds some, but deletes none.
struct Desk {
    cell: ReviewCell,
    words: usize,
    turns: usize,
    /// The words of the document, and those that the user typed.
    mine: Vec<String>,
    log: Vec<String>,
}

/// Splits, joins or moves a line, if `way` says so and it is possible.
pub fn rearrange(random: &mut Random, lines: &mut Lines, line: usize, way: usize) -> bool {
    match way {
        0 if lines[line].len() > 1 => {
            let at = 1 + random.below(lines[line].len() - 1);
            let rest = lines[line].split_off(at);
            lines.insert(line + 1, rest);
        }
        1 if line + 1 < lines.len() => {
            let next = lines.remove(line + 1);
            lines[line].extend(next);
        }
        2 => {
            let moved = lines.remove(line);
            let to = random.below(lines.len() + 1);
            lines.insert(to, moved);
        }
        _ => return false,
    }
    true
}

impl Desk {
    fn new(random: &mut Random) -> Desk {
        let (mut words, mut lines) = (0, Lines::new());
        for _ in 0..2 + random.below(3) {
            let line = (0..1 + random.below(6)).map(|at| format!("old{}", words + at)).collect::<Vec<_>>();
            words += line.len();
            lines.push(line);
        }
        let mine = lines.iter().flatten().cloned().collect();
        Desk { cell: reviewed(&html(&lines)), words, turns: 0, mine, log: vec![format!("{lines:?}")] }
    }

    fn word(&mut self, kind: &str) -> String {
        self.words += 1;
        format!("{kind}{}", self.words)
    }

    fn edits(&mut self, random: &mut Random, lines: &mut Lines) {
        for _ in 0..1 + random.below(2) {
            let line = random.below(lines.len());
            let way = random.below(5);
            match way {
                _ if rearrange(random, lines, line, way) => {}
                3 if lines[line].len() > 1 => {
                    let at = random.below(lines[line].len());
                    let word = lines[line].remove(at);
                    let to = random.below(lines.len());
                    let at = random.below(lines[to].len() + 1);
                    lines[to].insert(at, word);
                }
                _ => {
                    let at = random.below(lines[line].len() + 1);
                    let word = self.word("new");
                    lines[line].insert(at, word);
                }
            }
        }
    }

    fn decides(&mut self, random: &mut Random) {
        let all = hunks(&self.cell);
        if all.is_empty() {
            return;
        }
        let one = random.pick(&all).clone();
        let which = match random.below(6) {
            0 => Which::All,
            1 => Which::Turn(one.turns().last().unwrap().to_string()),
            _ => Which::Hunk(one.id.clone()),
        };
        // Of a conflict that is accepted by its id, the agent's version replaces what the user has moved.
        match random.below(2) {
            0 if !one.conflict => drop(accept(&self.cell, &which).unwrap()),
            _ => drop(reject(&self.cell, &which).unwrap()),
        }
        self.check(&format!("decided {which:?}"));
    }

    fn check(&mut self, what: &str) {
        let (base, proposed) = (self.cell.base(), self.cell.document());
        self.log.push(format!("{what}\n  base {:?}\n  proposed {:?}", lines(&base), lines(&proposed)));
        for hunk in hunks(&self.cell) {
            let makers: Vec<_> = hunk.turns();
            let (old, new, linked) = (&hunk.original_text, &hunk.new_text, &hunk.linked);
            self.log.push(format!("    {} {makers:?} {old:?} -> {new:?} {linked:?} {}", hunk.id, hunk.conflict));
        }
        let log = || self.log.join("\n");
        // A conflict holds two versions of a text.
        let is_open = hunks(&self.cell).iter().any(|hunk| hunk.conflict);
        for document in [&base, &proposed].into_iter().take(if is_open { 1 } else { 2 }) {
            let count = count(document);
            for (word, times) in &count {
                assert_eq!(*times, 1, "{word} is doubled\n{}", log());
            }
            let is_lost = |word: &&String| !count.contains_key(*word);
            let lost = self.mine.iter().find(|word| is_lost(word));
            assert!(lost.is_none(), "{lost:?} is lost\n{}", log());
        }
    }
}

#[test]
fn moved_words_are_there_once_after_any_decisions() {
    for_seeds(rounds(300) as u64, |random| {
        let mut desk = Desk::new(random);
        let mut earlier: Vec<Lines> = Vec::new();
        for _ in 0..4 + random.below(10) {
            match random.below(8) {
                0..=2 => {
                    desk.turns += 1;
                    let mut edited = lines(&desk.cell.document());
                    desk.edits(random, &mut edited);
                    // After a rejection the agent may propose the same again.
                    if random.below(3) == 0 && !earlier.is_empty() && hunks(&desk.cell).is_empty() {
                        let again = random.pick(&earlier).clone();
                        let has_all = desk.mine.iter().all(|word| again.iter().flatten().any(|one| one == word));
                        let base = count(&desk.cell.base());
                        let is_new = base.keys().all(|word| again.iter().flatten().any(|one| one == word));
                        edited = if has_all && is_new { again } else { edited };
                    }
                    propose(&desk.cell, &format!("t{}", desk.turns), blocks(&edited));
                    earlier.push(edited);
                    desk.check(&format!("t{} proposed", desk.turns));
                }
                3 | 4 => desk.decides(random),
                5 => {
                    let undone = undo_decision(&desk.cell, None).unwrap();
                    desk.check(&format!("took back {undone:?}"));
                }
                6 if desk.turns > 0 => {
                    let turn = format!("t{}", 1 + random.below(desk.turns));
                    if let Ok(undone) = undo_turn(&desk.cell, &turn) {
                        desk.check(&format!("undoTurn {turn}: {} {:?}", undone.restored, undone.left));
                    }
                }
                _ => {}
            }
        }
        if random.below(2) == 0 {
            accept(&desk.cell, &Which::All).unwrap();
        }
        desk.check("accepted all");
        reject(&desk.cell, &Which::All).unwrap();
        desk.check("rejected the rest");
        assert_eq!(desk.cell.base(), desk.cell.document());
    });
}

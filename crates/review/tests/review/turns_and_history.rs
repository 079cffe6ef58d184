//! Turns that are taken back after undo, redo, typing and decisions. The oracle is the words of the document that the
//! user would have without the agent. `ROUNDS` sets how many runs are made, `COPYDESK_SEED=n` makes one again.

use super::cell;
use super::deciding::rounds;
use super::documents::for_seeds;
use super::random::Random;
use super::review::{hunks, person_blocks, propose};
use copydesk_document::{Document, Node};
use copydesk_review::decide::{Reviewed, UndoneTurn, accept, reject, set_mode, undo_turn};
use copydesk_review::{HistoryMove, Mode, ReviewCell, Which};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

type Lines = Vec<Vec<String>>;
/// Words and how often each occurs.
type Words = BTreeMap<String, usize>;

/// A state of the editor: its blocks, and the words of the user's document without the agent.
type Moment = (Vec<Node>, Words);

/// An editor with a linear history, as ProseMirror's without other users: undo returns the previous document.
struct Editor {
    cell: ReviewCell,
    undo: Vec<Moment>,
    redo: Vec<Moment>,
    /// The words that the user would have without the agent.
    mine: Words,
    /// Words that a turn took out of a line that the user deleted afterwards.
    deleted: BTreeSet<String>,
    /// Words that the user accepted, and how often they were there then.
    accepted: Words,
    /// The most often that each word was in a state.
    most: Words,
    /// True if the editor tells the direction of its history.
    tells_direction: bool,
    new_words: usize,
    log: Vec<String>,
}

impl Editor {
    fn new(lines: &[Vec<String>], tells_direction: bool) -> Editor {
        let html: String = lines.iter().map(|words| format!("<p>{}</p>", words.join(" "))).collect();
        let cell = cell(&html);
        let mine = count(&cell.base());
        let log = Vec::new();
        let (undo, redo, deleted, accepted, most) = Default::default();
        let mut editor = Editor { cell, undo, redo, mine, deleted, accepted, most, tells_direction, new_words: 0, log };
        editor.seen("first");
        editor
    }

    fn lines(&self) -> Lines {
        lines_of(&self.cell.base())
    }

    /// Does something that the history can take back if it changed the document.
    fn step(&mut self, what: &str, act: impl FnOnce(&ReviewCell)) {
        let before = (self.cell.base().blocks().to_vec(), self.mine.clone());
        act(&self.cell);
        if self.cell.base().blocks() != before.0 {
            self.undo.push(before);
            self.redo.clear();
        }
        self.seen(what);
    }

    fn seen(&mut self, what: &str) {
        // A turn is undone to the state in which it found the proposal.
        for (word, times) in count(&self.cell.base()).into_iter().chain(count(&self.cell.document())) {
            let most = self.most.entry(word).or_default();
            *most = times.max(*most);
        }
        self.log.push(format!("{what}: {:?} {:?}", self.cell.base().block_ids(), self.lines()));
    }

    fn history(&mut self, direction: HistoryMove) {
        let is_undo = matches!(direction, HistoryMove::Undo);
        let now = (self.cell.base().blocks().to_vec(), self.mine.clone());
        let (from, to) = if is_undo { (&mut self.undo, &mut self.redo) } else { (&mut self.redo, &mut self.undo) };
        let Some((blocks, mine)) = from.pop() else { return };
        to.push(now);
        self.mine = mine;
        let announced = if self.tells_direction { direction } else { HistoryMove::Unknown };
        self.cell.review().borrow_mut().expect_history(announced);
        person_blocks(&self.cell, blocks);
        self.seen(if is_undo { "undo" } else { "redo" });
    }

    fn word(&mut self, kind: &str) -> String {
        self.new_words += 1;
        format!("{kind}{}", self.new_words)
    }

    /// Types a word into a line.
    fn type_word(&mut self, random: &mut Random) {
        let mut lines = self.lines();
        let word = self.word("user");
        let line = random.below(lines.len());
        let at = random.below(lines[line].len() + 1);
        lines[line].insert(at, word.clone());
        self.step("typed", |cell| user_makes(cell, &lines));
        self.mine.insert(word, 1);
    }

    /// Splits, joins or deletes lines as a user does.
    fn restructure(&mut self, random: &mut Random) {
        let mut lines = self.lines();
        let line = random.below(lines.len());
        let mut gone = None;
        match random.below(3) {
            0 => split(random, &mut lines, line),
            1 => gone = join(&mut lines, line).filter(Vec::is_empty),
            _ if lines.len() > 1 => gone = Some(lines.remove(line)),
            _ => {}
        }
        let there = count(&self.cell.base());
        self.step("restructured", |cell| user_makes(cell, &lines));
        let Some(gone) = gone else { return };
        let hidden = self.mine.iter().filter(|(word, times)| there.get(*word).unwrap_or(&0) < times);
        self.deleted.extend(hidden.map(|(word, _)| word.clone()));
        for word in gone {
            if let Some(times) = self.mine.get_mut(&word) {
                *times = times.saturating_sub(1);
                self.deleted.insert(word);
            }
        }
    }

    /// An edit of the agent: splits, joins, deletes, inserts or rewrites lines of what it sees.
    fn edit(&mut self, random: &mut Random, turn: &str) {
        let mut lines = lines_of(&self.cell.document());
        for _ in 0..1 + random.below(2) {
            let line = random.below(lines.len());
            let word = self.word(&format!("{turn}word"));
            match random.below(6) {
                0 => split(random, &mut lines, line),
                1 => drop(join(&mut lines, line)),
                2 if lines.len() > 1 => drop(lines.remove(line)),
                3 => lines.insert(line, vec![word, self.word(&format!("{turn}word"))]),
                4 if !lines[line].is_empty() => {
                    let at = random.below(lines[line].len());
                    lines[line][at] = word;
                }
                _ => {
                    let at = random.below(lines[line].len() + 1);
                    lines[line].insert(at, word);
                }
            }
        }
        self.step(turn, |cell| propose(cell, turn, blocks_of(cell, &lines)));
    }

    fn decide(&mut self, random: &mut Random) {
        let hunks = hunks(&self.cell);
        if hunks.is_empty() {
            return;
        }
        let which = Which::Hunk(random.pick(&hunks).id.clone());
        let before = count(&self.cell.base());
        match random.below(3) {
            0 => self.step("rejected", |cell| drop(reject(cell, &which).unwrap())),
            _ => self.step("accepted", |cell| drop(accept(cell, &which).unwrap())),
        }
        // Of a split, the user may accept the one half.
        for (word, times) in count(&self.cell.base()).into_iter().filter(|(word, times)| before.get(word) < Some(times))
        {
            let accepted = self.accepted.entry(word).or_default();
            *accepted = times.max(*accepted);
        }
    }

    /// Takes a turn back; `None` if it is not known.
    fn undo_turn(&mut self, turn: &str) -> Option<UndoneTurn> {
        let was_known = self.cell.review().borrow().turns.0.iter().any(|known| known.id == turn);
        let has_hunks = hunks(&self.cell).iter().any(|hunk| hunk.turns().contains(&turn));
        if !was_known && !has_hunks {
            return None;
        }
        let mut undone = None;
        self.step(&format!("undoTurn {turn}"), |cell| undone = Some(undo_turn(cell, turn).unwrap()));
        undone
    }

    /// Takes a turn back. Checks that nothing is doubled or lost and, for the only turn, that `left` lists what stayed.
    fn check_undo(&mut self, turn: &str, is_alone: bool) {
        let (before, most) = (count(&self.cell.base()), self.most.clone());
        let Some(undone) = self.undo_turn(turn) else { return };
        let after = count(&self.cell.base());
        let log = format!("{}\nleft: {:?}", self.log.join("\n"), undone.left);
        let times = |words: &Words, word: &str| words.get(word).copied().unwrap_or_default();
        let is_agents = |word: &str| word.starts_with('t') && word.contains("word");
        for word in before.keys().chain(after.keys()).chain(self.mine.keys()) {
            let (was, is, mine) = (times(&before, word), times(&after, word), times(&self.mine, word));
            assert!(is <= times(&most, word), "{word} is there more often than ever\n{log}");
            if is_agents(word) {
                continue;
            }
            assert!(is <= was.max(mine).max(times(&self.accepted, word)), "{word} is doubled\n{log}");
            assert!(is >= was.min(mine), "{word} is lost\n{log}");
            let is_said = !undone.left.is_empty() || self.deleted.contains(word);
            assert!(!is_alone || is >= mine || is_said, "{word} is missing, and nothing is left\n{log}");
        }
        if !is_alone {
            return;
        }
        // Words of the turn that are still there are in a block that is named.
        for line in self.lines().iter().filter(|line| line.iter().any(|word| is_agents(word))) {
            let is_named = undone.left.iter().any(|left| left.text == line.join(" "));
            assert!(is_named, "{line:?} stayed, and is not named\n{log}");
        }
    }
}

fn split(random: &mut Random, lines: &mut Lines, line: usize) {
    if lines[line].len() > 1 {
        let at = 1 + random.below(lines[line].len() - 1);
        let rest = lines[line].split_off(at);
        lines.insert(line + 1, rest);
    }
}

/// Joins a line with the next one, which is returned.
fn join(lines: &mut Lines, line: usize) -> Option<Vec<String>> {
    let next = (line + 1 < lines.len()).then(|| lines.remove(line + 1))?;
    lines[line].extend(next.iter().cloned());
    Some(next)
}

fn lines_of(document: &Document) -> Lines {
    let words = |text: String| text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
    document.lines().into_iter().map(|line| words(line.text)).collect()
}

fn count(document: &Document) -> Words {
    let mut words = Words::new();
    lines_of(document).into_iter().flatten().for_each(|word| *words.entry(word).or_default() += 1);
    words
}

/// Paragraphs of lines. A line that is there keeps its node, as in an editor.
fn blocks_of(cell: &ReviewCell, lines: &[Vec<String>]) -> Vec<Node> {
    let html: String = lines.iter().map(|words| format!("<p>{}</p>", words.join(" "))).collect();
    let there = cell.base().blocks().to_vec();
    let same = |block: &Node| there.iter().find(|other| *other == block).cloned();
    let parsed = Document::from_html(html).unwrap();
    parsed.blocks().iter().map(|block| same(block).unwrap_or_else(|| block.clone())).collect()
}

/// The user makes the document another, which the editor reports as the blocks that changed.
fn user_makes(cell: &ReviewCell, lines: &[Vec<String>]) {
    let (old, new) = (cell.base().blocks().to_vec(), blocks_of(cell, lines));
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (removed, added) = (old.len() - end - start, new.len() - end - start);
    if removed + added == 0 {
        return;
    }
    let inserted = Document::from_blocks(cell.base().schema().clone(), new[start..start + added].to_vec());
    let json: Value = serde_json::from_str(&inserted.to_json()).unwrap();
    let json = if added == 0 { "[]".to_owned() } else { json["content"].to_string() };
    cell.review().borrow_mut().sync(&[[start, removed, added]], &json).unwrap();
}

/// Lines of words: each word once, or words of a small vocabulary.
fn random_lines(random: &mut Random, repeats: bool) -> Lines {
    let mut words = 0;
    let mut line = |random: &mut Random| {
        let length = 1 + random.below(6);
        let word = |_| {
            words += 1;
            if repeats { format!("old{}", random.below(6)) } else { format!("old{words}") }
        };
        (0..length).map(word).collect()
    };
    (0..2 + random.below(5)).map(|_| line(random)).collect()
}

/// The actions of a schedule beside edits, typing, undo, redo and taking back turns.
#[derive(Clone, Copy)]
struct Actions {
    decisions: bool,
    structure: bool,
    tells_direction: bool,
    repeats: bool,
}

/// Performs a random schedule, and takes back all turns at its end. Of one turn that `is_alone` `left` is checked.
fn perform(random: &mut Random, actions: Actions, is_alone: bool) {
    let mut editor = Editor::new(&random_lines(random, actions.repeats), actions.tells_direction);
    let (mut turns, mut is_new) = (0, true);
    for _ in 0..3 + random.below(10) {
        match random.below(8) {
            0 | 1 => {
                if is_new || !is_alone && random.below(3) > 0 {
                    turns += 1;
                    is_new = false;
                }
                let reviews = actions.decisions && random.below(3) == 0;
                set_mode(&editor.cell, if reviews { Mode::Review } else { Mode::Auto });
                editor.edit(random, &format!("t{turns}"));
            }
            2 => editor.type_word(random),
            3 => editor.history(HistoryMove::Undo),
            4 if random.below(2) == 0 => editor.history(HistoryMove::Undo),
            4 => editor.history(HistoryMove::Redo),
            5 if actions.decisions => editor.decide(random),
            6 if actions.structure => editor.restructure(random),
            _ if turns > 0 && !is_alone => {
                // A turn that was taken back is over.
                let turn = 1 + random.below(turns);
                is_new |= turn == turns;
                editor.check_undo(&format!("t{turn}"), false);
            }
            _ => {}
        }
    }
    for turn in (1..=turns).rev() {
        editor.check_undo(&format!("t{turn}"), is_alone);
    }
}

fn words(lines: &[&str]) -> Lines {
    lines.iter().map(|line| line.split(' ').map(str::to_owned).collect()).collect()
}

#[test]
fn a_paragraph_that_the_user_got_back_and_typed_in_is_there_once() {
    let mut editor = Editor::new(&words(&["one", "two three four", "five"]), true);
    let split = words(&["one", "two", "three four", "five"]);
    editor.step("t1", |cell| propose(cell, "t1", blocks_of(cell, &split)));
    editor.history(HistoryMove::Undo);
    editor.step("typed", |cell| user_makes(cell, &words(&["one", "two three four typed", "five"])));
    let undone = editor.undo_turn("t1").unwrap();
    assert_eq!(editor.lines(), words(&["one", "two three four typed", "five"]));
    assert_eq!((undone.restored, undone.left), (0, vec![]));
}

#[test]
fn of_a_split_that_the_user_changed_nothing_is_taken_back_and_all_is_named() {
    let mut editor = Editor::new(&words(&["one", "two three four", "five", "six 6"]), true);
    let edited = words(&["one", "two", "three four", "five", "6"]);
    editor.step("t1", |cell| propose(cell, "t1", blocks_of(cell, &edited)));
    editor.step("typed", |cell| user_makes(cell, &words(&["one", "two", "three typed four", "five", "6"])));
    let undone = editor.undo_turn("t1").unwrap();
    assert_eq!(editor.lines(), words(&["one", "two", "three typed four", "five", "six 6"]));
    let left: Vec<&str> = undone.left.iter().map(|left| left.text.as_str()).collect();
    assert_eq!((undone.restored, left), (1, vec!["two", "three typed four"]));
}

#[test]
fn what_the_user_undoes_and_redoes_is_taken_back() {
    let first = words(&["one", "two three four", "five"]);
    for edited in [&["one", "two", "three four", "five"][..], &["one", "five"], &["one two three four", "six", "five"]]
    {
        let mut editor = Editor::new(&first, true);
        editor.step("t1", |cell| propose(cell, "t1", blocks_of(cell, &words(edited))));
        editor.history(HistoryMove::Undo);
        editor.history(HistoryMove::Redo);
        let undone = editor.undo_turn("t1").unwrap();
        assert_eq!((editor.lines(), undone.left), (first.clone(), vec![]), "{edited:?}");
    }
}

#[test]
fn after_any_schedule_nothing_is_doubled_or_lost() {
    for_seeds(rounds(300) as u64, |random| {
        let [decisions, structure, repeats, tells_direction] = [2, 2, 3, 8].map(|of| random.below(of) != 0);
        // Of words that repeat, it cannot be said which of them a decision kept.
        let repeats = !repeats && !decisions;
        perform(random, Actions { decisions, structure, tells_direction, repeats }, false);
    });
}

#[test]
fn left_names_the_blocks_in_which_something_of_a_turn_stayed() {
    for_seeds(rounds(300) as u64, |random| {
        let decisions = random.below(2) == 0;
        perform(random, Actions { decisions, structure: false, tells_direction: true, repeats: false }, true);
    });
}

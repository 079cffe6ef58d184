//! Turns whose edits were proposals are taken back as if the edits had been made at once. `ROUNDS` sets how many runs
//! are made, `COPYDESK_SEED=n` makes one again.

use super::deciding::rounds;
use super::documents::for_seeds;
use super::linked_hunks::{Lines, blocks, html, lines, rearrange};
use super::random::Random;
use super::review::{hunks, person_blocks, propose, reviewed};
use copydesk_review::decide::{accept, reject, undo_turn};
use copydesk_review::{ReviewCell, Which};

/// Splits, joins, moves, deletes, inserts or rewords lines.
fn edit(random: &mut Random, lines: &mut Lines, new: &mut usize) {
    *new += 1;
    let line = random.below(lines.len());
    let way = random.below(6);
    match way {
        _ if rearrange(random, lines, line, way) => {}
        3 if lines.len() > 1 => drop(lines.remove(line)),
        4 => lines.insert(line, vec![format!("new{new}"), format!("more{new}")]),
        _ => {
            let at = random.below(lines[line].len());
            lines[line][at] = format!("word{new}");
        }
    }
}

fn first_lines(random: &mut Random) -> Lines {
    let mut count = 0;
    let mut line = |random: &mut Random| {
        let word = |_| {
            count += 1;
            format!("old{count}")
        };
        (0..1 + random.below(6)).map(word).collect()
    };
    (0..2 + random.below(5)).map(|_| line(random)).collect()
}

fn accept_one(random: &mut Random, cell: &ReviewCell) {
    let id = random.pick(&hunks(cell)).id.clone();
    accept(cell, &Which::Hunk(id)).unwrap();
}

#[test]
fn turns_of_accepted_proposals_are_taken_back_as_those_of_edits() {
    for_seeds(rounds(400) as u64, |random| {
        let first = first_lines(random);
        let (proposed, edited) = (reviewed(&html(&first)), super::cell(&html(&first)));
        let (turns, mut new, mut log) = (1 + random.below(4), 0, vec![format!("{first:?}")]);
        let mut is_cancelled = false;
        for turn in 1..=turns {
            for _ in 0..1 + random.below(2) {
                let mut now = lines(&edited.document());
                edit(random, &mut now, &mut new);
                for cell in [&proposed, &edited] {
                    propose(cell, &format!("t{turn}"), blocks(&now));
                }
                log.push(format!("t{turn}: {now:?}"));
                // What was proposed and withdrawn was never accepted.
                is_cancelled |= proposed.base() == proposed.document();
            }
            while random.below(3) == 0 && !hunks(&proposed).is_empty() {
                accept_one(random, &proposed);
                log.push(format!("accepted one: {:?}", lines(&proposed.base())));
            }
        }
        while random.below(4) > 0 && !hunks(&proposed).is_empty() {
            accept_one(random, &proposed);
            log.push(format!("accepted one: {:?}", lines(&proposed.base())));
        }
        accept(&proposed, &Which::All).unwrap();
        assert_eq!(proposed.base(), edited.base(), "{}", log.join("\n"));
        for turn in (1..=turns).rev() {
            for cell in [&proposed, &edited] {
                drop(undo_turn(cell, &format!("t{turn}")));
            }
            log.push(format!("undo t{turn}: {:?}", lines(&proposed.base())));
            assert!(is_cancelled || lines(&proposed.base()) == lines(&edited.base()), "{}", log.join("\n"));
        }
        assert_eq!(lines(&proposed.base()), first, "{}", log.join("\n"));
    });
}

#[test]
fn turns_are_taken_back_whatever_was_rejected_and_typed_elsewhere() {
    for_seeds(rounds(400) as u64, |random| {
        let mut first = first_lines(random);
        let cell = reviewed(&html(&[first.clone(), vec![vec!["mine".to_owned()]]].concat()));
        let (turns, mut new, mut log) = (1 + random.below(4), 0, vec![format!("{first:?}")]);
        let mut typed = vec!["mine".to_owned()];
        for turn in 1..=turns {
            let mut now = lines(&cell.document());
            let mine = now.pop().unwrap();
            edit(random, &mut now, &mut new);
            now.push(mine);
            propose(&cell, &format!("t{turn}"), blocks(&now));
            log.push(format!("t{turn}: {now:?}"));
            for _ in 0..random.below(4) {
                if random.below(3) == 0 {
                    typed.push(format!("typed{turn}"));
                    let now = [&lines(&cell.base())[..lines(&cell.base()).len() - 1], &[typed.clone()]].concat();
                    person_blocks(&cell, blocks(&now));
                } else if !hunks(&cell).is_empty() {
                    let which = Which::Hunk(random.pick(&hunks(&cell)).id.clone());
                    match random.below(2) {
                        0 => drop(reject(&cell, &which).unwrap()),
                        _ => drop(accept(&cell, &which).unwrap()),
                    }
                }
                log.push(format!("  {:?} {:?}", lines(&cell.base()), lines(&cell.document())));
            }
        }
        if random.below(2) == 0 {
            accept(&cell, &Which::All).unwrap();
        }
        let mut is_left = false;
        for turn in (1..=turns).rev() {
            let undone = undo_turn(&cell, &format!("t{turn}"));
            log.push(format!("undo t{turn}: {undone:?} {:?} {:?}", lines(&cell.base()), lines(&cell.document())));
            is_left |= undone.is_ok_and(|undone| !undone.left.is_empty());
        }
        first.push(typed);
        // Where decisions were made between two turns, a line may come back at another place.
        let sorted = |mut lines: Lines| {
            lines.sort();
            lines
        };
        for document in [cell.base(), cell.document()].iter().filter(|_| !is_left) {
            assert_eq!(sorted(lines(document)), sorted(first.clone()), "{}", log.join("\n"));
        }
    });
}

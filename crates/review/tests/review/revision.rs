//! The number of a review's revision, by which an editor knows that hunks were added, removed or changed.

use super::random::Random;
use super::review::{TEA, edit, hunks, person, replace, reviewed};
use copydesk_review::decide::{Reviewed, accept, reject};
use copydesk_review::{Hunk, ReviewCell, Which};
use serde_json::json;

fn revision(cell: &ReviewCell) -> u32 {
    cell.review().borrow().revision()
}

/// Returns the hunks without their positions.
fn contents(cell: &ReviewCell) -> Vec<(String, String, String, bool, Vec<String>)> {
    let content = |hunk: Hunk| (hunk.id, hunk.original_text, hunk.new_text, hunk.conflict, hunk.linked);
    hunks(cell).into_iter().map(content).collect()
}

#[test]
fn it_stays_the_same_while_hunks_only_move() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Older.</p>"));
    let before = revision(&cell);
    for now in [
        TEA.replace("Many", "Very many"),
        TEA.replace("About tea", "All about tea"),
        TEA.replace("<h2>Kinds", "<p>New.</p><h2>Kinds"),
        TEA.replace("<p>About tea.</p>", ""),
    ] {
        person(&cell, &now);
        assert_eq!(revision(&cell), before, "{now}");
    }
    assert_eq!(hunks(&cell).len(), 1);
}

#[test]
fn it_changes_when_a_hunk_becomes_a_conflict_or_is_made_by_the_user() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Young.</p>"));
    let proposed = revision(&cell);
    person(&cell, &TEA.replace("Old", "OXld"));
    let conflicting = revision(&cell);
    assert!(hunks(&cell)[0].conflict);
    assert_ne!(conflicting, proposed);
    person(&cell, &TEA.replace("Old", "Young"));
    assert_eq!(hunks(&cell), []);
    assert_ne!(revision(&cell), conflicting);
}

#[test]
fn hunks_have_the_same_content_until_it_changes() {
    let words = ["oak", "ash", "elm", "yew"];
    let mut random = Random::new();
    let mut stayed = 0;
    for round in 0..200 {
        let line = |random: &mut Random| {
            let words: Vec<&str> = (0..1 + random.below(4)).map(|_| *random.pick(&words)).collect();
            format!("<p>{}</p>", words.join(" "))
        };
        let mut lines: Vec<String> = (0..2 + random.below(4)).map(|_| line(&mut random)).collect();
        let cell = reviewed(&lines.concat());
        for turn in 0..8 {
            let (before, was) = (revision(&cell), contents(&cell));
            let step = random.below(4);
            let id = was.first().map(|(id, ..)| Which::Hunk(id.clone()));
            match (step, id) {
                (0, _) => {
                    let old = *random.pick(&words);
                    let new = *random.pick(&["fir", "big oak", "ash", ""]);
                    if cell.document().to_html().contains(old) {
                        let given = json!({ "operation": "replace_text", "old": old, "new": new, "all": true });
                        edit(&cell, &format!("t{turn}"), "a", given);
                    }
                }
                (1, Some(id)) => {
                    let decided =
                        if turn % 2 == 0 { accept(&cell, &id).map(drop) } else { reject(&cell, &id).map(drop) };
                    decided.unwrap();
                    lines = vec![cell.base().to_html()];
                }
                _ => {
                    let at = random.below(lines.len());
                    match random.below(3) {
                        0 if lines.len() > 1 => drop(lines.remove(at)),
                        1 => lines.insert(at, line(&mut random)),
                        _ => lines[at] = lines[at].replacen("</p>", " x</p>", 1),
                    }
                    person(&cell, &lines.concat());
                }
            }
            if revision(&cell) == before {
                assert_eq!(contents(&cell), was, "round {round}, turn {turn}");
                stayed += usize::from(!was.is_empty());
            }
        }
    }
    assert!(stayed > 100, "{stayed}");
}

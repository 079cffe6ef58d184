//! Tables stay tables, in whatever order hunks of an edit are accepted and rejected. `ROUNDS` sets the number of runs,
//! `COPYDESK_SEED=n` repeats one.

use super::deciding::rounds;
use super::documents::for_seeds;
use super::random::Random;
use super::review::{hunks, propose, reviewed};
use copydesk_document::Document;
use copydesk_review::decide::{accept, reject};
use copydesk_review::{ReviewCell, Which};

type Rows = Vec<Vec<String>>;

fn html(rows: &Rows) -> String {
    let cell = |text: &String| format!("<td><p>{text}</p></td>");
    let row = |cells: &Vec<String>| format!("<tr>{}</tr>", cells.iter().map(cell).collect::<String>());
    format!("<p>above</p><table>{}</table><p>below</p>", rows.iter().map(row).collect::<String>())
}

fn proposes(cell: &ReviewCell, rows: &Rows) {
    propose(cell, "t1", Document::from_html(html(rows)).unwrap().blocks().to_vec());
}

/// Returns how many cells each row of the table has.
fn widths(document: &Document) -> Vec<usize> {
    let table = document.blocks().iter().find(|block| block.name(document.schema()) == "table");
    table.map_or_else(Vec::new, |table| table.children().iter().map(|row| row.children().len()).collect())
}

fn is_even(document: &Document) -> bool {
    widths(document).windows(2).all(|pair| pair[0] == pair[1])
}

fn words(random: &mut Random) -> String {
    (0..1 + random.below(2))
        .map(|_| *random.pick(&["oak", "ash", "elm", "yew", "fir", "May"]))
        .collect::<Vec<_>>()
        .join(" ")
}

fn edited(rows: &Rows, random: &mut Random) -> Rows {
    let mut rows = rows.clone();
    for _ in 0..1 + random.below(3) {
        let (at, column) = (random.below(rows.len()), random.below(rows[0].len()));
        match random.below(5) {
            0 if rows[0].len() > 1 => rows.iter_mut().for_each(|row| drop(row.remove(column))),
            1 => rows.iter_mut().for_each(|row| row.insert(column, words(random))),
            2 if rows.len() > 1 => drop(rows.remove(at)),
            3 => {
                let row = (0..rows[0].len()).map(|_| words(random)).collect();
                rows.insert(at, row);
            }
            _ => rows[at][column] = words(random),
        }
    }
    rows
}

#[test]
fn rows_have_one_width_whichever_hunk_is_decided_first() {
    for_seeds(rounds(300) as u64, |random| {
        let (height, width) = (1 + random.below(4), 1 + random.below(4));
        let rows: Rows = (0..height).map(|_| (0..width).map(|_| words(random)).collect()).collect();
        let changed = edited(&rows, random);
        let cell = reviewed(&html(&rows));
        proposes(&cell, &changed);
        while let [_, ..] = &hunks(&cell)[..] {
            let open = hunks(&cell);
            let which = Which::Hunk(random.pick(&open).id.clone());
            match random.below(2) {
                0 => drop(accept(&cell, &which).unwrap()),
                _ => drop(reject(&cell, &which).unwrap()),
            }
            assert!(is_even(&cell.base()), "{rows:?} to {changed:?}: {:?}", widths(&cell.base()));
            assert!(is_even(&cell.document()), "{rows:?} to {changed:?}: {:?}", widths(&cell.document()));
        }
    });
}

#[test]
fn a_column_is_one_decision_and_a_word_another() {
    let rows =
        |rows: &[&[&str]]| rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect::<Rows>();
    let cell = reviewed(&html(&rows(&[&["Plant", "Month"], &["Tomato", "May"], &["Leek", "July"]])));
    proposes(&cell, &rows(&[&["Plant", "Month", "Place"], &["Onion", "May", "South"], &["Leek", "July", "North"]]));
    let linked = hunks(&cell).iter().map(|hunk| hunk.linked.len()).collect::<Vec<_>>();
    assert_eq!(linked, [2, 0, 2, 2]);
}

//! The matrix: every shape of an answer, in every format, with every fault, through a complete agent.
//!
//! `fault` states the outcome of each cell by rule; the same run writes the table in `docs/MATRIX.md`.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod cell;
mod fault;
mod formats;
mod memory;
use copydesk_test_support::random;
mod cases;
mod redaction;
mod shape;
mod table;
mod wire;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::{env, fs, thread};

#[global_allocator]
static ALLOCATOR: memory::CountingAllocator = memory::CountingAllocator;

/// All runs of one format.
pub struct Column {
    pub api: &'static str,
    pub cells: Vec<Cell>,
    pub wrong: Vec<String>,
}

/// All runs of a fault with a shape that must have the same outcome.
pub struct Cell {
    pub fault: &'static str,
    pub when: &'static str,
    pub shape: &'static str,
    pub outcome: fault::FaultOutcome,
    pub is_wrong: bool,
    /// The reason for an exception to the rule.
    pub reason: Option<&'static str>,
    pub runs: usize,
}

impl Cell {
    fn is_like(&self, other: &Cell) -> bool {
        let cell = |cell: &Cell| (cell.fault, cell.when, cell.shape, cell.outcome, cell.is_wrong);
        cell(self) == cell(other)
    }
}

/// Runs all cells of a format.
fn column(format: &wire::Format) -> Column {
    let (mut cells, mut wrong) = (Vec::<Cell>::new(), Vec::new());
    for fault in fault::ALL {
        for shape in shape::all() {
            let scenario = cell::Scenario::new(format, &shape);
            for mut case in (fault.cases)(format, &shape, &scenario.stream) {
                // The outcome of a persistent fault does not depend on the answer.
                case.also_persistent &= shape.name == "a text";
                let other = (format.other_fault)(fault.name, case.when, &shape);
                let (outcome, reason) = other.map_or((case.outcome, None), |(outcome, reason)| (outcome, Some(reason)));
                let run = || cell::run(&scenario, &case, &outcome);
                let found = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err("a panic".into()));
                let (outcome, is_wrong) = (found.clone().ok().flatten().unwrap_or(outcome), found.is_err());
                if let Err(what) = found {
                    let (api, fault, shape, when, at) = (format.api, fault.name, shape.name, case.when, &case.at);
                    wrong.push(format!("{api} · {shape} · {fault} · {when} ({at}): {what:.2000}"));
                }
                let cell =
                    Cell { fault: fault.name, when: case.when, shape: shape.name, outcome, is_wrong, reason, runs: 1 };
                match cells.iter_mut().find(|other| other.is_like(&cell)) {
                    Some(other) => other.runs += 1,
                    None => cells.push(cell),
                }
            }
        }
    }
    Column { api: format.api, cells, wrong }
}

fn columns() -> &'static [Column] {
    static COLUMNS: OnceLock<Vec<Column>> = OnceLock::new();
    COLUMNS.get_or_init(|| {
        let count = formats::all().len();
        let run = |at: usize| thread::spawn(move || column(&formats::all()[at]));
        let running: Vec<_> = (0..count).map(run).collect();
        running.into_iter().map(|column| column.join().unwrap()).collect()
    })
}

#[test]
fn every_cell_has_the_outcome_of_its_rule() {
    let wrong: Vec<&String> = columns().iter().flat_map(|column| &column.wrong).collect();
    let first: Vec<&str> = wrong.iter().take(30).map(|what| what.as_str()).collect();
    assert!(wrong.is_empty(), "{} runs found to something else:\n{}", wrong.len(), first.join("\n"));
}

#[test]
fn the_table_in_the_docs_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/MATRIX.md");
    let made = table::markdown(columns());
    if env::var_os("COPYDESK_UPDATE").is_some() {
        fs::create_dir_all(concat!(env!("CARGO_MANIFEST_DIR"), "/docs")).unwrap();
        fs::write(path, &made).unwrap();
    }
    let current = fs::read_to_string(path).unwrap_or_default();
    assert!(
        current == made,
        "docs/MATRIX.md differs from this run: `COPYDESK_UPDATE=1 cargo test --test matrix` writes it"
    );
}

//! Measures how the time of each operation grows with its input: every family at sizes 1, 2, 4 and 8, and the ratio of
//! each doubling. Operations near n log n have ratios near 2, quadratic ones near 4.
//!
//! ```text
//! cargo xtask bench growth             all families
//! cargo xtask bench growth lists carry those whose names contain one of these
//! ```
//!
//! Prints medians and asserts no time. An operation panics if it has not done its work. `cargo test` runs each once
//! with a small input.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod arguments;
mod content;
mod edits;
mod guards;
mod reading;
mod relocation;
mod review;
mod sources;

use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

/// Sizes of each family, as multiples of its own unit.
const SIZES: [usize; 4] = [1, 2, 4, 8];
/// Ratio per doubling above which a family is marked.
const MOST: f64 = 2.3;
/// Time spent on one size of one family, and the least and most repetitions.
const TIME: Duration = Duration::from_millis(250);
const RUNS: (usize, usize) = (3, 41);
/// Number of times a marked family is measured again.
const AGAIN: usize = 2;
/// Time of one run above which a family is not measured at larger sizes.
const PATIENCE: Duration = Duration::from_secs(6);

/// An operation over inputs of a size. The input is prepared once; then the operation is run and timed.
pub struct Family {
    name: &'static str,
    /// Size of the input at size 1.
    unit: usize,
    make: Box<dyn Fn(usize) -> Operation>,
}

/// Divisor of a family's unit, and the least size, for the input of the tests.
const SMALLEST: (usize, usize) = (20, 12);

/// One run of an operation, which panics if its work was not done.
pub type Operation = Box<dyn Fn()>;

/// A family with one function for its input and another for its operation.
pub fn family<I: 'static, O: 'static>(
    name: &'static str,
    unit: usize,
    input: impl Fn(usize) -> I + 'static,
    operation: impl Fn(&I) -> O + Copy + 'static,
) -> Family {
    let make = move |size| -> Operation {
        let input = input(size);
        Box::new(move || drop(black_box(operation(black_box(&input)))))
    };
    Family { name, unit, make: Box::new(make) }
}

fn main() {
    // `cargo bench` passes `--bench`, `cargo test` does not.
    let is_test = !std::env::args().any(|arg| arg == "--bench");
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let is_wanted = |heading: &str, family: &Family| {
        wanted.is_empty() || wanted.iter().any(|word| family.name.contains(word.as_str()) || heading == word)
    };
    let groups = [
        ("reading", reading::families()),
        ("edits", edits::families()),
        ("guards", guards::families()),
        ("relocation", relocation::families()),
        ("review", review::families()),
        ("content", content::families()),
        ("arguments", arguments::families()),
    ];
    let (mut marked, mut checked) = (0, 0);
    for (heading, families) in groups {
        let chosen: Vec<&Family> = families.iter().filter(|family| is_wanted(heading, family)).collect();
        if chosen.is_empty() {
            continue;
        }
        if is_test {
            chosen.iter().for_each(|family| check(family));
            checked += chosen.len();
            continue;
        }
        println!("\nGrowth: {heading}");
        println!("  {:<58}{:>8} {:>8} {:>8} {:>8}  {:>4} {:>4} {:>4}", "", "1", "2", "4", "8", "×2", "×4", "×8");
        for family in chosen {
            marked += usize::from(row(family));
        }
    }
    if is_test {
        // In the words of the usual test harness.
        println!("test result: ok. {checked} passed; 0 failed");
        return;
    }
    println!("\n{marked} of them grow by more than {MOST} per doubling (marked ◀)");
}

/// Runs one family once with a small input.
fn check(family: &Family) {
    let (share, least) = SMALLEST;
    // Even, as the sizes that are measured.
    let size = (family.unit / share / 2 * 2).max(least);
    println!("test {} ({size})", family.name);
    (family.make)(size)();
}

/// Measures and prints one family. Returns `true` if it is marked.
fn row(family: &Family) -> bool {
    print!("  {:<58}", format!("{} ({})", family.name, family.unit));
    let _ = std::io::stdout().flush();
    let mut times = times_of(family);
    // Other load makes single measurements slow: a marked family is measured again.
    for _ in 0..AGAIN {
        if is_marked(&times) {
            times = times.into_iter().zip(times_of(family)).map(|(first, second)| first.min(second)).collect();
        }
    }
    times.iter().for_each(|time| print!("{:>8} ", time.map_or("…".to_owned(), shown)));
    let ratio = |ratio: &Option<f64>| ratio.map_or("…".to_owned(), |ratio| format!("{ratio:.1}"));
    ratios(&times).iter().for_each(|one| print!(" {:>4}", ratio(one)));
    println!("{}", if is_marked(&times) { "  ◀" } else { "" });
    is_marked(&times)
}

/// Returns the median of each size, `None` after a size that took too long.
fn times_of(family: &Family) -> Vec<Option<Duration>> {
    let mut times: Vec<Option<Duration>> = Vec::new();
    for size in SIZES {
        let is_hopeless = times.last().is_some_and(|last| last.is_none_or(|last| last > PATIENCE));
        times.push((!is_hopeless).then(|| median(&(family.make)(family.unit * size))));
    }
    times
}

/// Returns the ratio of each doubling.
fn ratios(times: &[Option<Duration>]) -> Vec<Option<f64>> {
    let ratio = |pair: &[Option<Duration>]| Some(pair[1]?.as_secs_f64() / pair[0]?.as_secs_f64());
    times.windows(2).map(ratio).collect()
}

/// Returns `true` if the time grows too fast. The first doubling is dominated by caches, so the mean of the last two
/// counts.
fn is_marked(times: &[Option<Duration>]) -> bool {
    let known: Vec<f64> = ratios(times).into_iter().flatten().collect();
    let last = &known[known.len().saturating_sub(2)..];
    let mean = last.iter().product::<f64>().powf(1.0 / last.len().max(1) as f64);
    times.contains(&None) || mean > MOST
}

fn median(operation: &Operation) -> Duration {
    let started = Instant::now();
    let mut times = Vec::new();
    while times.len() < RUNS.1 && (times.len() < RUNS.0 || started.elapsed() < TIME) {
        let run = Instant::now();
        operation();
        times.push(run.elapsed());
        if run.elapsed() > PATIENCE / 4 {
            break;
        }
    }
    times.sort();
    times[times.len() / 2]
}

fn shown(time: Duration) -> String {
    match time.as_secs_f64() * 1e3 {
        ms if ms < 1.0 => format!("{:.0} µs", ms * 1e3),
        ms if ms < 100.0 => format!("{ms:.1} ms"),
        ms => format!("{ms:.0} ms"),
    }
}

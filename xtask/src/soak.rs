//! Runs the random tests for a long time: with many more cases than `test`, and another seed each time.

use crate::compare::SMALLEST;
use crate::project::Project;
use crate::shell::{Result, run as run_program, say};
use crate::{browsers, demo};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

/// The variables that set the number of cases, with the number that one round plays.
const COUNTS: [(&str, u32); 8] = [
    ("COPYDESK_INTERLEAVINGS", 5000),
    ("COPYDESK_REVIEWS", 20_000),
    ("COPYDESK_SCHEDULES", 1000),
    ("COPYDESK_SERVED_SCHEDULES", 250),
    ("COPYDESK_CASES", 20_000),
    ("COPYDESK_SOURCES", 4000),
    ("COPYDESK_ROUTE_RUNS", 120),
    ("COPYDESK_INSTANCE_RUNS", 40),
];
/// The files that read them.
const FILES: [&str; 15] = [
    "browser/interleaving",
    "browser/review-views",
    "browser/suggestions",
    "browser/suggesting",
    "browser/comments",
    "browser/authorship",
    "browser/served-schedules",
    "browser/documents",
    "packaging/comments",
    "packaging/route-source",
    "packaging/route-resume",
    "packaging/route-reader",
    "packaging/route-instances",
    "packaging/route-clients",
    "instances/kills",
];
/// The schedules of people and agents in shared documents: in one page, and of each kind over a server.
const ROOMS: [&str; 5] =
    ["browser/suggestions", "browser/served-schedules", "browser/suggesting", "browser/comments", "browser/authorship"];
/// The number of schedules of a kind that `--rooms` plays in one page in a round.
const SCHEDULES: [(&str, u32); 1] = [("COPYDESK_SCHEDULES", 5000)];
/// The time without `--minutes`.
const MINUTES: u64 = 60;

/// Plays rounds until the time is over; one if no time is given. Stops at the first failure, whose output has its seed.
pub fn run(project: &Project, args: &[String]) -> Result<()> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let smallest = COUNTS.map(|(name, _)| (name, 2));
    let (minutes, files, counts): (u64, &[&str], &[(&str, u32)]) = match args[..] {
        [] => (MINUTES, &FILES, &[]),
        [SMALLEST] => (0, &["packaging/comments"], &smallest),
        ["--rooms"] => (0, &ROOMS[..2], &SCHEDULES),
        ["--rooms", "--minutes", number] => (read_minutes(number)?, &ROOMS, &SCHEDULES),
        ["--minutes", number] => (read_minutes(number)?, &FILES, &[]),
        _ => return Err("soak takes `--rooms` and `--minutes N`; see `cargo xtask help`".to_owned()),
    };
    demo::build(project)?;
    let started = Instant::now();
    for round in 1.. {
        for file in files {
            let seed = seed();
            say(format!("round {round}: {file}, COPYDESK_SEED={seed}"));
            run_program(
                Command::new("node")
                    .args(["--test", "--test-reporter=spec"])
                    .arg(format!("tests/{file}.test.mjs"))
                    .current_dir(&project.root)
                    .envs(COUNTS.iter().chain(counts).map(|(name, count)| (name, count.to_string())))
                    .env("COPYDESK_SEED", seed.to_string())
                    .env("CHROME", browsers::headless()?),
            )?;
            if minutes > 0 && started.elapsed() >= Duration::from_secs(60 * minutes) {
                return Ok(());
            }
        }
        if minutes == 0 {
            break;
        }
    }
    Ok(())
}

fn read_minutes(text: &str) -> Result<u64> {
    text.parse().map_err(|_| "--minutes takes a number".to_owned())
}

/// Returns another seed each time.
fn seed() -> u32 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(1, |since| since.subsec_micros() + 1)
}

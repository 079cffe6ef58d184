//! Runs the tests of changed files, those nearest to them first.

use super::{Processes, cargo, counted, node_files, processes_at_once};
use crate::count::TestReport;
use crate::project::Project;
use crate::shell::{Result, output, run as run_program, say};
use crate::{demo, pack, tools};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The time for the tests of the package and of pages, and that after which no further crate is tested, in seconds.
const BUDGET: u64 = 75;

/// The output of `js/affected.mjs`.
#[derive(Default)]
struct Affected {
    format: Vec<String>,
    crates: Vec<String>,
    tests: Vec<String>,
    /// The changed test files, which are run in their long form.
    long: Vec<String>,
    /// The test files that the time does not allow.
    left: Vec<String>,
}

impl Affected {
    fn read(said: &str) -> Affected {
        let mut affected = Affected::default();
        for line in said.lines() {
            match line.split_once(' ') {
                Some(("format", path)) => affected.format.push(path.to_owned()),
                Some(("crate", name)) => affected.crates.push(name.to_owned()),
                Some(("test", path)) => affected.tests.push(path.to_owned()),
                Some(("long", path)) => affected.long.push(path.to_owned()),
                Some(("left", path)) => affected.left.push(path.to_owned()),
                _ => {}
            }
        }
        affected
    }
}

/// Tests the changes since a commit, by default since this branch left main.
pub fn run(project: &Project, commit: Option<&str>) -> Result<()> {
    tools::npm_packages(project)?;
    let seconds = BUDGET * processes_at_once() as u64;
    let mut script = Command::new("node");
    script.arg(project.root.join("xtask/js/affected.mjs")).arg(project.scratch().join("test-costs.json"));
    let affected = Affected::read(&output(script.arg(seconds.to_string()).args(commit).current_dir(&project.root))?);
    if affected.format.is_empty() {
        say("nothing has changed");
        return Ok(());
    }
    let mut report = TestReport::default();
    let outcomes = [
        format(project, &affected.format),
        native(project, &affected.crates, &mut report),
        of_package(project, &affected, &mut report),
    ];
    println!("{}", report.count);
    let wrong: Vec<String> = outcomes.into_iter().filter_map(Result::err).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn format(project: &Project, paths: &[String]) -> Result<()> {
    run_program(cargo(project).args(["fmt", "--all", "--check"]))?;
    run_program(
        tools::npm_program(project, "prettier/bin/prettier.cjs")
            .args(["--check", "--ignore-unknown", "--log-level", "warn"])
            .args(paths)
            .current_dir(&project.root),
    )
}

fn native(project: &Project, crates: &[String], report: &mut TestReport) -> Result<()> {
    if crates.is_empty() {
        return Ok(());
    }
    say("pages and the package are not tested with changed wasm: cargo xtask test --only packaging,browser");
    let started = Instant::now();
    let mut outcome = Ok(());
    for (at, name) in crates.iter().enumerate() {
        if started.elapsed() >= Duration::from_secs(BUDGET) {
            let left = crates[at..].iter().map(|name| format!(" -p {name}")).collect::<String>();
            say(format!("crates that depend on the change were not tested: cargo test{left}"));
            break;
        }
        let tested = counted(cargo(project).args(["test", "--no-fail-fast", "--package", name]), report);
        outcome = outcome.and(tested.map_err(|why| format!("{name}: {why}")));
    }
    outcome
}

fn of_package(project: &Project, affected: &Affected, report: &mut TestReport) -> Result<()> {
    let Affected { tests, long, left, .. } = affected;
    let is_of_pages = |path: &&String| Path::new(path).starts_with("tests/browser");
    if tests.is_empty() && long.is_empty() {
        return Ok(());
    }
    if tests.iter().chain(long).any(|path| is_of_pages(&path)) {
        demo::build(project)?
    } else {
        pack::build(project)?
    }
    let (pages, others): (Vec<&String>, Vec<&String>) = tests.iter().partition(is_of_pages);
    let mut outcome = Ok(());
    for (paths, processes, variables) in [
        (long.iter().collect(), Processes::OfOneFile, &[("COPYDESK_LONG", "1")][..]),
        (others, Processes::OfOneFile, &[]),
        (pages, Processes::OfSeveralFiles, &[]),
    ] {
        let files: Vec<PathBuf> = paths.iter().map(|path| project.root.join(path)).collect();
        if !files.is_empty() {
            outcome = outcome.and(node_files(project, &files, processes, variables, report));
        }
    }
    if !left.is_empty() {
        say(format!("{} test files that depend on the change from further away were not run:", left.len()));
        left.iter().for_each(|path| say(format!("  {path}")));
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_is_affected() {
        let said = "format a b.md\ncrate copydesk-llm\nlong tests/browser/b.test.mjs\ntest tests/browser/a.test.mjs\n";
        let affected = Affected::read(said);
        assert_eq!(affected.format, ["a b.md"]);
        assert_eq!(affected.crates, ["copydesk-llm"]);
        assert_eq!(affected.tests, ["tests/browser/a.test.mjs"]);
        assert_eq!(affected.long, ["tests/browser/b.test.mjs"]);
    }
}

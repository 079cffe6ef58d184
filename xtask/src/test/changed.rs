//! Runs the tests of what has changed, those nearest to it first.

use super::{cargo, counted, files_at_once, node_files};
use crate::count::TestReport;
use crate::project::Project;
use crate::shell::{Result, output, run as run_program, say};
use crate::{demo, pack, tools};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// No further test files are begun after this time.
const BUDGET: Duration = Duration::from_secs(90);
/// Number of test files that are run together.
const TOGETHER: usize = 6;

/// What `js/affected.mjs` says.
#[derive(Default)]
struct Affected {
    format: Vec<String>,
    crates: Vec<String>,
    tests: Vec<String>,
}

impl Affected {
    fn read(said: &str) -> Affected {
        let mut affected = Affected::default();
        for line in said.lines() {
            match line.split_once(' ') {
                Some(("format", path)) => affected.format.push(path.to_owned()),
                Some(("crate", name)) => affected.crates.push(name.to_owned()),
                Some(("test", path)) => affected.tests.push(path.to_owned()),
                _ => {}
            }
        }
        affected
    }
}

/// Tests what has changed since a commit, by default since this branch left main.
pub fn run(project: &Project, commit: Option<&str>) -> Result<()> {
    tools::npm_packages(project)?;
    let script = project.root.join("xtask/js/affected.mjs");
    let affected = Affected::read(&output(Command::new("node").arg(script).args(commit).current_dir(&project.root))?);
    if affected.format.is_empty() {
        say("nothing has changed");
        return Ok(());
    }
    let mut report = TestReport::default();
    let outcomes = [
        format(project, &affected.format),
        native(project, &affected.crates, &mut report),
        of_package(project, &affected.tests, &mut report),
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
    // Fuzz targets need a nightly compiler.
    let crates = crates.iter().filter(|name| *name != "copydesk-fuzz-targets");
    let packages: Vec<&str> = crates.flat_map(|name| ["--package", name]).collect();
    if packages.is_empty() {
        return Ok(());
    }
    say("pages and the package were not tested with the changed wasm: cargo xtask test --only packaging,browser");
    counted(cargo(project).args(["test", "--no-fail-fast"]).args(packages), report)
}

fn of_package(project: &Project, tests: &[String], report: &mut TestReport) -> Result<()> {
    if tests.is_empty() {
        return Ok(());
    }
    let has_pages = tests.iter().any(|path| Path::new(path).starts_with("tests/browser"));
    if has_pages {
        demo::build(project)?
    } else {
        pack::build(project)?
    }
    let started = Instant::now();
    let mut outcome = Ok(());
    let mut left = tests;
    while !left.is_empty() && started.elapsed() < BUDGET {
        let (now, later) = left.split_at(left.len().min(TOGETHER));
        let files: Vec<PathBuf> = now.iter().map(|path| project.root.join(path)).collect();
        outcome = outcome.and(node_files(project, &files, files_at_once(), report));
        left = later;
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
        let affected = Affected::read("format a b.md\ncrate copydesk-llm\ntest tests/browser/a.test.mjs\n");
        assert_eq!(affected.format, ["a b.md"]);
        assert_eq!(affected.crates, ["copydesk-llm"]);
        assert_eq!(affected.tests, ["tests/browser/a.test.mjs"]);
    }
}

//! Runs all tests, part by part, and prints one line that sums them up; or the tests of changed files.

mod changed;

use crate::commands::COMMANDS;
use crate::count::{Count, TestReport};
use crate::project::{Project, files_named};
use crate::shell::{Result, path_with, run as run_program, watch};
use crate::tools::{self, WASM_TARGET};
use crate::{browsers, demo, pack};
use std::env;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

/// A part of the tests: name, heading, and function. An `Err` is a failure in addition to those counted.
type TestPart = (&'static str, &'static str, fn(&Project, &mut TestReport) -> Result<()>);

const PARTS: [TestPart; 6] = [
    ("checks", "formatting, lints", checks),
    ("native", "the core, natively (cargo test)", native),
    ("web", "the wasm in Chromium and Firefox (wasm-pack test)", web),
    ("packaging", "the npm package (node --test)", packaging),
    ("browser", "pages in Chromium (Playwright)", browser),
    ("commands", "the commands of xtask, each with its smallest input", commands),
];

pub fn run(project: &Project, args: &[String]) -> Result<()> {
    if let [flag, commit @ ..] = args
        && flag == "--changed"
        && commit.len() < 2
    {
        return changed::run(project, commit.first().map(String::as_str));
    }
    let chosen = chosen(args)?;
    let mut total = Count::default();
    let mut summary = Vec::new();
    let mut failures = Vec::new();
    for (name, heading, part) in PARTS.into_iter().filter(|(name, ..)| chosen.iter().any(|one| one == name)) {
        println!("\n━━ {name}: {heading}");
        let started = Instant::now();
        let mut report = TestReport::default();
        let mut outcome = part(project, &mut report);
        let TestReport { mut count, failures: said } = report;
        if outcome.is_ok() && name != "checks" && count == Count::default() {
            outcome = Err("no test ran".to_owned());
        }
        let seconds = started.elapsed().as_secs();
        match outcome {
            Ok(()) if name == "checks" => summary.push(format!("{name:>10}: ok ({seconds} s)")),
            Ok(()) => summary.push(format!("{name:>10}: {count} ({seconds} s)")),
            Err(why) => {
                eprintln!("{why}");
                // A failure outside a test (a lint, a compile error, a missing tool) counts as one.
                count.failed = count.failed.max(1);
                let first = why.lines().next().unwrap_or_default();
                failures.extend(said);
                failures.extend(why.lines().map(str::to_owned));
                summary.push(format!("{name:>10}: {count} ({seconds} s): {first}"));
            }
        }
        total += count;
    }
    if !failures.is_empty() {
        println!("\n━━ failures");
        failures.iter().for_each(|line| println!("{line}"));
    }
    println!("\n━━ summary");
    summary.iter().for_each(|line| println!("{line}"));
    println!("{total}");
    if total.failed == 0 { Ok(()) } else { Err(String::new()) }
}

fn chosen(args: &[String]) -> Result<Vec<String>> {
    let names = || PARTS.map(|(name, ..)| name);
    let chosen: Vec<String> = match args {
        [] => names().map(str::to_owned).to_vec(),
        [flag, list] if flag == "--only" => list.split(',').map(str::to_owned).collect(),
        _ => {
            return Err("test takes `--only` with a choice of parts, or `--changed`; see `cargo xtask help`".to_owned());
        }
    };
    match chosen.iter().find(|name| !names().contains(&name.as_str())) {
        Some(wrong) => Err(format!("there is no part `{wrong}`; the parts are {}", names().join(", "))),
        None => Ok(chosen),
    }
}

fn cargo(project: &Project) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(&project.root);
    command
}

fn checks(project: &Project, _: &mut TestReport) -> Result<()> {
    tools::wasm_target()?;
    tools::rust_components()?;
    // All with the same lints: with others, cargo would check every crate again.
    let clippy = |args: &[&str]| {
        run_program(cargo(project).args(["clippy", "--quiet"]).args(args).args(["--", "-D", "warnings"]))
    };
    tools::npm_packages(project)?;
    let mut prettier = tools::npm_program(project, "prettier/bin/prettier.cjs");
    let outcomes = [
        run_program(cargo(project).args(["fmt", "--all", "--check"])),
        run_program(prettier.args(["--check", "--log-level", "warn", "."])),
        clippy(&["--workspace", "--all-targets"]),
        clippy(&["--target", WASM_TARGET, "--lib", "--tests"]),
        clippy(&["--target", WASM_TARGET, "--no-default-features"]),
    ];
    let wrong: Vec<String> = outcomes.into_iter().filter_map(Result::err).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn native(project: &Project, report: &mut TestReport) -> Result<()> {
    counted(cargo(project).args(["test", "--workspace", "--no-fail-fast"]), report)
}

fn web(project: &Project, report: &mut TestReport) -> Result<()> {
    tools::wasm_target()?;
    let bindgen = tools::wasm_bindgen(project)?;
    let wasm_pack = tools::wasm_pack(project)?;
    let path = path_with(&[&bindgen])?;
    let mut outcome = Ok(());
    for browser in browsers::all(project)? {
        println!("\n{}", browser.name);
        let mut command = Command::new(wasm_pack.join("wasm-pack"));
        command
            .args(["--log-level", "error", "test", "--headless", "--mode", "no-install"])
            .args([browser.flag, browser.driver_flag])
            .arg(&browser.driver)
            .args(["--", "--test", "web"])
            .current_dir(&project.root)
            .env("PATH", &path)
            // The runner uses the first driver that the environment names; wasm-pack adds this one.
            .env_remove("GECKODRIVER")
            .env_remove("SAFARIDRIVER")
            .env_remove("CHROMEDRIVER")
            // Seconds. On a busy machine the driver takes longer to start than the default of 5.
            .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
            .env("WASM_BINDGEN_TEST_TIMEOUT", "180")
            .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", browser.capabilities(project)?);
        let result = counted(&mut command, report);
        outcome = outcome.and(result.map_err(|why| format!("in {}: {why}", browser.name)));
    }
    outcome
}

fn packaging(project: &Project, report: &mut TestReport) -> Result<()> {
    pack::build(project)?;
    tools::conformance_packages(project)?;
    node_tests(project, &["tests/packaging"], Processes::OfOneFile, report)
}

fn browser(project: &Project, report: &mut TestReport) -> Result<()> {
    demo::build(project)?;
    node_tests(project, &["tests/browser", "tests/browser/attack"], Processes::OfSeveralFiles, report)
}

/// The unit that one process of node's runner runs. Several files share a browser and their imports.
#[derive(Clone, Copy, PartialEq)]
enum Processes {
    OfOneFile,
    OfSeveralFiles,
}

/// The number of processes at once: one more than there are processors, since tests also wait.
fn processes_at_once() -> usize {
    thread::available_parallelism().map_or(1, usize::from) + 1
}

/// Runs the commands that no other part runs, several at once. Each checks its own result.
fn commands(project: &Project, report: &mut TestReport) -> Result<()> {
    demo::build(project)?;
    let program = env::current_exe().map_err(|why| why.to_string())?;
    let runs: Vec<Vec<&str>> = COMMANDS.iter().flat_map(|command| command.tested_lines()).collect();
    let next = AtomicUsize::new(0);
    let said = Mutex::new(report);
    thread::scope(|scope| {
        for _ in 0..processes_at_once() {
            scope.spawn(|| {
                while let Some(args) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let started = Instant::now();
                    let ran =
                        Command::new(&program).args(args).current_dir(&project.root).env(pack::BUILT, "1").output();
                    let line = format!("cargo xtask {}", args.join(" "));
                    let mut report = said.lock().unwrap_or_else(PoisonError::into_inner);
                    print_command(&line, ran, started.elapsed().as_secs_f64(), &mut report);
                }
            });
        }
    });
    let report = said.into_inner().unwrap_or_else(PoisonError::into_inner);
    if report.count.failed == 0 { Ok(()) } else { Err("commands failed".to_owned()) }
}

/// Prints the output of a command, and counts it.
fn print_command(line: &str, ran: io::Result<Output>, seconds: f64, report: &mut TestReport) {
    let failure = match &ran {
        Ok(output) if output.status.success() => None,
        // The last line has the reason.
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).trim_end().lines().last().unwrap_or("").to_owned()),
        Err(why) => Some(why.to_string()),
    };
    println!("\n{line}");
    if let Ok(output) = &ran {
        print!("{}", String::from_utf8_lossy(&output.stdout));
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
    }
    println!("({seconds:.1} s)");
    match failure {
        None => report.count.passed += 1,
        Some(why) => {
            report.count.failed += 1;
            report.failures.push(format!("{line}: {why}"));
        }
    }
}

/// Runs the test files of these folders.
fn node_tests(project: &Project, dirs: &[&str], processes: Processes, report: &mut TestReport) -> Result<()> {
    let mut files = Vec::new();
    for dir in dirs {
        let found = files_named(&project.root.join(dir), "", ".test.mjs");
        if found.is_empty() {
            return Err(format!("{dir} has no *.test.mjs"));
        }
        files.extend(found);
    }
    node_files(project, &files, processes, &[], report)
}

/// Runs test files by `js/run-tests.mjs`, with these variables of the environment.
fn node_files(
    project: &Project,
    files: &[PathBuf],
    processes: Processes,
    variables: &[(&str, &str)],
    report: &mut TestReport,
) -> Result<()> {
    counted(
        Command::new("node")
            .arg(project.root.join("xtask/js/run-tests.mjs"))
            .arg(processes_at_once().to_string())
            .arg(project.scratch())
            .args((processes == Processes::OfSeveralFiles).then_some("--together"))
            .args(files)
            .current_dir(&project.root)
            .envs(variables.iter().copied())
            .env("CHROME", browsers::headless()?),
        report,
    )
}

/// Runs a test runner and reads its results. A runner that fails without a failed test is an error.
fn counted(command: &mut Command, report: &mut TestReport) -> Result<()> {
    let before = report.count.failed;
    let succeeded = watch(command, report.reader())?;
    if succeeded {
        return Ok(());
    }
    Err(if report.count.failed > before {
        "tests failed".to_owned()
    } else {
        "the test runner failed before it had run every test".to_owned()
    })
}

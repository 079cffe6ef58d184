//! Compares copydesk with TipTap and others: speed, and equality on random inputs.

use crate::project::{Project, write};
use crate::shell::{Result, run as run_program};
use crate::{browsers, demo, pack, tools};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// A benchmark: its name, and what runs it.
type Bench = (&'static str, fn(&Project, &str, &[&str]) -> Result<()>);

/// The benchmarks: `tests/bench/<name>.mjs`.
pub const BENCHES: [Bench; 12] = [
    (EDITING, packaged),
    ("loop", beside_other_loops),
    ("keys", in_demo),
    ("ready", in_demo),
    ("route", packaged),
    ("load", packaged),
    ("worker", packaged),
    ("conversation", packaged),
    ("workspace", packaged),
    ("markdown", packaged),
    ("suggestions", packaged),
    (GROWTH, growth),
];
const EDITING: &str = "editing";
const GROWTH: &str = "growth";
/// The flag with which a benchmark measures its smallest input once.
pub const SMALLEST: &str = "--smallest";

/// The flag with which the results are written into `docs/PERFORMANCE.md`.
const WRITE: &str = "--write";
/// The file to which benchmarks append their results, with `--write`.
static RESULTS: OnceLock<PathBuf> = OnceLock::new();

/// Runs all benchmarks, or the named one with its arguments; with `--size`, `editing` with articles of one size. With
/// `--write`, stores their results and writes the page again.
pub fn bench(project: &Project, args: &[String]) -> Result<()> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (flags, args): (Vec<&str>, Vec<&str>) = args.into_iter().partition(|arg| *arg == WRITE);
    if flags.is_empty() {
        return play(project, &args);
    }
    // The growth of native operations is not a comparison, and prints its own tables.
    let written: Vec<&str> = match &args[..] {
        [] => BENCHES.into_iter().map(|(name, _)| name).filter(|name| *name != GROWTH).collect(),
        [name] if *name != GROWTH && BENCHES.iter().any(|(bench, _)| bench == name) => vec![*name],
        _ => {
            return Err(format!(
                "{WRITE} takes the name of one benchmark other than {GROWTH}, or none; see `cargo xtask help`"
            ));
        }
    };
    fs::create_dir_all(project.scratch()).map_err(|why| why.to_string())?;
    let results = RESULTS.get_or_init(|| project.scratch().join("bench-results.jsonl"));
    write(results, "")?;
    for name in &written {
        play(project, &[*name])?;
    }
    let mut report = Command::new("node");
    run_program(report.arg("tests/bench/report.mjs").arg(results).args(&written).current_dir(&project.root))
}

fn play(project: &Project, args: &[&str]) -> Result<()> {
    if args.iter().all(|arg| *arg == SMALLEST) {
        return BENCHES.iter().try_for_each(|(name, play)| play(project, name, args));
    }
    if let ["--size", size, rest @ ..] = args {
        return packaged(project, EDITING, &[&[*size], rest].concat());
    }
    match BENCHES.iter().find(|(name, _)| *name == args[0]) {
        Some((name, play)) => play(project, name, &args[1..]),
        None => {
            let names = BENCHES.map(|(name, _)| name).join(", ");
            Err(format!("bench takes `--size` with 10KB, 100KB, 1MB or 5MB, or one of {names}; see `cargo xtask help`"))
        }
    }
}

/// Runs a benchmark of the package.
fn packaged(project: &Project, name: &str, args: &[&str]) -> Result<()> {
    node(project, &format!("tests/bench/{name}.mjs"), args)
}

/// Runs a benchmark of the demo page.
fn in_demo(project: &Project, name: &str, args: &[&str]) -> Result<()> {
    demo::build(project)?;
    packaged(project, name, args)
}

/// Runs a benchmark that compares agent loops.
fn beside_other_loops(project: &Project, name: &str, args: &[&str]) -> Result<()> {
    tools::bench_packages(project)?;
    packaged(project, name, args)
}

/// Measures how the time of operations grows with their inputs: those whose names contain one of the words, or all.
/// The smallest run of the native ones is a test of cargo's.
fn growth(project: &Project, name: &str, args: &[&str]) -> Result<()> {
    const MARKDOWN: &str = "markdown";
    let (flags, families): (Vec<&str>, Vec<&str>) = args.iter().partition(|arg| arg.starts_with("--"));
    if families.is_empty() || families.iter().any(|family| *family != MARKDOWN) {
        // Slow native code is slow in wasm too, and is measured without its noise.
        let mode = if flags.contains(&SMALLEST) { "test" } else { "bench" };
        let mut cargo = Command::new("cargo");
        cargo.args([mode, "--quiet", "--bench", name, "--"]).args(&families);
        run_program(cargo.current_dir(&project.root))?;
    }
    if families.is_empty() || families.contains(&MARKDOWN) {
        packaged(project, name, &flags)?;
    }
    Ok(())
}

/// Compares copydesk with TipTap on random documents.
pub fn fuzz_documents(project: &Project, args: &[String]) -> Result<()> {
    let (mut cases, mut seed) = (100_000, 1);
    let mut args = args.iter();
    while let Some(flag) = args.next() {
        let number = args.next().and_then(|number| number.parse::<u32>().ok());
        match (flag.as_str(), number) {
            ("--cases", Some(number)) => cases = number,
            ("--seed", Some(number)) => seed = number,
            ("--cases" | "--seed", None) => return Err(format!("{flag} takes a number")),
            (other, _) => return Err(format!("unexpected argument `{other}`; see `cargo xtask help`")),
        }
    }
    node(project, "tests/oracle/fuzz.mjs", &[&cases.to_string(), &seed.to_string()])
}

fn node(project: &Project, script: &str, args: &[&str]) -> Result<()> {
    pack::build(project)?;
    let chrome = browsers::chrome()?;
    let mut node = Command::new("node");
    if let Some(results) = RESULTS.get() {
        node.env("COPYDESK_BENCH_RESULTS", results);
    }
    run_program(
        node.arg(project.root.join(script)).args(args).current_dir(&project.root).env("CHROME", &chrome.program),
    )
}

#[cfg(test)]
mod tests {
    use super::BENCHES;
    use crate::project::{Project, files_named};

    #[test]
    fn every_script_that_is_a_benchmark_has_a_name() {
        let folder = Project::find().unwrap().root.join("tests/bench");
        // The others are modules of these.
        let is_bench = |text: &str| text.lines().take(4).any(|line| line.contains("cargo xtask bench"));
        let scripts = files_named(&folder, "", ".mjs").into_iter();
        let mut found: Vec<String> = scripts
            .filter(|file| is_bench(&std::fs::read_to_string(file).unwrap()))
            .map(|file| file.file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        let mut names = BENCHES.map(|(name, _)| name);
        found.sort_unstable();
        names.sort_unstable();
        assert_eq!(found, names);
    }
}

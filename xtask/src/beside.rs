//! copydesk beside TipTap in Chromium, where it is not a test: how fast, and how much alike.

use crate::project::Project;
use crate::shell::{Result, run as run_program};
use crate::{pack, tools};
use std::process::Command;

/// Prints what things cost, for articles of all sizes, for the loop and as inputs grow; or for articles of one size; or
/// only as inputs grow.
pub fn bench(project: &Project, args: &[String]) -> Result<()> {
    match args {
        [] => {
            tools::bench_packages(project)?;
            node(project, "tests/bench/bench.mjs", [])?;
            growth(project, &[])
        }
        [flag, size] if flag == "--size" => node(project, "tests/bench/bench.mjs", [size.clone()]),
        [table, families @ ..] if table == "growth" => growth(project, families),
        _ => Err("bench takes `--size` with 10KB, 100KB, 1MB or 5MB, or `growth`; see `cargo xtask help`".to_owned()),
    }
}

/// Prints how the time of operations grows with their inputs: of those whose names contain one of `families`, or of
/// all.
fn growth(project: &Project, families: &[String]) -> Result<()> {
    const MARKDOWN: &str = "markdown";
    if families.is_empty() || families.iter().any(|family| family != MARKDOWN) {
        // What is slow natively is slow in the wasm, and is measured without its noise.
        let mut cargo = Command::new("cargo");
        cargo.args(["bench", "--quiet", "--bench", "growth", "--"]).args(families);
        run_program(cargo.current_dir(&project.root))?;
    }
    if families.is_empty() || families.iter().any(|family| family == MARKDOWN) {
        pack::build(project)?;
        run_program(Command::new("node").arg("tests/bench/growth.mjs").current_dir(&project.root))?;
    }
    Ok(())
}

/// Looks for documents that copydesk reads or writes otherwise than TipTap.
pub fn fuzz_documents(project: &Project, args: &[String]) -> Result<()> {
    let (mut cases, mut seed) = (100_000, 1);
    let mut args = args.iter();
    while let Some(flag) = args.next() {
        let number = args.next().and_then(|number| number.parse::<u32>().ok());
        match (flag.as_str(), number) {
            ("--cases", Some(number)) => cases = number,
            ("--seed", Some(number)) => seed = number,
            ("--cases" | "--seed", None) => return Err(format!("{flag} takes a number")),
            (other, _) => return Err(format!("`{other}` is not understood here; see `cargo xtask help`")),
        }
    }
    node(project, "tests/oracle/fuzz.mjs", [cases.to_string(), seed.to_string()])
}

fn node(project: &Project, script: &str, args: impl IntoIterator<Item = String>) -> Result<()> {
    pack::build(project)?;
    let chrome = tools::chrome()?;
    run_program(
        Command::new("node")
            .arg(project.root.join(script))
            .args(args)
            .current_dir(&project.root)
            .env("CHROME", &chrome.browser),
    )
}

//! Compares copydesk with TipTap in Chromium: speed, and equality on random inputs.

use crate::project::Project;
use crate::shell::{Result, run as run_program};
use crate::{browsers, demo, pack, tools};
use std::process::Command;

/// Runs the benchmarks: articles of all sizes, the agent loop, keys in the demo, its first visit, the chat route,
/// workspaces and growth; or articles of one size; or one of the others alone.
pub fn bench(project: &Project, args: &[String]) -> Result<()> {
    match args {
        [] => {
            tools::bench_packages(project)?;
            node(project, "tests/bench/bench.mjs", [])?;
            keys(project)?;
            ready(project)?;
            route(project)?;
            worker(project)?;
            workspace(project)?;
            growth(project, &[])
        }
        [flag, size] if flag == "--size" => node(project, "tests/bench/bench.mjs", [size.clone()]),
        [table] if table == "keys" => keys(project),
        [table] if table == "ready" => ready(project),
        [table] if table == "route" => route(project),
        [table] if table == "worker" => worker(project),
        [table] if table == "workspace" => workspace(project),
        [table, families @ ..] if table == "growth" => growth(project, families),
        _ => Err(
            "bench takes `--size` with 10KB, 100KB, 1MB or 5MB, `keys`, `ready`, `route`, `worker`, `workspace` or `growth`; see `cargo xtask help`"
                .to_owned(),
        ),
    }
}

/// Measures the time of a key in the demo, with and without pending changes.
fn keys(project: &Project) -> Result<()> {
    demo::build(project)?;
    node(project, "tests/bench/keys.mjs", [])
}

/// Measures the main thread of a page during a run, with the agent in the page and in a worker.
fn worker(project: &Project) -> Result<()> {
    node(project, "tests/bench/worker.mjs", [])
}

/// Compares opening, searching and checking a workspace of 999 chapters with plain JavaScript.
fn workspace(project: &Project) -> Result<()> {
    node(project, "tests/bench/workspace.mjs", [])
}

/// Measures the time until the demo can be used, over a slow line.
fn ready(project: &Project) -> Result<()> {
    demo::build(project)?;
    node(project, "tests/bench/ready.mjs", [])
}

/// Compares the chat route with its agent alone and with the AI SDK's response, in one process of Node.
fn route(project: &Project) -> Result<()> {
    pack::build(project)?;
    run_program(Command::new("node").arg("tests/bench/route.mjs").current_dir(&project.root))
}

/// Measures how the time of operations grows with their inputs: those whose names contain one of `families`, or all.
fn growth(project: &Project, families: &[String]) -> Result<()> {
    const MARKDOWN: &str = "markdown";
    if families.is_empty() || families.iter().any(|family| family != MARKDOWN) {
        // Slow native code is slow in wasm too, and is measured without its noise.
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
    node(project, "tests/oracle/fuzz.mjs", [cases.to_string(), seed.to_string()])
}

fn node(project: &Project, script: &str, args: impl IntoIterator<Item = String>) -> Result<()> {
    pack::build(project)?;
    let chrome = browsers::chrome()?;
    run_program(
        Command::new("node")
            .arg(project.root.join(script))
            .args(args)
            .current_dir(&project.root)
            .env("CHROME", &chrome.program),
    )
}

//! `cargo xtask …`: everything a contributor does with this project, on a machine that has only
//! rustup's Rust, Node and npm. What is missing is brought, and each step of that says so in one line.

mod beside;
mod count;
mod demo;
mod pack;
mod project;
mod shell;
mod size;
mod stamp;
mod test;
mod tools;
mod wasm;

use project::Project;
use shell::Result;

const HELP: &str = "\
cargo xtask <command>

  build                build the npm package into pkg/
  demo [--port N] [--no-serve]
                       build the demo page and serve it; --no-serve leaves it in www/dist
  test [--only PARTS]  run every test; PARTS is a comma-separated choice of
                       checks, native, web, packaging, browser;
                       COPYDESK_INTERLEAVINGS=50000 has a person and an agent work
                       on one document that often, COPYDESK_SEED=N from another seed
  bench [--size S]     measure copydesk beside TipTap in Chromium, and its loop beside the AI SDK's and pi's;
                       with S, which is 10KB, 100KB, 1MB or 5MB, documents of that size alone;
                       the loop alone: node tests/bench/loop.mjs
  bench growth [NAMES] only how the time of each operation grows with its input, for those whose names contain
                       one of NAMES (a table's heading, or part of a row; `markdown` is what JavaScript does)
  fuzz-documents [--cases N] [--seed N]
                       compare N random HTMLs and N random documents with TipTap (100,000 from seed 1)
  size                 weigh pkg/; fails when the page build is over its budget
  help                 this text

Tools that are missing are brought (into target/tools, node_modules, and by apt on Debian as root).
CHROME and CHROMEDRIVER name a browser and its driver where the ones on PATH should not be used.
";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Err(why) = run(&args) {
        if !why.is_empty() {
            eprintln!("error: {why}");
        }
        std::process::exit(1);
    }
}

fn run(args: &[String]) -> Result<()> {
    let project = Project::find()?;
    let (command, rest) = match args.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", args),
    };
    match command {
        "build" => no_more(rest).and_then(|()| pack::build(&project)),
        "demo" => demo::run(&project, rest),
        "test" => test::run(&project, rest),
        "bench" => beside::bench(&project, rest),
        "fuzz-documents" => beside::fuzz_documents(&project, rest),
        "size" => no_more(rest).and_then(|()| size::run(&project)),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(format!("there is no command `{other}`\n\n{HELP}")),
    }
}

fn no_more(rest: &[String]) -> Result<()> {
    match rest.first() {
        Some(extra) => Err(format!("`{extra}` is not understood here; see `cargo xtask help`")),
        None => Ok(()),
    }
}

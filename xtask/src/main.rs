//! `cargo xtask …`: all development tasks, on a machine with only rustup's Rust, Node and npm. Missing tools are
//! installed, with one line of output each.

mod browsers;
mod commands;
mod compare;
mod conformance;
mod count;
mod demo;
mod environments;
mod example;
mod exports;
mod fidelity;
mod instances;
mod markdown;
mod pack;
mod project;
mod shell;
mod size;
mod soak;
mod stamp;
mod test;
mod tools;
mod wasm;

use commands::COMMANDS;
use project::Project;
use shell::Result;

const HELP: &str = "\
cargo xtask <command>

  build                build the npm package into pkg/
  demo [--port N] [--no-serve]
                       build the demo page and serve it; --no-serve leaves it in www/dist
  example NAME [FOLDER] [--no-serve]
                       copy an example to FOLDER (target/examples/NAME), with the packed package, install its packages
                       and start it; --no-serve does not start it
  test [--only PARTS]  run every test; PARTS is a comma-separated choice of
                       checks, native, web, packaging, browser, commands;
                       COPYDESK_INTERLEAVINGS=50000 sets the runs of a user and an agent
                       on one document, COPYDESK_SEED=N their seed; with COPYDESK_LONG=1 also what takes long
  test --changed [COMMIT]
                       run the tests of what has changed since COMMIT, by default since this branch left main, or in a
                       range of commits: those of the changed crates and of those that depend on them, and files of
                       tests of the package and of pages, the nearest to the change first, for about two minutes
  bench                all of the following, one after the other; with --smallest, which each of them takes, once with
                       its smallest input, as the tests run it; with --write, alone or after a name, they write their
                       results into docs/PERFORMANCE.md
  bench editing        compare copydesk with TipTap in Chromium; bench --size S for one size of document:
                       10KB, 100KB, 1MB or 5MB
  bench loop           compare copydesk's agent loop with the AI SDK's and pi's
  bench keys           measure a key in the demo, with and without pending changes in the document
  bench ready          measure the time until the demo can be used, over a slow line
  bench route          compare the chat route with its agent alone and with the AI SDK's response
  bench load           play 1,000 runs of the chat route at once on two instances, beside the AI SDK's response
  bench worker         measure the page's main thread during a run, with the agent in the page and in a worker
  bench conversation   measure a conversation of 1,000 messages with 5,000 tool rows in the assistant's element
  bench workspace      compare opening, searching and checking 999 chapters with plain JavaScript
  bench markdown       compare opening and saving Markdown files with mdast-util-from-markdown, which only parses them
  bench suggestions    measure a key in a shared document, with and without 2,000 suggestions
  bench growth [NAMES] measure how the time of each operation grows with its input; NAMES select those whose
                       table heading or row contains one of them (`markdown` measures the JavaScript part)
  fuzz-documents [--cases N] [--seed N]
                       compare N random HTMLs and N random documents with TipTap (100,000 from seed 1)
  fidelity [OPTIONS]   play edits as models write them with several engines, and write docs/FIDELITY.md;
                       OPTIONS are those of tests/fidelity/run.mjs, which then writes nothing by itself
  soak [--rooms] [--minutes N]
                       play random tests with many cases and new seeds for N minutes (60), until one fails
  exports [--smallest] export examples as DOCX and EPUB into target/exports, and open them with python-docx, epubcheck
                       and LibreOffice; with --smallest, fewer examples and only the programs that are installed
  conformance [--only TEXT]
                       play the conformance suite of MCP against copydesk/mcp: every scenario for clients, of both
                       eras of the protocol, except those for authorization and extensions; with --only those whose
                       name contains TEXT
  instances [--runs N] [--seed N]
                       play N runs (200) of the chat route on three instances behind nginx, which are killed, closed and
                       hung meanwhile, over Redis and over PostgreSQL
  matrix [--only TEXT] [--write]
                       install the package into one app per bundler, framework, runtime and test runner, run each,
                       and write docs/PACKAGING.md; with --only those whose name contains TEXT, and write with --write
  markdown [--files N] [--seed N] [FOLDERS]
                       open, edit and save the Markdown files of folders in three schemas; without arguments those of
                       the installed packages and crates, and the figures in docs/markdown.md are written
  size                 report the size of pkg/; fails when the page build is over its limit
  help                 print this text

Missing tools are installed (into target/tools and node_modules, and with apt on Debian as root).
CHROME and CHROMEDRIVER set the browser and its driver; the default is the one on PATH.
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
    if matches!(command, "help" | "--help" | "-h") {
        print!("{HELP}");
        return Ok(());
    }
    match COMMANDS.iter().find(|one| one.name == command) {
        Some(one) => (one.run)(&project, rest),
        None => Err(format!("there is no command `{command}`\n\n{HELP}")),
    }
}

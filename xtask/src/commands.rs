//! The commands, and how the tests run each of them.

use crate::compare::SMALLEST;
use crate::project::Project;
use crate::shell::Result;
use crate::{
    compare, conformance, demo, environments, example, exports, fidelity, instances, markdown, pack, size, soak, test,
};

pub struct Command {
    pub name: &'static str,
    pub run: fn(&Project, &[String]) -> Result<()>,
    pub tested: Tested,
}

/// The way in which the tests run a command.
pub enum Tested {
    /// By the part `commands`, once with each of these lists of arguments.
    With(&'static [&'static [&'static str]]),
    /// As a step of other parts.
    Within,
}

impl Command {
    /// Returns the command lines with which the tests run it.
    pub fn tested_lines(&self) -> Vec<Vec<&'static str>> {
        let Tested::With(runs) = self.tested else { return Vec::new() };
        runs.iter().map(|args| [&[self.name], *args].concat()).collect()
    }
}

use Tested::{With, Within};

pub const COMMANDS: [Command; 14] = [
    Command { name: "build", run: build, tested: Within },
    Command { name: "demo", run: demo::run, tested: With(&[&["--no-serve"]]) },
    Command { name: "example", run: example::run, tested: With(&[&["assistant-react", "--no-serve"]]) },
    Command { name: "test", run: test::run, tested: Within },
    Command {
        name: "bench",
        run: compare::bench,
        tested: With(&[
            &["editing", SMALLEST],
            &["loop", SMALLEST],
            &["keys", SMALLEST],
            &["ready", SMALLEST],
            &["route", SMALLEST],
            &["load", SMALLEST],
            &["worker", SMALLEST],
            &["conversation", SMALLEST],
            &["workspace", SMALLEST],
            &["markdown", SMALLEST],
            &["suggestions", SMALLEST],
            &["growth", "markdown", SMALLEST],
        ]),
    },
    Command { name: "fuzz-documents", run: compare::fuzz_documents, tested: With(&[&["--cases", "200"]]) },
    Command { name: "fidelity", run: fidelity::run, tested: With(&[&["--sample", "26"]]) },
    Command { name: "exports", run: exports::run, tested: With(&[&[SMALLEST]]) },
    Command { name: "conformance", run: conformance::run, tested: With(&[&["--only", "tools_call"]]) },
    Command { name: "instances", run: instances::run, tested: With(&[&["--runs", "4"]]) },
    Command { name: "matrix", run: environments::run, tested: With(&[&["--only", "README's example, Vite 8"]]) },
    Command { name: "markdown", run: markdown::run, tested: With(&[&["--files", "12"]]) },
    Command { name: "soak", run: soak::run, tested: With(&[&[SMALLEST]]) },
    Command { name: "size", run: size::run, tested: With(&[&[]]) },
];

fn build(project: &Project, args: &[String]) -> Result<()> {
    no_more(args)?;
    pack::build(project)
}

pub fn no_more(args: &[String]) -> Result<()> {
    match args.first() {
        Some(extra) => Err(format!("unexpected argument `{extra}`; see `cargo xtask help`")),
        None => Ok(()),
    }
}

//! Runs the conformance suite of the Model Context Protocol against `copydesk/mcp`.

use crate::project::Project;
use crate::shell::{Result, run as run_program};
use crate::{pack, tools};
use std::process::Command;

/// Plays the scenarios for clients, of both eras of the protocol: every one, or with `--only` those whose name contains
/// a text. Fails if one does not pass.
pub fn run(project: &Project, args: &[String]) -> Result<()> {
    if !matches!(args, [] | [_, _]) || args.first().is_some_and(|flag| flag != "--only") {
        return Err("conformance takes `--only` with a part of a scenario's name; see `cargo xtask help`".to_owned());
    }
    pack::build(project)?;
    tools::conformance_packages(project)?;
    run_program(Command::new("node").arg("tests/conformance/run.mjs").args(args).current_dir(&project.root))
}

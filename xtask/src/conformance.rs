//! Runs the conformance suite of the Model Context Protocol against `copydesk/mcp`.

use crate::project::Project;
use crate::shell::{Result, run as run_program};
use crate::{pack, tools};
use std::process::Command;

/// Plays every scenario for clients, of both eras of the protocol. Fails if one does not pass.
pub fn run(project: &Project) -> Result<()> {
    pack::build(project)?;
    tools::conformance_packages(project)?;
    run_program(Command::new("node").arg("tests/conformance/run.mjs").current_dir(&project.root))
}

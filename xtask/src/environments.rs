//! Installs the package into apps of bundlers, frameworks, runtimes and test runners, and runs them.

use crate::project::Project;
use crate::shell::{Result, run as run_program};
use crate::{browsers, pack};
use std::process::Command;

/// Plays `tests/packaging/environments/`. Without arguments all of them, and `docs/PACKAGING.md` is written; else the
/// arguments are those of its `run.mjs`.
pub fn run(project: &Project, args: &[String]) -> Result<()> {
    pack::build(project)?;
    let chrome = browsers::chrome()?;
    let mut node = Command::new("node");
    node.arg("tests/packaging/environments/run.mjs");
    if args.is_empty() {
        node.arg("--write");
    }
    run_program(node.args(args).current_dir(&project.root).env("CHROME", &chrome.program))
}

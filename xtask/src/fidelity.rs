//! Plays the benchmark of edits and writes its page.

use crate::project::Project;
use crate::shell::{Result, run as run_program};
use crate::{browsers, pack, tools};
use std::process::Command;

/// Plays the cases of `tests/fidelity/`. Without arguments every engine plays every case, and `docs/FIDELITY.md` is
/// written; else the arguments are those of `tests/fidelity/run.mjs`.
pub fn run(project: &Project, args: &[String]) -> Result<()> {
    pack::build(project)?;
    tools::fidelity_packages(project)?;
    let chrome = browsers::chrome()?;
    let mut node = Command::new("node");
    node.arg("tests/fidelity/run.mjs");
    if args.is_empty() {
        node.arg("--write");
    }
    run_program(node.args(args).current_dir(&project.root).env("CHROME", &chrome.program))
}

//! Plays Markdown files as documents.

use crate::pack;
use crate::project::Project;
use crate::shell::{Result, run as run_program};
use std::process::Command;

/// Opens, edits and saves Markdown files. Without arguments those of the installed packages and crates, and the figures
/// in `docs/markdown.md` are written; else the arguments are those of `corpus-run.mjs`.
pub fn run(project: &Project, args: &[String]) -> Result<()> {
    pack::build(project)?;
    let mut node = Command::new("node");
    node.arg("tests/packaging/markdown/corpus-run.mjs");
    if args.is_empty() {
        node.arg("--write");
    }
    run_program(node.args(args).current_dir(&project.root))
}

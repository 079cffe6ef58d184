//! Plays runs of the chat route on several instances behind nginx, which are killed, closed and hung meanwhile.

use crate::browsers::find_or_install;
use crate::pack;
use crate::project::Project;
use crate::shell::{Result, on_path, run as run_program};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The runs over each store.
const RUNS: &str = "200";
/// Programs of the test, each with its package of Debian.
const PROGRAMS: [(&str, &str); 3] = [("redis-server", "redis-server"), ("psql", "postgresql"), ("nginx", "nginx")];
/// The folder of nginx, which is on root's PATH only.
const SBIN: &str = "/usr/sbin";

/// Plays runs over Redis and over PostgreSQL.
pub fn run(project: &Project, args: &[String]) -> Result<()> {
    let mut node = Command::new("node");
    node.env("COPYDESK_INSTANCE_RUNS", RUNS).env("COPYDESK_INSTANCE_STORES", "redis,postgres");
    for option in args.chunks(2) {
        match option {
            [flag, count] if flag == "--runs" => node.env("COPYDESK_INSTANCE_RUNS", count),
            [flag, seed] if flag == "--seed" => node.env("COPYDESK_SEED", seed),
            _ => return Err("instances takes `--runs N` and `--seed N`; see `cargo xtask help`".to_owned()),
        };
    }
    pack::build(project)?;
    for (program, package) in PROGRAMS {
        if find_or_install(|| found(program), &[package]).is_none() {
            return Err(format!("there is no {program} (Debian: `sudo apt-get install {package}`)"));
        }
    }
    let reporter = ["--test", "--test-reporter=spec", "tests/instances/kills.test.mjs"];
    run_program(node.args(reporter).current_dir(&project.root))
}

fn found(program: &str) -> Option<PathBuf> {
    on_path(&[program]).or_else(|| Some(Path::new(SBIN).join(program)).filter(|file| file.is_file()))
}

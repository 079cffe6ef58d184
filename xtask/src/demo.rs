//! Builds and serves the demo page.

use crate::project::Project;
use crate::shell::{Result, run as run_program, say};
use crate::stamp::Inputs;
use crate::{pack, tools};
use std::process::Command;

pub fn run(project: &Project, args: &[String]) -> Result<()> {
    let mut port = 4173;
    let mut serves = true;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--no-serve" => serves = false,
            "--port" => {
                port = args
                    .next()
                    .and_then(|number| number.parse::<u16>().ok())
                    .ok_or("--port takes a number from 0 to 65535")?;
            }
            other => return Err(format!("unexpected argument `{other}`; see `cargo xtask help`")),
        }
    }
    build(project)?;
    if !serves {
        return Ok(());
    }
    serve(
        Command::new("node")
            .arg(project.root.join("xtask/js/serve.mjs"))
            .arg(project.root.join("www"))
            .arg(port.to_string()),
    )
}

/// Builds the package and then `www/` into `www/dist`.
pub fn build(project: &Project) -> Result<()> {
    pack::build(project)?;
    let www = project.root.join("www");
    let dist = www.join("dist");
    let mut inputs = Inputs::default().path(&project.pkg())?.path(&project.root.join("package-lock.json"))?;
    for entry in std::fs::read_dir(&www).map_err(|why| format!("cannot list {}: {why}", www.display()))? {
        let path = entry.map_err(|why| why.to_string())?.path();
        if path != dist {
            inputs = inputs.text(&path.to_string_lossy()).path(&path)?;
        }
    }
    let stamp = inputs.stamp(project.scratch().join("demo.stamp"));
    if stamp.is_fresh() && dist.join("index.html").is_file() {
        return Ok(());
    }
    stamp.clear();
    say("building the demo page into www/dist (vite build)");
    run_program(tools::npm_program(project, "vite/bin/vite.js").args(["build", "www", "--logLevel", "warn"]))?;
    stamp.set()
}

/// Replaces this process with the server, so that stopping one stops the other.
#[cfg(unix)]
fn serve(command: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    Err(format!("cannot start node: {}", command.exec()))
}

#[cfg(not(unix))]
fn serve(command: &mut Command) -> Result<()> {
    run_program(command)
}

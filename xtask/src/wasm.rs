//! Builds the wasm files of the package with cargo, wasm-bindgen and wasm-opt.

use crate::project::Project;
use crate::shell::{Result, output, run, say};
use crate::stamp::Inputs;
use crate::tools::{self, WASM_TARGET};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

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
    /// The packages that are optimized for speed rather than for size.
    fast: &'static [&'static str],
}

/// The builds. `page` has neither an HTML parser nor a recorder: a page with an editor needs none of its own.
const BUILDS: [Build; 2] = [
    Build { name: "page", features: &["--no-default-features"], fast: &[] },
    Build { name: "full", features: &[], fast: &READING },
];

/// Reading HTML takes 0.6 times as long if these are optimized for speed. The generic parts of html5ever are compiled with
/// `copydesk-document`.
const READING: [&str; 6] = ["copydesk-document", "html5ever", "markup5ever", "serde_json", "tendril", "web_atoms"];

/// Builds `copydesk.js`, `copydesk_bg.wasm`, their types and the base64 chunk of each build. Returns their folder.
pub fn build(project: &Project) -> Result<PathBuf> {
    tools::wasm_target()?;
    let out = project.scratch().join("wasm");
    let stamp = sources(project)?.stamp(project.scratch().join("wasm.stamp"));
    if stamp.is_fresh() && BUILDS.iter().all(|build| out.join(build.name).join("copydesk_bg.wasm").is_file()) {
        return Ok(out);
    }
    stamp.clear();
    remove_others(&out)?;
    for build in &BUILDS {
        one(project, build, &out.join(build.name))?;
    }
    stamp.set()?;
    Ok(out)
}

/// All that the builds depend on. cargo links both again each time, since their outputs have one name.
fn sources(project: &Project) -> Result<Inputs> {
    let mut inputs = Inputs::default()
        .text(&output(Command::new("rustc").args(["--version", "--verbose"]))?)
        .text(include_str!("wasm.rs"))
        .text(include_str!("../js/base64.mjs"))
        .text(include_str!("../js/order.mjs"));
    for name in ["package-lock.json", "Cargo.lock", ".cargo/config.toml", "rust-toolchain.toml"] {
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

fn one(project: &Project, Build { name, features, fast }: &Build, out: &Path) -> Result<()> {
    let levels = fast.iter().map(|package| format!("--config=profile.release.package.{package}.opt-level=3"));
    run(Command::new("cargo")
        .args(["build", "--release", "--package", "copydesk", "--target", WASM_TARGET])
        .args(*features)
        .args(levels)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", remapped())
        .current_dir(&project.root))?;
    let raw = project.target.join(WASM_TARGET).join("release").join("copydesk.wasm");

    let inputs = Inputs::default()
        .path(&raw)?
        .text(&project.wasm_bindgen_version()?)
        .text(include_str!("wasm.rs"))
        .text(include_str!("../js/base64.mjs"))
        .text(include_str!("../js/order.mjs"))
        .path(&project.root.join("package-lock.json"))?;
    let stamp = inputs.stamp(project.scratch().join(format!("wasm-{name}.stamp")));
    if stamp.is_fresh() && out.join("copydesk_bg.wasm").is_file() {
        return Ok(());
    }
    stamp.clear();
    let bindgen = tools::wasm_bindgen(project)?.join("wasm-bindgen");
    let wasm_opt = tools::wasm_opt(project)?;

    remove_files(out)?;
    say(format!("generating the bindings of the {name} build (wasm-bindgen)"));
    run(Command::new(bindgen)
        // The package finds its own wasm; a second URL in the generated code would make bundlers ship it twice.
        .args(["--target", "web", "--omit-default-module-path"])
        .args(["--remove-name-section", "--remove-producers-section"])
        .args(["--out-name", "copydesk", "--out-dir"])
        .arg(out)
        .arg(&raw))?;

    say(format!("making the {name} build small (wasm-opt {})", PASSES.join(" ")));
    let wasm = out.join("copydesk_bg.wasm");
    let (small, named) = (out.join("small.wasm"), out.join("named.wasm"));
    let passes = |passes: &[&str], from: &Path, to: &Path| {
        run(Command::new("node").arg(&wasm_opt).args(passes).args(FEATURES).arg(from).arg("-o").arg(to))
    };
    passes(&PASSES, &wasm, &small)?;
    run(Command::new("node").arg(project.root.join("xtask/js/order.mjs")).args([&small, &named]))?;
    passes(&["--reorder-functions-by-name"], &named, &wasm)?;
    for made in [&small, &named] {
        fs::remove_file(made).map_err(|why| why.to_string())?;
    }

    run(Command::new("node").arg(project.root.join("xtask/js/base64.mjs")).arg(out))?;
    stamp.set()
}

/// Removes what an earlier version made under other names.
fn remove_others(out: &Path) -> Result<()> {
    let Ok(entries) = fs::read_dir(out) else { return Ok(()) };
    for entry in entries.flatten().filter(|entry| BUILDS.iter().all(|build| entry.file_name() != build.name)) {
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

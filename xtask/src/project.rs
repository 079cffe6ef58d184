//! Paths of the project, and values from its manifests.

use crate::shell::Result;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Paths that every command needs.
pub struct Project {
    /// The root of the repository.
    pub root: PathBuf,
    /// Cargo's target directory, which also holds xtask's intermediate files.
    pub target: PathBuf,
}

impl Project {
    /// Finds the project from the location of xtask's manifest.
    pub fn find() -> Result<Self> {
        // The variable at run time takes precedence: two checkouts may share one target directory, and with it one
        // xtask.
        let manifest_dir = env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
        let root = Path::new(&manifest_dir).parent().ok_or("xtask must be in a folder of the project")?.to_owned();
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(dir) => root.join(dir),
            None => root.join("target"),
        };
        Ok(Self { root, target })
    }

    /// The assembled npm package.
    pub fn pkg(&self) -> PathBuf {
        self.root.join("pkg")
    }

    /// Intermediate files of `pkg/`, with the stamps of finished steps.
    pub fn scratch(&self) -> PathBuf {
        self.target.join("copydesk")
    }

    /// Tools installed for this checkout alone.
    pub fn tools(&self) -> PathBuf {
        self.target.join("tools")
    }

    pub fn node_modules(&self) -> PathBuf {
        self.root.join("node_modules")
    }

    /// The version of the crate, which is the version of the npm package.
    pub fn version(&self) -> Result<String> {
        self.in_manifest("version = \"")
    }

    /// The version that wasm-bindgen is pinned to.
    pub fn wasm_bindgen_version(&self) -> Result<String> {
        self.in_manifest("wasm-bindgen = \"=")
    }

    fn in_manifest(&self, start: &str) -> Result<String> {
        let manifest = read(&self.root.join("Cargo.toml"))?;
        manifest
            .lines()
            .find_map(|line| line.strip_prefix(start)?.split('"').next())
            .map(str::to_owned)
            .ok_or_else(|| format!("Cargo.toml has no line that begins with `{start}`"))
    }
}

/// Reads a text file. Errors name the file.
pub fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|why| format!("cannot read {}: {why}", path.display()))
}

/// Writes a file. Errors name the file.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    fs::write(path, content).map_err(|why| format!("cannot write {}: {why}", path.display()))
}

/// Returns all files below `dir` as relative paths, sorted.
pub fn files(dir: &Path) -> Result<Vec<PathBuf>> {
    fn walk(base: &Path, below: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
        for entry in fs::read_dir(base.join(below))? {
            let entry = entry?;
            let path = below.join(entry.file_name());
            if entry.file_type()?.is_dir() { walk(base, &path, found)? } else { found.push(path) }
        }
        Ok(())
    }
    let mut found = Vec::new();
    walk(dir, Path::new(""), &mut found).map_err(|why| format!("cannot list {}: {why}", dir.display()))?;
    found.sort();
    Ok(found)
}

/// Returns the files directly in `dir` with this prefix and suffix, sorted; empty if the folder does not exist.
pub fn files_named(dir: &Path, start: &str, end: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.file_name()
                .and_then(|name| name.to_str())
                .is_some_and(|name| name.starts_with(start) && name.ends_with(end))
        })
        .collect();
    found.sort();
    found
}

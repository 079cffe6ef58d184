//! Runs other programs and reports their progress.

use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Error message for the user at the terminal; empty if it was already printed.
pub type Result<T> = std::result::Result<T, String>;

/// Prints one line about one action.
pub fn say(line: impl AsRef<str>) {
    eprintln!("xtask: {}", line.as_ref());
}

/// Runs a program. Fails if the program fails.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().map_err(|why| format!("cannot start {}: {why}", shown(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{} failed ({status})", shown(command))) }
}

/// Runs a program and returns its standard output. Fails if the program fails.
pub fn output(command: &mut Command) -> Result<String> {
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|why| format!("cannot start {}: {why}", shown(command)))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{} failed ({})", shown(command), output.status))
    }
}

/// Returns a program's output for `--version`, or `None` if it cannot be run.
pub fn version(program: impl AsRef<std::ffi::OsStr>) -> Option<String> {
    let output = Command::new(program).arg("--version").stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a program, forwards its standard output line by line, and passes each line to `look`.
/// Returns whether the program succeeded.
pub fn watch(command: &mut Command, mut look: impl FnMut(&str)) -> Result<bool> {
    let mut child =
        command.stdout(Stdio::piped()).spawn().map_err(|why| format!("cannot start {}: {why}", shown(command)))?;
    let mut lines = BufReader::new(child.stdout.take().ok_or("a child without an output")?);
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = lines.read_until(b'\n', &mut line).map_err(|why| why.to_string())?;
        if length == 0 {
            break;
        }
        let mut out = std::io::stdout().lock();
        out.write_all(&line).and_then(|()| out.flush()).map_err(|why| why.to_string())?;
        look(&String::from_utf8_lossy(&line));
    }
    Ok(child.wait().map_err(|why| why.to_string())?.success())
}

/// Returns the first of these programs that is on PATH.
pub fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    names.iter().find_map(|name| {
        env::split_paths(&path)
            .map(|dir| dir.join(format!("{name}{}", env::consts::EXE_SUFFIX)))
            .find(|file| file.is_file())
    })
}

/// Returns PATH with these directories in front.
pub fn path_with(dirs: &[&Path]) -> Result<OsString> {
    let rest = env::var_os("PATH").unwrap_or_default();
    let all = dirs.iter().map(|dir| dir.to_path_buf()).chain(env::split_paths(&rest));
    env::join_paths(all).map_err(|why| why.to_string())
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(160) {
        Some((cut, _)) => format!("`{}…`", &line[..cut]),
        None => format!("`{line}`"),
    }
}

//! Has other programs open the files that the package exports.

use crate::browsers::find_or_install;
use crate::compare::SMALLEST;
use crate::project::Project;
use crate::shell::{Result, on_path, run as run_program, say};
use crate::{pack, tools};
use std::path::PathBuf;
use std::process::Command;

/// A program that opens files, and how it is had.
struct Opener {
    name: &'static str,
    /// The option of `tests/exports/run.mjs` for it.
    flag: &'static str,
    /// The programs that it consists of, each with its package of Debian.
    parts: &'static [(&'static str, &'static str)],
    /// The package of Debian with a font for the examples in Chinese, which it prints. None of the smallest are in
    /// Chinese.
    font: Option<&'static str>,
}

const OPENERS: [Opener; 2] = [
    Opener { name: "epubcheck", flag: "--epubcheck", parts: &[("java", "default-jre-headless")], font: None },
    Opener {
        name: "LibreOffice",
        flag: "--office",
        parts: &[("soffice", "libreoffice-writer-nogui"), ("pdftotext", "poppler-utils")],
        font: Some("fonts-noto-cjk"),
    },
];

/// Writes examples as DOCX and EPUB into `target/exports` and opens them with python-docx, epubcheck and LibreOffice.
/// With `--smallest` the examples are fewer, and a program that is not installed is left out.
pub fn run(project: &Project, args: &[String]) -> Result<()> {
    let smallest = match args {
        [] => false,
        [flag] if flag == SMALLEST => true,
        _ => return Err(format!("exports takes `{SMALLEST}` or nothing; see `cargo xtask help`")),
    };
    pack::build(project)?;
    let mut node = Command::new("node");
    node.arg("tests/exports/run.mjs").arg(project.target.join("exports")).args(args);
    let mut missing = Vec::new();
    match tools::export_checkers(project) {
        Ok(python) => {
            node.env("PYTHON", python);
            missing.extend(OPENERS.iter().filter_map(|opener| match opener.found(!smallest) {
                Ok(()) => {
                    node.arg(opener.flag);
                    None
                }
                Err(why) => Some(why),
            }));
        }
        Err(why) => missing.push(why),
    }
    match missing.is_empty() || smallest {
        true => missing.iter().for_each(|why| say(format!("not opened: {why}"))),
        false => return Err(missing.join("\n")),
    }
    run_program(node.current_dir(&project.root))
}

impl Opener {
    /// Fails with the missing programs. For the smallest examples nothing is installed.
    fn found(&self, may_install: bool) -> Result<()> {
        let program = |name: &str, package: &str| -> Option<PathBuf> {
            if may_install { find_or_install(|| on_path(&[name]), &[package]) } else { on_path(&[name]) }
        };
        if let Some((name, package)) = self.parts.iter().find(|(name, package)| program(name, package).is_none()) {
            return Err(format!(
                "{} needs `{name}` on PATH, which is missing (Debian: `sudo apt-get install {package}`)",
                self.name
            ));
        }
        match self.font {
            Some(package) if may_install && find_or_install(chinese_font, &[package]).is_none() => Err(format!(
                "{} needs a font with Chinese letters, which is missing (Debian: `sudo apt-get install {package}`)",
                self.name
            )),
            _ => Ok(()),
        }
    }
}

/// Returns `None` if no font has Chinese letters. If fontconfig lists no fonts, the system has its own.
fn chinese_font() -> Option<()> {
    match Command::new("fc-list").arg(":lang=zh").output() {
        Ok(fonts) if fonts.stdout.is_empty() => None,
        _ => Some(()),
    }
}

//! Records the inputs of a finished step, so that unchanged steps are skipped. Contents are compared, not times: a
//! fresh checkout and a `git switch` touch times without changing anything.

use crate::project::{files, read, write};
use crate::shell::Result;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// The inputs of one step.
#[derive(Default)]
pub struct Inputs(DefaultHasher);

impl Inputs {
    pub fn text(mut self, text: &str) -> Self {
        text.hash(&mut self.0);
        self
    }

    /// Adds a file, or all files of a folder. A missing one counts as missing.
    pub fn path(mut self, path: &Path) -> Result<Self> {
        if path.is_dir() {
            for file in files(path)? {
                file.hash(&mut self.0);
                fs::read(path.join(&file)).ok().hash(&mut self.0);
            }
        } else {
            fs::read(path).ok().hash(&mut self.0);
        }
        Ok(self)
    }

    pub fn stamp(&self, file: PathBuf) -> Stamp {
        Stamp { file, now: format!("{:016x}\n", self.0.finish()) }
    }
}

/// The current inputs, and the file with the recorded ones.
pub struct Stamp {
    file: PathBuf,
    now: String,
}

impl Stamp {
    pub fn is_fresh(&self) -> bool {
        read(&self.file).is_ok_and(|then| then == self.now)
    }

    /// Clears the stamp. Called before the step begins, so that an interrupted step does not count as finished.
    pub fn clear(&self) {
        let _ = fs::remove_file(&self.file);
    }

    pub fn set(&self) -> Result<()> {
        write(&self.file, &self.now)
    }
}

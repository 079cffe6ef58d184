//! Browsers and their WebDrivers. As root on Debian a missing one is installed.

use crate::project::{Project, read, write};
use crate::shell::{Result, on_path, run, say};
use crate::tools;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, fs};

/// A browser and its WebDriver.
pub struct Browser {
    /// Name in output.
    pub name: &'static str,
    /// Option of `wasm-pack test`: `--chrome` or `--firefox`.
    pub flag: &'static str,
    /// Option of `wasm-pack test` that names the driver.
    pub driver_flag: &'static str,
    /// Member of `webdriver.json` that holds the browser's own options.
    options: &'static str,
    /// The browser.
    pub program: PathBuf,
    /// Its WebDriver.
    pub driver: PathBuf,
}

impl Browser {
    /// Writes `webdriver.json` with the path of this browser and returns where.
    pub fn capabilities(&self, project: &Project) -> Result<PathBuf> {
        let dir = project.target.join("webdriver").join(self.name);
        fs::create_dir_all(&dir).map_err(|why| why.to_string())?;
        let start = format!("\"{}\": {{", self.options);
        let mut members = format!("{start}\n    \"binary\": {:?},", self.program.display().to_string());
        if self.flag == "--firefox" {
            // Firefox does not start without a home directory that it can write to and that belongs to the user.
            members += &format!("\n    \"env\": {{ \"HOME\": {:?} }},", dir.display().to_string());
        }
        let file = dir.join("webdriver.json");
        write(&file, read(&project.root.join("webdriver.json"))?.replace(&start, &members))?;
        Ok(file)
    }
}

/// Finds every available browser. Fails if there is none; otherwise prints which ones are skipped, and why.
pub fn all(project: &Project) -> Result<Vec<Browser>> {
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for browser in [chrome(), firefox(project)] {
        match browser {
            Ok(browser) => found.push(browser),
            Err(why) => missing.push(why),
        }
    }
    if found.is_empty() {
        return Err(missing.join("\n"));
    }
    missing.iter().for_each(|why| say(format!("skipping a browser: {why}")));
    Ok(found)
}

/// Finds Chromium or Chrome with the driver of the same version.
pub fn chrome() -> Result<Browser> {
    let find = || {
        let programs = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
        Some(Browser {
            name: "Chromium",
            flag: "--chrome",
            driver_flag: "--chromedriver",
            options: "goog:chromeOptions",
            program: named("CHROME").or_else(|| on_path(&programs))?,
            driver: named("CHROMEDRIVER").or_else(|| on_path(&["chromedriver"]))?,
        })
    };
    find_or_install(find, &["chromium", "chromium-driver"]).ok_or_else(|| {
        "Chrome or chromedriver is missing; install both in the same version and put them on PATH, or name them in \
         CHROME and CHROMEDRIVER (Debian: `sudo apt-get install chromium chromium-driver`)"
            .to_owned()
    })
}

/// Finds the Chromium without a window of its own, which starts a page in less time; else [`chrome`].
pub fn headless() -> Result<PathBuf> {
    let find = || named("CHROME").or_else(|| on_path(&["chromium-headless-shell", "chrome-headless-shell"]));
    match find_or_install(find, &["chromium-headless-shell"]) {
        Some(program) => Ok(program),
        None => Ok(chrome()?.program),
    }
}

/// Finds Firefox; downloads its driver if there is none.
fn firefox(project: &Project) -> Result<Browser> {
    let find = || named("FIREFOX").or_else(|| on_path(&["firefox", "firefox-esr"]));
    let program = find_or_install(find, &["firefox-esr"]).ok_or_else(|| {
        "Firefox is missing; install it and put it on PATH, or name it in FIREFOX (Debian: `sudo apt-get install \
         firefox-esr`)"
            .to_owned()
    })?;
    let driver = match named("GECKODRIVER") {
        Some(driver) => driver,
        None => tools::geckodriver(project)?.join(format!("geckodriver{}", env::consts::EXE_SUFFIX)),
    };
    Ok(Browser {
        name: "Firefox",
        flag: "--firefox",
        driver_flag: "--geckodriver",
        options: "moz:firefoxOptions",
        program,
        driver,
    })
}

/// Finds a program. As root on Debian, installs these packages if there is none.
pub fn find_or_install<T>(find: impl Fn() -> Option<T>, packages: &[&str]) -> Option<T> {
    if let Some(found) = find() {
        return Some(found);
    }
    if !is_debian() || !is_root() {
        return None;
    }
    say(format!("installing {} (apt-get)", packages.join(" and ")));
    let apt = |args: &[&str]| {
        run(Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()))
    };
    let install = [&["install", "-y", "-qq", "--no-install-recommends"], packages].concat();
    if let Err(why) = apt(&["update", "-qq"]).and_then(|()| apt(&install)) {
        say(why);
    }
    find()
}

/// Returns the path that an environment variable holds.
fn named(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn is_debian() -> bool {
    let os = fs::read_to_string("/etc/os-release").unwrap_or_default();
    os.lines().any(|line| line.trim_matches('"') == "ID=debian")
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

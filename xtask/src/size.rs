//! Reports the download size of the package.

use crate::commands::no_more;
use crate::pack;
use crate::project::Project;
use crate::shell::{Result, output};
use std::process::Command;

/// The most brotli bytes that the wasm of the page build may have. Above, the command fails.
///
/// 420 kB were planned. Without an HTML parser and a recorder the build measured 442 kB; schemars, serde-wasm-bindgen
/// and gloo-net added 39, derived conversions of settings, messages, events and results in place of hand-written ones,
/// and an error enum for each crate, 46; `move_section`, one alignment for all and std's sorts and maps in place of own
/// ones, 22; reading content as models write it, 80; the document in requests, inline atoms as text, texts over several
/// lines and the scope of a run, most of the rest; the page's side of an agent in a worker, 6. JSON compiled for speed
/// takes 5, and writes documents and numbered lines in three quarters of the time. The tools for files, with the search
/// and the checks of stories that a worker runs with the same module, 51: a quarter of it descriptions and messages in
/// two languages. Rules, skills, settings that change in mid-run and guards for calls from outside, 15. Arguments and
/// calls in the forms that servers and models send, with the coercion by schemas, the history of the review, and
/// messages in two languages, 60. Calls in text by their shape, escapes of paths, and hunks that are decided together,
/// most of the rest; reading all content row by row took the place of readings of the same size. Tables on their grid,
/// HTML with Markdown between its blocks, the check for changes that content does not state, and `set_attributes`, 33.
/// Hunks that pages share, 8; sections that are written only if their blocks changed, and details, printed bullets and
/// comments in content, 7. Rows of tables with merged cells and signs of other scripts, 6. Ticks beside the lines,
/// lists that go on, escaped marks and typing that is told later, 5. Phrases, tags, code and definitions that content
/// repeats from a Markdown file, and the ends of lines of files, 10. Turns whose edits
/// waited, undone as if made at once, what plugins of the editor make of a decision, and decisions that the history
/// undoes below later proposals, 8. The order of the functions takes 45 off.
/// `docs/internals/size.md` has what the build is made of.
const MOST: u64 = 931_000;
/// The most brotli bytes that the first part of the page build in two may have, until an editor is bound with its
/// review, and both parts.
const MOST_OF_FIRST: u64 = 322_000;
const MOST_OF_PARTS: u64 = 991_000;
const GOAL: u64 = 350_000;

/// The entries whose bundles are reported, most of them with elements, and the most brotli bytes that the first, the
/// whole assistant with Lit, may add to a page.
const BUNDLED: [&str; 19] = [
    "ui/assistant",
    "ui/review-bar",
    "ui/selection-menu",
    "ui/outline",
    "ui/comments",
    "ui/authorship",
    "ui/room",
    "ui/settings",
    "ui/skills",
    "ui/servers",
    "ui/rules",
    "ui/checks",
    "ui/search",
    "ui/files",
    "ui/find",
    "ui/react",
    "ui/vue",
    "ui",
    "insert",
];
const MOST_OF_ASSISTANT: u64 = 45_200;

/// The sizes of a file, in bytes.
#[derive(Clone, Copy, Default)]
struct Sizes {
    raw: u64,
    gzip: u64,
    brotli: u64,
}

pub fn run(project: &Project, args: &[String]) -> Result<()> {
    no_more(args)?;
    pack::build(project)?;
    let said = output(Command::new("node").arg(project.root.join("xtask/js/sizes.mjs")).arg(project.pkg()))?;
    println!("{:>9} {:>9} {:>9}   kB (1 kB = 1000 bytes)", "raw", "gzip", "brotli");
    let (mut page, mut first, mut later, mut full, mut modules) = (None, None, None, None, Sizes::default());
    for line in said.lines() {
        let (name, sizes) = read(line)?;
        print(name, sizes);
        match name {
            "wasm/page/copydesk_bg.wasm" => page = Some(sizes.brotli),
            "wasm/parts/copydesk_bg.wasm" => first = Some(sizes.brotli),
            "wasm/parts/copydesk_later_bg.wasm" => later = Some(sizes.brotli),
            "wasm/full/copydesk_bg.wasm" => full = Some(sizes.brotli),
            // The other builds, and the modules as CommonJS.
            _ if name.starts_with("wasm/full/") || name.starts_with("wasm/parts/") || name.starts_with("cjs/") => {}
            _ => {
                modules.raw += sizes.raw;
                modules.gzip += sizes.gzip;
                modules.brotli += sizes.brotli;
            }
        }
    }
    print("JavaScript of the page build, before a bundler", modules);
    let (Some(page), Some(first), Some(later), Some(full)) = (page, first, later, full) else {
        return Err("pkg/ lacks a build".to_owned());
    };
    println!("page build: {} kB brotli, at most {}; full build: {} kB", kb(page), MOST / 1000, kb(full));
    let goal = match first.checked_sub(GOAL) {
        None | Some(0) => format!("{} kB below the goal of {}", kb(GOAL - first), GOAL / 1000),
        Some(over) => format!("{} kB above the goal of {}", kb(over), GOAL / 1000),
    };
    let parts = first + later;
    println!(
        "in two parts: first {} kB brotli, {goal}, at most {}; both {} kB, at most {}",
        kb(first),
        MOST_OF_FIRST / 1000,
        kb(parts),
        MOST_OF_PARTS / 1000
    );
    for (what, size, most) in [
        ("the page build is", page, MOST),
        ("the first part of the page build is", first, MOST_OF_FIRST),
        ("both parts of the page build are", parts, MOST_OF_PARTS),
    ] {
        if size > most {
            return Err(format!("{what} larger than {} kB brotli, the limit", most / 1000));
        }
    }
    check_bundles(project)
}

/// Fails if the assistant adds more to a page than it may.
fn check_bundles(project: &Project) -> Result<()> {
    let mut node = Command::new("node");
    let said = output(node.arg(project.root.join("xtask/js/bundled.mjs")).arg(project.pkg()).args(BUNDLED))?;
    let lines: Vec<(&str, Sizes)> = said.lines().map(read).collect::<Result<_>>()?;
    lines.iter().for_each(|(name, sizes)| print(name, *sizes));
    match lines.first() {
        Some((_, assistant)) if assistant.brotli <= MOST_OF_ASSISTANT => Ok(()),
        Some(_) => Err(format!("the assistant is larger than its limit of {} kB brotli", kb(MOST_OF_ASSISTANT))),
        None => Err("bundled.mjs printed nothing".to_owned()),
    }
}

/// Reads a line of `sizes.mjs`: a name and three numbers.
fn read(line: &str) -> Result<(&str, Sizes)> {
    let mut words = line.split('\t');
    let name = words.next().unwrap_or_default();
    let bytes: Vec<u64> = words.map_while(|word| word.parse().ok()).collect();
    let [raw, gzip, brotli] = bytes[..] else { return Err(format!("sizes.mjs printed `{line}`")) };
    Ok((name, Sizes { raw, gzip, brotli }))
}

fn print(name: &str, Sizes { raw, gzip, brotli }: Sizes) {
    println!("{:>9} {:>9} {:>9}   {name}", kb(raw), kb(gzip), kb(brotli));
}

fn kb(bytes: u64) -> String {
    format!("{}.{}", bytes / 1000, bytes % 1000 / 100)
}

//! Reports the download size of the package.

use crate::pack;
use crate::project::Project;
use crate::shell::{Result, output};
use std::process::Command;

/// The most brotli bytes that the wasm may have: above, the command fails. 420 kB is the limit of a page's build without
/// an HTML parser (44 kB), which this build still contains.
const MOST: u64 = 464_000;
const GOAL: u64 = 250_000;
const WASM: &str = "wasm/copydesk_bg.wasm";

pub fn run(project: &Project) -> Result<()> {
    pack::build(project)?;
    let sizes = output(Command::new("node").arg(project.root.join("xtask/js/sizes.mjs")).arg(project.pkg()))?;
    println!("{:>9} {:>9} {:>9}   kB (1 kB = 1000 bytes)", "raw", "gzip", "brotli");
    let mut wasm = None;
    for line in sizes.lines() {
        let mut words = line.split('\t');
        let name = words.next().unwrap_or_default();
        let bytes: Vec<u64> = words.map_while(|word| word.parse().ok()).collect();
        let [raw, gzip, brotli] = bytes[..] else { return Err(format!("sizes.mjs printed `{line}`")) };
        println!("{:>9} {:>9} {:>9}   {name}", kb(raw), kb(gzip), kb(brotli));
        if name == WASM {
            wasm = Some(brotli);
        }
    }
    let wasm = wasm.ok_or(format!("pkg/ has no {WASM}"))?;
    let goal = match wasm.checked_sub(GOAL) {
        None | Some(0) => format!("{} kB below the goal of {}", kb(GOAL - wasm), GOAL / 1000),
        Some(over) => format!("{} kB above the goal of {}", kb(over), GOAL / 1000),
    };
    println!("wasm: {} kB brotli, {goal}, at most {}", kb(wasm), MOST / 1000);
    if wasm > MOST {
        return Err(format!("the wasm is larger than its limit of {} kB brotli", MOST / 1000));
    }
    Ok(())
}

fn kb(bytes: u64) -> String {
    format!("{}.{}", bytes / 1000, bytes % 1000 / 100)
}

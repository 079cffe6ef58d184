//! What `use` paths say about the files of each crate: files that need each other are a circle, and a circle of many
//! files is one file in pieces.
#![cfg(not(target_arch = "wasm32"))]

mod modules;

use modules::Modules;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The most files of a circle.
const MOST: usize = 4;

/// The larger circles that there are, by their numbers of files. One that shrinks fails as well: then its number here is
/// lowered, or removed.
const LARGER: [(&str, &[usize]); 1] = [
    // The schema has types of nodes, and nodes have a type of the schema.
    ("crates/document", &[54]),
];

/// The folders with the sources of a crate.
fn crates() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<String> = fs::read_dir(root.join("crates"))
        .unwrap()
        .map(|entry| format!("crates/{}", entry.unwrap().file_name().to_str().unwrap()))
        .collect();
    folders.sort();
    folders.extend([String::from("."), "xtask".into()]);
    folders.retain(|folder| root.join(folder).join("src").is_dir());
    folders
}

#[test]
fn no_circle_has_many_files() {
    let larger: BTreeMap<&str, &[usize]> = LARGER.into_iter().collect();
    let mut wrong = Vec::new();
    for name in crates() {
        let modules = Modules::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(&name).join("src"));
        let circles: Vec<_> = modules.circles().into_iter().filter(|circle| circle.len() > MOST).collect();
        let found: Vec<usize> = circles.iter().map(Vec::len).collect();
        let expected = larger.get(name.as_str()).copied().unwrap_or_default();
        if found != expected {
            let ties: Vec<String> = circles.iter().map(|circle| modules.ties(circle).join("\n")).collect();
            wrong.push(format!("{name}: circles of {found:?} files, expected {expected:?}\n{}", ties.join("\n\n")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_circle_is_found_through_reexports_and_paths() {
    let modules = Modules::of(&[
        ("lib.rs", "mod a; mod b; mod c; pub use a::One; use c::three;"),
        ("a.rs", "use crate::b::Two; pub struct One;"),
        ("b.rs", "pub struct Two; fn f() { crate::c::three(); }"),
        ("c.rs", "pub fn three() -> super::One { super::One } #[cfg(test)] mod tests { use crate::d::X; }"),
        ("d.rs", "use crate::a::One; pub struct X;"),
    ]);
    assert_eq!(modules.circles(), [["a.rs", "b.rs", "c.rs"]]);
    let modules = Modules::of(&[
        ("lib.rs", "mod a;"),
        ("a/mod.rs", "mod b; pub use b::B; pub struct A;"),
        ("a/b.rs", "use super::A; pub struct B;"),
    ]);
    assert!(modules.circles().is_empty(), "a re-export is no use");
}

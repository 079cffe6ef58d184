//! Checks of the `use` paths of each crate: files that need each other are a circle, and a circle of many files is one
//! file in pieces. And checks of names: one name means one thing in all crates.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]
#![cfg(not(target_arch = "wasm32"))]

mod modules;
mod names;

use modules::Modules;
use names::{Names, repeated};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The most files of a circle.
const MOST: usize = 4;

/// The larger circles that there are, by their numbers of files. One that shrinks fails as well: then its number here
/// is lowered, or removed.
const LARGER: [(&str, &[usize]); 1] = [
    // The schema has types of nodes, and nodes have a type of the schema.
    ("crates/document", &[54]),
];

/// The types whose names are used more than once, by the reason.
const TYPES: [(&str, &[&str]); 3] = [
    ("the readers of several wire formats have the same parts", &["Chunks", "Events"]),
    (
        "each is the common word in its crate, and none of them is used in the other",
        &["Body", "Call", "Entry", "Format", "Message", "Outcome", "Part", "Plan"],
    ),
    (
        "crates/edit uses the name for another thing, or several: to be renamed there",
        &[
            "Content",
            "Form",
            "Found",
            "Given",
            "Kind",
            "Numbered",
            "Patterns",
            "Piece",
            "Place",
            "Returned",
            "Row",
            "Shown",
            "Text",
            "Token",
            "Unit",
            "Vocabulary",
            "Words",
            "Written",
        ],
    ),
];

/// The modules whose names are used more than once, by the reason.
const MODULES: [(&str, &[&str]); 6] = [
    ("each crate has one", &["error", "messages"]),
    (
        "a file of src/ exports what a crate defines, or installs what it needs",
        &["document", "html", "markdown", "recorder", "request", "tools", "url", "value"],
    ),
    (
        "a tool and the operation that it calls have one name",
        &["insert_image", "move_section", "replace", "replace_text", "set_attributes"],
    ),
    ("the recorder, the replay and the tools each have a file for the app and for its host", &["app", "host"]),
    ("each wire format has one", &["chunks", "definition", "events"]),
    (
        "one subject at several levels: text of documents, of files and of models",
        &[
            "body",
            "cell",
            "characters",
            "content",
            "context",
            "details",
            "history",
            "lines",
            "marks",
            "nodes",
            "numbered",
            "outline",
            "phrases",
            "prompt",
            "provenance",
            "redact",
            "rows",
            "rules",
            "search",
            "section",
            "settings",
            "shown",
            "summary",
            "tables",
            "text",
            "text_calls",
            "tokens",
            "words",
        ],
    ),
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

fn names() -> Names {
    let mut names = Names::default();
    for name in crates() {
        names.read(&name, &Path::new(env!("CARGO_MANIFEST_DIR")).join(&name).join("src"));
    }
    names
}

/// Fails with the names that are repeated without a reason, and those in the list that are not repeated any more.
fn check(kind: &str, found: &BTreeMap<&str, &[String]>, allowed: &[(&str, &[&str])]) {
    let known: BTreeSet<&str> = allowed.iter().flat_map(|(_, names)| *names).copied().collect();
    let new = found.iter().filter(|(name, _)| !known.contains(*name));
    let new = new.map(|(name, files)| format!("{kind} {name} is in {}: rename all but one", files.join(", ")));
    let gone = known.iter().filter(|name| !found.contains_key(*name));
    let gone = gone.map(|name| format!("{kind} {name} is defined once now: remove it from the list"));
    let wrong: Vec<String> = new.chain(gone).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_name_means_one_thing() {
    let names = names();
    check("the type", &repeated(&names.types), &TYPES);
    check("the module", &repeated(&names.modules), &MODULES);
}

#[test]
fn names_are_those_of_types_and_files_without_tests() {
    let mut names = Names::default();
    let text = "pub struct A; mod b { enum A { B } } fn f() { struct B; } #[cfg(test)] mod tests { struct A; }";
    for file in ["x/a.rs", "y/a/mod.rs", "y/lib.rs"] {
        names.add(file, syn::parse_file(text).unwrap().items);
    }
    assert_eq!(names.types["A"], ["x/a.rs", "x/a.rs", "y/a/mod.rs", "y/a/mod.rs", "y/lib.rs", "y/lib.rs"]);
    assert_eq!(names.types.len(), 1);
    assert_eq!(names.modules, [("a".to_owned(), vec!["x/a.rs".to_owned(), "y/a/mod.rs".to_owned()])].into());
    assert_eq!(repeated(&names.modules).len(), 1);
}

#[test]
fn the_architecture_is_short() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap();
    assert!(page.lines().count() < 300);
    let mut since = 0;
    for line in page.lines() {
        since = if line.starts_with('#') { 0 } else { since + 1 };
        assert!(since < 40, "no heading in {since} lines before {line:?}");
    }
}

//! The catalogs of all crates: every language has every message, and its text is in that language.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use copydesk_catalog::{LanguageCatalog, placeholders, read};
use std::fs;
use std::path::{Path, PathBuf};

/// Words that English sentences have, and other languages do not.
const ENGLISH: [&str; 12] = ["the", "of", "and", "is", "with", "was", "are", "not", "this", "it", "from", "call"];
/// Parts of messages that are the same in every language.
const SAME: [&str; 4] = ["url", "json", "html", "http"];

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src/messages"));
    let folders: Vec<PathBuf> = crates.chain([root.join("src/messages")]).filter(|folder| folder.is_dir()).collect();
    assert!(folders.len() > 7, "{folders:?}");
    folders
}

/// Returns a text without the parts in braces: names of placeholders are English.
fn without_braces(text: &str) -> String {
    text.split(['{', '}']).step_by(2).collect()
}

fn text<'c>(catalog: &'c LanguageCatalog, name: &str) -> &'c str {
    catalog.messages.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str()).unwrap()
}

#[test]
fn every_language_has_every_message_with_its_placeholders() {
    for folder in folders() {
        // `read` fails otherwise.
        let catalogs = read(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
        let tags: Vec<&str> = catalogs.iter().map(|catalog| catalog.tag.as_str()).collect();
        assert_eq!(tags, ["en", "es", "zh-CN"], "{}", folder.display());
    }
}

#[test]
fn no_message_stays_in_english_by_accident() {
    for folder in folders() {
        let catalogs = read(&folder).unwrap();
        for catalog in &catalogs[1..] {
            for (name, english) in &catalogs[0].messages {
                let own = text(catalog, name);
                // The parts of the system prompt have names, which are English.
                let text: String = own.lines().filter(|line| !line.starts_with("# ")).collect();
                let outside = without_braces(&text);
                let words: Vec<&str> = outside.split(|c: char| !c.is_alphanumeric() && !"_-".contains(c)).collect();
                let of_english = words.iter().filter(|word| ENGLISH.contains(word)).count();
                assert!(of_english < 2, "{name} in {} of {}: {own}", catalog.tag, folder.display());
                let letters = without_braces(english);
                let is_text = letters.chars().filter(|c| c.is_alphabetic()).count() > 3;
                let is_same = SAME.iter().any(|same| english.contains(same)) || !is_text;
                assert!(is_same || own != english, "{name} in {} of {}", catalog.tag, folder.display());
            }
        }
    }
}

#[test]
fn plurals_have_a_text_for_one_and_another_for_more() {
    for folder in folders() {
        for catalog in read(&folder).unwrap() {
            for (name, text) in &catalog.messages {
                for form in text.split('{').skip(1).filter(|part| part.split('}').next().unwrap().contains('|')) {
                    let form = form.split('}').next().unwrap();
                    let name_of = form.split('|').next().unwrap();
                    if placeholders(&format!("{{{form}}}")) == [name_of] {
                        assert_eq!(form.split('|').count(), 3, "{name} in {}: {form}", catalog.tag);
                    }
                }
            }
        }
    }
}

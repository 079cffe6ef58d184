//! Every target accepts recorded inputs, whole and damaged. libFuzzer finds more: see `fuzz/README.md`.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use copydesk_fuzz_targets::TARGETS;
use copydesk_test_support::random::Random;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Inputs of each target that are played: the shortest, since each is decoded byte by byte. Each is damaged so often.
const MOST: usize = 40;
const DAMAGES: usize = 5;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn inputs(target: &str) -> Vec<Vec<u8>> {
    let fixtures = root().join("tests/fixtures");
    let of_document = |of: fn(&Value) -> String| -> Vec<Vec<u8>> {
        let cases: Value =
            serde_json::from_str(&fs::read_to_string(fixtures.join("documents/cases.json")).unwrap()).unwrap();
        cases["cases"].as_array().unwrap().iter().map(|case| of(case).into_bytes()).collect()
    };
    let of_streams = |api: &str| -> Vec<Vec<u8>> {
        let text = fs::read_to_string(fixtures.join(format!("streams/{api}.jsonl"))).unwrap();
        let bodies =
            text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["body"].as_str().unwrap().into());
        bodies.collect()
    };
    let mut inputs = match target {
        "html" => of_document(|case| case["html"].as_str().unwrap().to_owned()),
        "json" => of_document(|case| case["doc"].to_string()),
        "sse" => of_streams("anthropic-messages"),
        api => of_streams(&api.replace('_', "-")),
    };
    inputs.sort_by_key(Vec::len);
    inputs.truncate(MOST);
    assert!(inputs.len() >= 10, "{target} has {} inputs", inputs.len());
    inputs
}

#[test]
fn recorded_and_damaged_inputs_are_accepted() {
    let mut random = Random::new();
    for (name, target) in TARGETS {
        for mut input in inputs(name) {
            target(&input);
            for _ in 0..DAMAGES {
                let at = random.below(input.len());
                match random.below(3) {
                    0 => input[at] = random.next() as u8,
                    1 => drop(input.drain(at..(at + 1 + random.below(9)).min(input.len()))),
                    _ => input.insert(at, random.next() as u8),
                }
                if input.is_empty() {
                    break;
                }
                target(&input);
            }
        }
    }
}

#[test]
fn every_file_of_a_target_runs_its_function() {
    let folder = root().join("fuzz/fuzz_targets");
    let mut found: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains(&format!("copydesk_fuzz_targets::{name}(bytes)")), "{name}: {text}");
            name
        })
        .collect();
    found.sort_unstable();
    assert_eq!(found, TARGETS.map(|(name, _)| name));
}

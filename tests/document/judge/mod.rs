//! html5ever as the judge of the tokenizer, the character references and the tree: compiled with the crate's own
//! tests, since nothing of the three is public. `ROUNDS=2000000` tries more inputs than a test run does.

#![allow(clippy::unwrap_used, missing_docs)]

mod entities;
mod generator;
#[path = "../../support/random.rs"]
mod random;
mod reference;
mod tokens;
mod trees;

/// How many inputs are tried.
fn rounds() -> u64 {
    std::env::var("ROUNDS").map_or(20_000, |rounds| rounds.parse().unwrap())
}

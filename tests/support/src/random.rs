//! Random numbers from a seed that is printed and can be set: `COPYDESK_SEED=n`.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::time::{SystemTime, UNIX_EPOCH};

pub struct Random(u64);

impl Random {
    /// Creates a generator seeded by `COPYDESK_SEED` or the clock.
    pub fn new() -> Random {
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
        let seed = std::env::var("COPYDESK_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or_else(clock);
        println!("COPYDESK_SEED={seed}");
        Random(seed)
    }

    /// Creates a generator with a seed.
    pub fn from_seed(seed: u64) -> Random {
        Random(seed)
    }

    /// Returns the next number (SplitMix64: small, and the same on every platform).
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// Splits bytes into chunks of 1 to `longest`.
    pub fn split<'a>(&mut self, mut bytes: &'a [u8], longest: usize) -> Vec<&'a [u8]> {
        let mut pieces = Vec::new();
        while !bytes.is_empty() {
            let (piece, rest) = bytes.split_at((1 + self.below(longest)).min(bytes.len()));
            pieces.push(piece);
            bytes = rest;
        }
        pieces
    }
}

//! A guard against a model that makes the same call again and again.
//!
//! Only a call that gave the same result each time counts: reading a document that has changed meanwhile is no
//! repetition. First the call is refused, with words that say so; a model that goes on all the same ends the run.

use crate::Error;
use rustc_hash::FxHashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How often a call may give the same result before it is refused.
pub const MAX_REPEATS: usize = 3;

/// The calls of a run.
#[derive(Debug, Default)]
pub struct Repeats {
    /// By the call: how often in a row it gave the same, and what.
    calls: FxHashMap<u64, Calls>,
}

#[derive(Debug, Default)]
struct Calls {
    same: usize,
    result: u64,
    refused: usize,
}

/// What to do with a call.
#[derive(Debug, PartialEq)]
pub enum Judgement {
    /// Run it.
    Runs,
    /// Tell the model that it repeats itself.
    Refused(Error),
    /// It was told so and goes on: the run ends.
    Stuck(Error),
}

impl Repeats {
    /// Returns whether a call may run that was made `limit` times with one result already.
    pub fn judge(&mut self, tool: &str, arguments: &str, limit: usize) -> Judgement {
        let Some(calls) = self.calls.get_mut(&hash((tool, arguments))) else { return Judgement::Runs };
        if calls.same < limit {
            return Judgement::Runs;
        }
        calls.refused += 1;
        let error = Error::RepeatedCall { tool: tool.to_owned(), count: calls.same + calls.refused - 1 };
        if calls.refused > limit { Judgement::Stuck(error) } else { Judgement::Refused(error) }
    }

    /// Remembers what a call gave.
    pub fn gave(&mut self, tool: &str, arguments: &str, result: impl Hash) {
        let calls = self.calls.entry(hash((tool, arguments))).or_default();
        let result = hash(result);
        calls.same = if calls.result == result { calls.same + 1 } else { 1 };
        calls.result = result;
        calls.refused = 0;
    }
}

fn hash(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

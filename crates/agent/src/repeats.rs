//! Detection of a model that repeats the same call.
//!
//! Only calls that return the same result each time count: reading a document that has changed since is not a
//! repetition. A repeated call is first refused with an explanation; if the model continues to repeat it, the run ends.

use crate::Error;
use rustc_hash::FxHashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The default of `maxRepeats`.
pub const MAX_REPEATS: usize = 3;

/// The calls of a run.
#[derive(Debug, Default)]
pub struct Repeats {
    /// The state of each call, by the hash of its tool and arguments.
    calls: FxHashMap<u64, Calls>,
}

#[derive(Debug, Default)]
struct Calls {
    same: usize,
    result: u64,
    refused: usize,
}

/// The decision about a call.
#[derive(Debug, PartialEq)]
pub enum RepeatDecision {
    /// Run it.
    Run,
    /// Refuse it and tell the model that it repeats itself.
    Refuse(Error),
    /// End the run: the model repeats a refused call.
    EndRun(Error),
}

impl Repeats {
    /// Decides about a call. A call that returned the same result `limit` times is refused.
    pub fn check(&mut self, tool: &str, arguments: &str, limit: usize) -> RepeatDecision {
        let Some(calls) = self.calls.get_mut(&hash((tool, arguments))) else { return RepeatDecision::Run };
        if calls.same < limit {
            return RepeatDecision::Run;
        }
        calls.refused += 1;
        let error = Error::RepeatedCall { tool: tool.to_owned(), count: calls.same + calls.refused - 1 };
        if calls.refused > limit { RepeatDecision::EndRun(error) } else { RepeatDecision::Refuse(error) }
    }

    /// Stores the result of a call.
    pub fn record(&mut self, tool: &str, arguments: &str, result: impl Hash) {
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

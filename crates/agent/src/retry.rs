//! When a request that failed is sent again.
//!
//! Exponential with jitter, or when the server says. Only what may do better a moment later is tried again: see
//! [`Error::is_retryable`]. Nothing of a failed answer has been acted on, because calls run only out of a whole answer;
//! what listeners were shown of it is void, and the `retry` event says so.

/// How often a request is sent again.
pub const MAX_RETRIES: usize = 3;
/// The wait before the first retry, in milliseconds; each further one is twice as long.
const FIRST_MS: f64 = 1_000.0;
/// The longest wait that is made up here, in milliseconds.
const LONGEST_MS: f64 = 30_000.0;
/// The longest wait that a server may ask for, in milliseconds: beyond it the person is told instead.
pub const LONGEST_ASKED_MS: u64 = 60_000;

/// How long to wait before the retry number `attempt`, from 1 on; none where the server wants more time than a person
/// would wait. `random` is from 0 up to 1 and moves the wait by up to a quarter to either side.
pub fn delay(attempt: usize, retry_after: Option<u64>, random: f64) -> Option<u64> {
    match retry_after {
        Some(asked) if asked > LONGEST_ASKED_MS => None,
        Some(asked) if asked > 0 => Some(asked),
        // At once, again and again, is what no server can mean.
        _ => {
            let doubled = FIRST_MS * f64::from(1_u32 << attempt.saturating_sub(1).min(16) as u32);
            Some((doubled.min(LONGEST_MS) * (0.75 + random / 2.0)) as u64)
        }
    }
}

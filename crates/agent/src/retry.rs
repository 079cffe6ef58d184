//! Delays between attempts of a request.
//!
//! Delays grow exponentially with jitter, unless the server states one. Only errors that may be temporary are retried:
//! see [`Error::is_retryable`]. A retry is safe because calls run only after a complete answer; text of the failed
//! answer that listeners were shown is invalid, as the `retry` event states.

/// The default of `maxRetries`.
pub const MAX_RETRIES: usize = 3;
/// The delay before the first retry, in milliseconds; each further one is twice as long.
const FIRST_MS: f64 = 1_000.0;
/// The longest delay that is chosen here, in milliseconds.
const LONGEST_MS: f64 = 30_000.0;
/// The longest delay that a server may ask for, in milliseconds. Beyond it the run fails.
pub const LONGEST_ASKED_MS: u64 = 60_000;

/// Returns the delay before retry number `attempt`, counted from 1; `None` if the server asks for more than
/// [`LONGEST_ASKED_MS`]. `random`, from 0 up to 1, varies the delay by a quarter in each direction.
pub fn delay(attempt: usize, retry_after: Option<u64>, random: f64) -> Option<u64> {
    match retry_after {
        Some(asked) if asked > LONGEST_ASKED_MS => None,
        Some(asked) if asked > 0 => Some(asked),
        // A server cannot mean repeating at once without end.
        _ => {
            let doubled = FIRST_MS * f64::from(1_u32 << attempt.saturating_sub(1).min(16) as u32);
            Some((doubled.min(LONGEST_MS) * (0.75 + random / 2.0)) as u64)
        }
    }
}

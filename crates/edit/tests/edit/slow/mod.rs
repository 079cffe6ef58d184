//! Each fast algorithm beside the slow one that says what it must come to, on random inputs. `COPYDESK_SEED=n` makes a
//! run again.

mod blocks;
mod content;
mod guards;
mod relocation;
mod run_scope;
mod texts;
mod tokens;

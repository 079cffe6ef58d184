//! Each fast algorithm is compared with a slow one on random inputs. `COPYDESK_SEED=n` repeats a run.

mod blocks;
mod content;
mod guards;
mod relocation;
mod run_scope;
mod texts;
mod tokens;

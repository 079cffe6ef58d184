//! Documents: as TipTap reads and writes them, as lines and sections, and what must hold for any of them.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod align;
mod bad_input;
mod cases;
mod details;
use copydesk_test_support::documents;
mod inline_atoms;
mod links;
mod numbered;
mod oracle;
mod properties;
use copydesk_test_support::random;
mod text_forms;
mod text_styles;
mod undefined_types;

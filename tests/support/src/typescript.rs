//! Tables in the package that are written from definitions in Rust.

use std::path::Path;

/// Fails if a module of the package is not the given text. With `COPYDESK_UPDATE=1` it is written first. `path` is that
/// below `pkg-template/src`.
pub fn check_module(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pkg-template/src").join(path);
    if std::env::var_os("COPYDESK_UPDATE").is_some() {
        std::fs::write(&file, text).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    let command = "`COPYDESK_UPDATE=1 cargo test --test typescript` writes it";
    assert_eq!(text, written, "{} differs from the definitions in Rust: {command}", file.display());
}

//! The one direction of the crate that can be checked by its words: only `src/wasm/` and `lib.rs` know JavaScript.

use crate::project::{Project, files, read};
use crate::shell::Result;

const JAVASCRIPT: [&str; 5] = ["js_sys", "web_sys", "wasm_bindgen", "serde_wasm_bindgen", "gloo"];

pub fn check(project: &Project) -> Result<()> {
    let src = project.root.join("src");
    let mut wrong = Vec::new();
    for file in files(&src)? {
        let name = file.to_string_lossy().replace('\\', "/");
        if name.starts_with("wasm/") || name == "lib.rs" || !name.ends_with(".rs") {
            continue;
        }
        for (index, line) in read(&src.join(&file))?.lines().enumerate() {
            if let Some(word) = named(line) {
                wrong.push(format!("src/{name}:{}: {word} may be named only in src/wasm/", index + 1));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The word of JavaScript's side that a line of code names; a comment may speak of anything.
fn named(line: &str) -> Option<&'static str> {
    let code = line.split("//").next().unwrap_or_default();
    let mut words = code.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    words
        .find_map(|word| JAVASCRIPT.into_iter().find(|bad| word == *bad || bad == &"gloo" && word.starts_with("gloo_")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_names_in_code_and_not_in_comments() {
        assert_eq!(named("use web_sys::Window;"), Some("web_sys"));
        assert_eq!(named("    let x: gloo_net::Error = y;"), Some("gloo"));
        assert_eq!(named("/// As web_sys has it."), None);
        assert_eq!(named("let my_web_sys_like = 1;"), None);
    }
}

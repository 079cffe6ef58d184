//! Errors as models read them.

use copydesk_base::{ErrorInfo, Locale};
use copydesk_workspace::{CheckKind, Error, Needle, replace_once};
use serde_json::json;

#[test]
fn errors_of_the_host_have_its_code_and_the_names_that_models_know() {
    for (code, name) in [
        ("file_not_found", "FileNotFoundError: "),
        ("invalid_path", "ValueError: "),
        ("permission_denied", "PermissionError: "),
        ("file_protected", "PermissionError: "),
        ("not_text", "ValueError: "),
        ("not_encodable", "ValueError: "),
        ("file_too_large", "ValueError: "),
        ("file_exists", "FileExistsError: "),
        ("file_changed", "OSError: "),
        ("storage_full", "OSError: "),
        ("search_timeout", "OSError: "),
        ("invalid_pattern", "ValueError: "),
        ("storage_failed", "OSError: "),
    ] {
        let error =
            Error::of_host(code, "The reason.", &json!({ "path": "some/where.md", "pattern": "some/where.md" }));
        assert_eq!(error.code(), code);
        for locale in [Locale::En, Locale::ZhCn] {
            let message = error.message(locale);
            assert!(message.starts_with(name) && message.contains("some/where.md"), "{message}");
            assert!(!message.contains("..") || code == "invalid_path", "{message}");
        }
    }
}

#[test]
fn an_empty_pattern_is_shown_as_such() {
    let error = Needle::new("", false).err().unwrap();
    assert!(error.message(Locale::En).starts_with("ValueError: the pattern is not valid: \"\". "), "{error}");
}

#[test]
fn the_lines_of_several_matches_end_with_an_ellipsis_only_if_there_are_more() {
    let message = |text: &str| replace_once("f.md", text, "tea", "x").unwrap_err().message(Locale::En);
    assert!(message("tea\ntea\n").contains("occurs 2 times in f.md, in lines 1, 2. "));
    assert!(message("tea tea\n").contains("occurs 2 times in f.md, in line 1. "));
    assert!(message(&"tea\n".repeat(10)).contains("8, 9, 10. "));
    assert!(message(&"tea\n".repeat(11)).contains("8, 9, 10, …. "));
}

#[test]
fn checks_have_names() {
    for kind in [CheckKind::Timeline, CheckKind::References] {
        assert_eq!(CheckKind::of_name(kind.name()).unwrap(), kind);
    }
    assert_eq!(CheckKind::of_name("spelling").unwrap_err().code(), "invalid_parameter");
}

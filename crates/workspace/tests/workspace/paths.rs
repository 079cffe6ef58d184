//! Filters and names of chapters.

use copydesk_base::{ErrorInfo, Locale};
use copydesk_workspace::{Filter, paths};

#[test]
fn glob_patterns_select_by_name_or_path() {
    let accepts = |folder: &str, glob: &str, path: &str| Filter::new(Some(folder), Some(glob)).unwrap().accepts(path);
    for (folder, glob, path, expected) in [
        ("", "*.md", "a/b/c.md", true),
        ("", "*.md", "a.txt", false),
        ("", "a/*.md", "a/c.md", true),
        ("", "a/*.md", "a/b/c.md", false),
        ("", "a/**/*.md", "a/b/c.md", true),
        ("", "a/**/*.md", "a/c.md", true),
        ("", "**/ch00?.md", "x/ch001.md", true),
        ("", "第*章.md", "书/第三章.md", true),
        ("", "?.md", "雨.md", true),
        ("", "[a-c].{md,txt}", "b.txt", true),
        ("", "第[一二三]?章.{md,t{xt,ext}}", "第二十章.text", true),
        ("", "{a,b}/{c,d}/*", "b/c/x", true),
        ("a", "b/*.md", "a/b/c.md", true),
        ("a", "a/b/*.md", "a/b/c.md", true),
        ("a", "*.md", "ab/c.md", false),
        ("a/c.md", "", "a/c.md", true),
        ("./a/", "", "a/c.md", true),
        (".", "", "a/c.md", true),
        ("/", "", "a/c.md", true),
    ] {
        assert_eq!(accepts(folder, glob, path), expected, "{folder} {glob} {path}");
    }
}

#[test]
fn a_filter_is_for_all_files_only_without_a_folder_and_a_pattern() {
    for (folder, glob, is_all) in [
        (None, None, true),
        (Some("."), Some(" ./ "), true),
        (Some("a"), None, false),
        (None, Some("*.md"), false),
        (Some("a"), Some("*.md"), false),
    ] {
        assert_eq!(Filter::new(folder, glob).unwrap().is_all(), is_all, "{folder:?} {glob:?}");
    }
}

#[test]
fn patterns_without_a_meaning_are_refused() {
    for glob in ["[", "a**b/c", "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"] {
        assert_eq!(Filter::new(None, Some(glob)).unwrap_err().code(), "invalid_pattern", "{glob}");
    }
    assert!(!Filter::new(None, Some("{a")).unwrap().accepts("a"));
}

#[test]
fn folders_outside_of_the_workspace_are_refused() {
    for path in ["..", "a/../b", "/etc", "C:/x", "a\\b", "a/\0"] {
        assert_eq!(Filter::new(Some(path), None).unwrap_err().code(), "invalid_path", "{path}");
    }
    let error = Filter::new(Some("a/../b"), None).unwrap_err();
    assert!(
        error.message(Locale::En).contains("a/../b — it contains the part ... Use"),
        "{}",
        error.message(Locale::En)
    );
    assert!(error.message(Locale::ZhCn).contains("a/../b，它含有 ..。"), "{}", error.message(Locale::ZhCn));
}

#[test]
fn chapters_have_numbers_from_1_to_999() {
    for number in 1..=999 {
        let path = paths::of_chapter("chapters", number).unwrap();
        assert_eq!(path, format!("chapters/ch{number:03}.md"));
        assert_eq!(paths::chapter_number(&path), Some(number as u32));
    }
    for number in [0, -1, 1_000, i64::MAX, i64::MIN] {
        let error = paths::of_chapter("chapters", number).unwrap_err();
        assert_eq!(
            error.message(Locale::ZhCn),
            format!("ValueError: number 的值 {number} 无效，应为 1–999 的整数，请改正后重试。")
        );
    }
    assert_eq!(paths::of_chapter("", 1).unwrap(), "ch001.md");
    assert_eq!(paths::of_chapter("./book/one/", 1).unwrap(), "book/one/ch001.md");
}

#[test]
fn other_names_of_chapters_are_known() {
    for (path, number) in [
        ("Chapter 12.md", Some(12)),
        ("chapter-3.txt", Some(3)),
        ("CH7.MD", Some(7)),
        ("第９章.md", Some(9)),
        ("第十章 雨.md", Some(10)),
        ("ch.md", None),
        ("ch0.md", None),
        ("ch1000.md", None),
        ("ch001.png", None),
        ("chorus.md", None),
        ("第章.md", None),
    ] {
        assert_eq!(paths::chapter_number(path), number, "{path}");
    }
}

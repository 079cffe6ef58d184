//! The replacement of a text that occurs once.

use copydesk_base::{ErrorInfo, Locale};
use copydesk_test_support::random::Random;
use copydesk_workspace::{Error, ReplacedText, replace_once};

#[test]
fn one_match_is_replaced_and_nothing_else() {
    let mut random = Random::new();
    for _ in 0..500 {
        let parts = ["雨", "a", "b", "\n", "🎉", "é"];
        let mut some =
            |longest: usize| -> String { (0..random.below(longest)).map(|_| *random.pick(&parts)).collect() };
        let (before, old, new, after) = (some(30), some(8), some(8), some(30));
        let text = [&*before, &old, &after].concat();
        let places = text.char_indices().filter(|(at, _)| !old.is_empty() && text[*at..].starts_with(&old)).count();
        match replace_once("f.md", &text, &old, &new) {
            Ok(replaced) => {
                assert_eq!(places, 1, "{text:?} {old:?}");
                assert_eq!(replaced.text, text.replacen(&old, &new, 1));
                assert_eq!(replaced.first_line, 1 + text[..text.find(&old).unwrap()].matches('\n').count());
            }
            Err(Error::TextAmbiguous { count, .. }) => assert_eq!(count, places, "{text:?} {old:?}"),
            Err(error) => assert!(old.is_empty() || old == new, "{error} {text:?} {old:?}"),
        }
    }
}

#[test]
fn several_matches_are_listed_by_line_also_where_they_overlap() {
    let error = replace_once("f.md", "one\naaa\none", "aa", "b").unwrap_err();
    assert_eq!((error.code(), error.details()["count"].clone()), ("text_ambiguous", 2.into()));
    let error = replace_once("ch.md", &"tea\n".repeat(30), "tea", "milk").unwrap_err();
    assert_eq!(
        error.message(Locale::En),
        "ValueError: old_text occurs 30 times in ch.md, in lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …. Nothing was changed. \
         Give more of the text around the place that is meant, so that it occurs once."
    );
}

#[test]
fn without_a_match_the_nearest_lines_are_shown() {
    let text = "# 茶\n\n第一泡要快，第二泡可以慢一些。\n水温九十五度。\n茶叶三克。\n";
    let error = replace_once("茶.md", text, "第一泡要快，第二泡需要慢一些。", "x").unwrap_err();
    assert_eq!(error.details()["nearest"][0]["line"], 3);
    let message = error.message(Locale::ZhCn);
    assert!(message.contains("3 | 第一泡要快，第二泡可以慢一些。"), "{message}");
    let Error::TextNotFound { nearest, .. } = replace_once("茶.md", text, "zzzz", "x").unwrap_err() else {
        panic!("another error")
    };
    assert!(nearest.is_empty());
}

#[test]
fn a_short_text_has_nearest_lines_too() {
    for (text, old, expected) in [
        ("开头\n第3天\n", "第4天", Some(2)),
        ("门开了。\n天气很好。\n", "门关了", Some(1)),
        ("他走进了房间。\n", "她走了", Some(1)),
        ("Day 3\nNight\n", "Day 4", Some(1)),
        ("天气很好。\n", "门关了", None),
        ("The act of a cat.\n", "xyz", None),
    ] {
        let details = replace_once("f.md", text, old, "x").unwrap_err().details();
        assert_eq!(details["nearest"][0]["line"].as_u64(), expected, "{old}");
    }
}

#[test]
fn the_nearest_lines_have_the_most_in_common_and_of_equals_are_the_shortest() {
    let wanted: String = ('一'..).take(200).collect();
    let with = |common: usize, more: usize| wanted.chars().take(common).collect::<String>() + &"x".repeat(more);
    let nearest = |lines: &[String]| -> Vec<u64> {
        let details = replace_once("f.md", &lines.join("\n"), &wanted, "x").unwrap_err().details();
        details["nearest"].as_array().unwrap().iter().map(|line| line["line"].as_u64().unwrap()).collect()
    };
    assert_eq!(nearest(&[with(189, 0), with(190, 900), with(190, 900), with(190, 900)]), [2, 3, 4]);
    assert_eq!(nearest(&[with(190, 2), with(190, 5), with(190, 4), with(190, 3)]), [1, 3, 4]);
    // A quarter of the pairs is enough.
    assert_eq!(nearest(&[with(50, 0), with(51, 0)]), [2]);
}

#[test]
fn line_ends_of_the_file_stay() {
    let replaced = replace_once("f.md", "a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz").unwrap();
    assert_eq!(replaced.text, "x\r\ny\r\nz\r\nc\r\n");
    assert_eq!((replaced.first_line, replaced.last_line), (1, 3));
    let end = |text| replace_once("f.md", text, "a", "x\n\n").unwrap().last_line;
    assert_eq!((end("a\n"), end("a\r\n")), (1, 1));
    assert_eq!(replace_once("f.md", "\u{feff}a\nb", "a", "x").unwrap().text, "\u{feff}x\nb");
}

/// A model sees no line ends: the result is that of a file that has only `\n`, and the rest of the file stays.
#[test]
fn in_mixed_line_ends_the_rest_of_the_file_stays() {
    let mut random = Random::new();
    for _ in 0..2_000 {
        let parts = ["雨", "a", "b", "\n", "\r\n"];
        let mut some =
            |longest: usize| -> String { (0..random.below(longest)).map(|_| *random.pick(&parts)).collect() };
        let (before, old, new, after) = (some(12), some(6), some(6), some(12));
        let text = [&*before, &old, &after].concat();
        let plain = |text: &str| text.replace("\r\n", "\n");
        let made = replace_once("f.md", &text, &plain(&old), &new);
        let shape = |made: Result<ReplacedText, Error>| {
            made.map(|made| (plain(&made.text), made.first_line, made.last_line)).map_err(|error| error.to_string())
        };
        let shown = format!("{text:?} {old:?} {new:?}");
        if plain(&old) == plain(&new) {
            continue;
        }
        let expected = replace_once("f.md", &plain(&text), &plain(&old), &plain(&new));
        assert_eq!(shape(made.clone()), shape(expected), "{shown}");
        let Ok(made) = made else { continue };
        assert!(made.text.starts_with(&before) && made.text.ends_with(&after), "{shown}");
        // A line end that no line of the file has is never added.
        let ends = |text: &str| (text.contains("\r\n"), text.replace("\r\n", "").contains('\n'));
        let ((has_long, has_short), (long, short)) = (ends(&text), ends(&made.text));
        assert!(!has_long && !has_short || (has_long || !long) && (has_short || !short), "{shown} {:?}", made.text);
    }
}

/// Lines are edited, added and deleted in a text over many lines: all others keep their ends.
#[test]
fn in_mixed_line_ends_each_unedited_line_keeps_its_own() {
    let mut random = Random::new();
    for _ in 0..2_000 {
        let lines: Vec<String> = (0..2 + random.below(8)).map(|number| format!("line {number}")).collect();
        let ends: Vec<&str> = lines.iter().map(|_| *random.pick(&["\n", "\r\n"])).collect();
        let file: String = lines.iter().zip(&ends).flat_map(|(line, end)| [line, *end]).collect();
        let first = random.below(lines.len());
        let last = first + random.below(lines.len() - first);
        let mut new: Vec<(String, &str)> = Vec::new();
        for (line, end) in lines.iter().zip(&ends).take(last + 1).skip(first) {
            match random.below(5) {
                0 => {}
                1 => new.push((format!("edited {line}"), end)),
                2 => new.extend([(line.clone(), *end), (format!("added to {line}"), end)]),
                _ => new.push((line.clone(), end)),
            }
        }
        let text = |lines: &[(String, &str)]| lines.iter().map(|(line, _)| line.clone()).collect::<Vec<_>>().join("\n");
        let (old, written) = (lines[first..=last].join("\n"), text(&new));
        if old == written || new.is_empty() {
            continue;
        }
        let made = replace_once("f.md", &file, &old, &written).unwrap().text;
        // The end of the last line is not in the text that is replaced.
        let inside = new.iter().take(new.len() - 1).filter(|(line, _)| line.starts_with("line"));
        let others = (0..lines.len()).filter(|number| !(first..=last).contains(number));
        let others = others.map(|number| (lines[number].clone(), ends[number]));
        for (line, end) in inside.cloned().chain(others) {
            assert!(
                format!("\n{made}").contains(&format!("\n{line}{end}")),
                "{line} {file:?} {old:?} {written:?} {made:?}"
            );
        }
    }
}

#[test]
fn an_edited_line_keeps_its_end_and_an_added_one_has_that_of_its_neighbour() {
    for (file, old, new, expected) in [
        ("a\r\nb\nc old\nd\n", "a\nb\nc old", "a\nb\nc new", "a\r\nb\nc new\nd\n"),
        ("a\nb\r\nc old\nd\n", "a\nb\nc old", "a\nb\nc new", "a\nb\r\nc new\nd\n"),
        ("a\r\nb\nc\r\n", "a\nb\nc", "a\nx\nc", "a\r\nx\nc\r\n"),
        ("a\r\nb\nc\n", "a\nb", "a\nx\nb", "a\r\nx\r\nb\nc\n"),
        ("a\r\nb\nc\n", "a\nb", "x\na\nb", "x\r\na\r\nb\nc\n"),
        ("a\r\nb\nc\n", "b", "b\nx", "a\r\nb\nx\nc\n"),
        ("a\r\nb\nc", "c", "c\nx", "a\r\nb\nc\nx"),
        ("a\nb\r\nc\n", "a\nb\n", "b\n", "b\r\nc\n"),
        ("a\r\nb\n", "a\n", "a\nx\n", "a\r\nx\r\nb\n"),
        ("a\n\n\r\nb\n", "a\n\n\nb", "a\n\n\nc", "a\n\n\r\nc\n"),
        ("one", "one", "a\r\nb\n", "a\r\nb\n"),
    ] {
        assert_eq!(replace_once("f.md", file, old, new).unwrap().text, expected, "{file:?} {old:?} {new:?}");
    }
}

#[test]
fn a_text_of_one_character_takes_no_longer_than_others() {
    let text = "-".repeat(2_000_000);
    let Error::TextAmbiguous { count, lines, .. } = replace_once("f.md", &text, &text[..100_000], "x").unwrap_err()
    else {
        panic!("another error")
    };
    assert_eq!((count, lines), (1_900_001, vec![1]));
}

#[test]
fn an_ambiguous_text_lists_each_line_once_and_says_whether_there_are_more() {
    let message = |text: &str| replace_once("f.md", text, "a", "b").unwrap_err().message(Locale::En);
    assert!(message(&"a".repeat(49_999)).contains("occurs 49999 times in f.md, in line 1. "));
    assert!(message(&("a".repeat(30) + "\nb\n" + &"a".repeat(30))).contains("in lines 1, 3. "));
    assert!(message(&"aa\n".repeat(10)).contains("in lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10. "));
    assert!(message(&"aa\n".repeat(11)).contains("in lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …. "));
    // Compared with all places, in random texts.
    let mut random = Random::new();
    for _ in 0..2000 {
        let text: String = (0..60).map(|_| ["a", "b", "\n"][random.below(3)]).collect();
        let old = ["a", "aa", "ab", "a\nb", "\n"][random.below(5)];
        let Err(Error::TextAmbiguous { lines, is_cut, .. }) = replace_once("f.md", &text, old, "x") else { continue };
        let places = (0..text.len()).filter(|at| text[*at..].starts_with(old));
        let mut expected: Vec<usize> = places.map(|at| 1 + text[..at].matches('\n').count()).collect();
        expected.dedup();
        assert_eq!(is_cut, expected.len() > 10, "{text:?} {old:?}");
        expected.truncate(10);
        assert_eq!(lines, expected, "{text:?} {old:?}");
    }
}

#[test]
fn nothing_to_replace_is_refused() {
    for (old, new, name) in [("", "x", "old_text"), ("a", "a", "new_text")] {
        let error = replace_once("f.md", "a", old, new).unwrap_err();
        assert_eq!((error.code(), error.details()["name"].as_str()), ("invalid_parameter", Some(name)));
    }
}

#[test]
fn a_new_text_with_a_control_character_is_refused_and_one_in_the_file_stays() {
    let error = replace_once("a.md", "one two", "two", "\u{c}rac").unwrap_err();
    assert_eq!(error.code(), "unwritable_character");
    assert_eq!(replace_once("a.md", "one\u{c}two", "two", "three").unwrap().text, "one\u{c}three");
    assert_eq!(replace_once("a.md", "x\u{85}z old", "x\u{85}z old", "x\u{85}z new").unwrap().text, "x\u{85}z new");
    for new in ["x\u{85}z\u{85} new", "x\u{c}z new"] {
        assert_eq!(
            replace_once("a.md", "x\u{85}z old", "x\u{85}z old", new).unwrap_err().code(),
            "unwritable_character"
        );
    }
}

//! Results that are too long to be shown at once.

use crate::random::Random;
use copydesk_agent::tools::built_in;
use copydesk_agent::tools::paging::{Budget, Pages};
use copydesk_agent::tools::paging::{MOST_BYTES, READ_MORE};
use copydesk_agent::tools::read_more::{ReadMore, read};
use copydesk_base::ErrorInfo;
use copydesk_base::Locale;
use copydesk_llm::tokens::{estimate_text, estimate_value};
use serde_json::{Value, json};

const SMALL: Budget = Budget { bytes: 3_000, tokens: 800 };

fn page(pages: &mut Pages, content: Value, budget: Budget) -> Value {
    pages.page("search_web", content, false, budget, Locale::En).shown
}

/// The id and the offset of a mark at the end of a text, and the text before it.
fn mark(shown: &str) -> Option<(&str, String, usize)> {
    let (text, mark) = shown.rsplit_once("\n[… characters ")?;
    let call: Value = serde_json::from_str(mark.split_once("read_more ")?.1.strip_suffix(']')?).unwrap();
    Some((text, call["id"].as_str()?.to_owned(), call["offset"].as_u64()? as usize))
}

/// Reads a text to its end.
fn whole(pages: &Pages, shown: &str, budget: Budget) -> String {
    let Some((text, id, mut offset)) = mark(shown) else { return shown.to_owned() };
    let mut all = text.to_owned();
    loop {
        assert_eq!(all.chars().count(), offset);
        let piece = pages.read(&id, offset, budget, Locale::En).unwrap();
        assert!(piece.to > piece.from, "each piece is something");
        assert!(piece.shown.len() <= budget.bytes && estimate_text(&piece.shown) <= budget.tokens + 20);
        match mark(&piece.shown) {
            Some((text, next_id, next)) => {
                assert_eq!((next_id.as_str(), next), (id.as_str(), piece.to));
                all += text;
                offset = next;
            }
            None => return all + &piece.shown,
        }
    }
}

/// The result with every cut text read to its end.
fn restored(pages: &Pages, shown: &Value, budget: Budget) -> Value {
    match shown {
        Value::String(text) => whole(pages, text, budget).into(),
        Value::Array(items) => items.iter().map(|item| restored(pages, item, budget)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| (name.clone(), restored(pages, field, budget))).collect()
        }
        other => other.clone(),
    }
}

/// The bytes of its texts.
fn bytes_of(shown: &Value) -> usize {
    match shown {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(bytes_of).sum(),
        Value::Object(fields) => fields.values().map(bytes_of).sum(),
        _ => 0,
    }
}

#[test]
fn a_result_within_its_budget_is_unchanged() {
    let mut pages = Pages::default();
    let content = json!({ "results": ["short", 7, null] });
    let paged = pages.page("search_web", content.clone(), false, Budget::default(), Locale::En);
    assert_eq!((paged.shown, paged.pages.len(), pages.bytes()), (content, 0, 0));
}

#[test]
fn a_long_text_says_how_much_is_shown_and_how_to_read_on() {
    let mut pages = Pages::default();
    let text: String = (0..400).map(|line| format!("{line}: a line of the document\n")).collect();
    let paged = pages.page("read_lines", text.clone().into(), false, SMALL, Locale::En);
    assert_eq!(paged.pages, ["page_1"]);
    let shown = paged.shown.as_str().unwrap();
    let (said, id, offset) = mark(shown).unwrap();
    assert_eq!((id.as_str(), offset), ("page_1", said.chars().count()));
    assert!(said.ends_with("document\n"), "it ends with a line");
    let total = text.chars().count();
    let expected = format!(
        "\n[… characters 0–{offset} of {total} are shown. To read on: read_more {{\"id\": \"page_1\", \"offset\": {offset}}}]"
    );
    assert!(shown.ends_with(&expected), "{shown}");
    let zh = pages.page("read_lines", text.into(), false, SMALL, Locale::ZhCn).shown;
    assert!(zh.as_str().unwrap().contains("继续读取：read_more {\"id\": \"page_2\""));
}

#[test]
fn texts_in_a_result_are_truncated_separately() {
    let mut pages = Pages::default();
    let content = json!({ "results": [
        { "title": "one", "content": "tea ".repeat(4_000) },
        { "title": "two", "content": "short" },
        { "title": "three", "content": "茶".repeat(4_000) },
    ], "total": 3 });
    let shown = page(&mut pages, content.clone(), Budget { bytes: 12_000, tokens: 4_000 });
    assert_eq!(shown["results"][1], content["results"][1]);
    assert_eq!((&shown["results"][2]["title"], &shown["total"]), (&json!("three"), &json!(3)));
    assert_eq!(mark(shown["results"][0]["content"].as_str().unwrap()).unwrap().1, "page_1");
    assert_eq!(mark(shown["results"][2]["content"].as_str().unwrap()).unwrap().1, "page_2");
    assert!(shown.to_string().len() < 12_500 && estimate_value(&shown) < 4_400);
    assert_eq!(restored(&pages, &shown, SMALL), content);
}

#[test]
fn a_result_of_many_short_texts_is_truncated_as_json() {
    let mut pages = Pages::default();
    let content: Value = (0..5_000).map(|at| json!({ "title": format!("no. {at}") })).collect();
    let shown = page(&mut pages, content.clone(), SMALL);
    assert!(shown.as_str().unwrap().starts_with(r#"[{"title":"no. 0"},{"title":"no. 1"}"#));
    let text = whole(&pages, shown.as_str().unwrap(), SMALL);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), content);
}

#[test]
fn deeply_nested_results_are_shown_as_text() {
    let mut deep = json!("tea ".repeat(9_000));
    for _ in 0..300 {
        deep = json!([deep]);
    }
    let mut pages = Pages::default();
    let shown = page(&mut pages, deep.clone(), SMALL);
    assert_eq!(whole(&pages, shown.as_str().unwrap(), SMALL), deep.to_string());
}

#[test]
fn all_pages_together_are_the_result() {
    const SIGNS: [&str; 14] =
        ["tea ", "茶", "👨‍👩‍👧‍👦", "🇩🇪", "é", "e\u{301}", "\n", "line\n", "<p>a</p>", "\"", "กี", "\r\n", "👍🏽", "\u{1F375}"];
    let mut random = Random::new();
    let text = |random: &mut Random, most: usize| {
        let same = *random.pick(&SIGNS);
        let mixed = random.below(3) > 0;
        (0..random.below(most)).map(|_| if mixed { *random.pick(&SIGNS) } else { same }).collect::<String>()
    };
    let mut cut = 0;
    for _ in 0..120 {
        let budget = Budget { bytes: 1_000 + random.below(6_000), tokens: 300 + random.below(2_000) };
        let mut content = json!({});
        for field in ["a", "b", "c"] {
            content[field] = match random.below(4) {
                0 => json!((0..random.below(60)).map(|_| text(&mut random, 40)).collect::<Vec<_>>()),
                1 => json!(random.below(1_000)),
                _ => json!({ "inner": text(&mut random, 4_000) }),
            };
        }
        if random.below(3) == 0 {
            content = text(&mut random, 9_000).into();
        }
        let mut pages = Pages::default();
        let paged = pages.page("own_tool", content.clone(), true, budget, Locale::En);
        cut += usize::from(!paged.pages.is_empty());
        let was_flat = paged.shown.is_string() && !content.is_string();
        let read = restored(&pages, &paged.shown, budget);
        if was_flat {
            assert_eq!(read.as_str().unwrap(), content.to_string());
        } else {
            assert_eq!(read, content);
        }
        let (shown, most) = (estimate_value(&paged.shown), budget.tokens * 5 / 4 + 60);
        assert!(shown <= most, "{shown} tokens of {}", budget.tokens);
        assert!(bytes_of(&paged.shown) <= budget.bytes + 200);
    }
    assert!(cut > 40, "{cut} results were cut");
}

#[test]
fn no_page_ends_within_a_grapheme() {
    let family = "👨‍👩‍👧‍👦";
    let mut pages = Pages::default();
    for sign in [family, "e\u{301}\u{302}", "👍🏽", "กี", "茶"] {
        let shown = page(&mut pages, sign.repeat(3_000).into(), SMALL);
        let (text, id, mut offset) = mark(shown.as_str().unwrap()).unwrap();
        assert_eq!(text.len() % sign.len(), 0, "{sign}");
        while let Some((text, _, next)) = mark(&pages.read(&id, offset, SMALL, Locale::En).unwrap().shown) {
            assert_eq!(text.len() % sign.len(), 0, "{sign}");
            offset = next;
        }
    }
    let mischief = format!("a{}", "\u{301}".repeat(50_000));
    let shown = page(&mut pages, mischief.clone().into(), SMALL);
    assert_eq!(whole(&pages, shown.as_str().unwrap(), SMALL), mischief);
}

#[test]
fn the_oldest_texts_are_removed_and_the_error_names_the_fix() {
    let mut pages = Pages::default();
    let text = "tea ".repeat(800_000);
    for _ in 0..5 {
        page(&mut pages, text.clone().into(), Budget::default());
        assert!(pages.bytes() <= MOST_BYTES);
    }
    let gone = pages.read("page_1", 0, SMALL, Locale::En).unwrap_err();
    assert_eq!(gone.code(), "page_gone");
    assert_eq!(
        gone.message(Locale::En),
        "\"page_1\" is no longer stored: only the newest long results are. The stored ones are page_4, page_5. Call the original tool again."
    );
    assert!(gone.message(Locale::ZhCn).contains("page_4、page_5"));
    assert_eq!(gone.details(), json!({ "given": "page_1", "valid": ["page_4", "page_5"] }));
    assert!(pages.read("page_5", 0, SMALL, Locale::En).is_ok());
    for id in ["", "page_", "page_99", "5", "page_-1", "page_99999999999999999999999"] {
        assert_eq!(pages.read(id, 0, SMALL, Locale::En).unwrap_err().code(), "page_gone", "{id}");
    }
}

#[test]
fn a_text_longer_than_the_store_is_truncated_with_a_notice() {
    let mut pages = Pages::default();
    let shown = page(&mut pages, "茶".repeat(4_000_000).into(), Budget::default());
    assert!(pages.bytes() <= MOST_BYTES);
    let (_, id, _) = mark(shown.as_str().unwrap()).unwrap();
    let total = pages.read(&id, 0, SMALL, Locale::En).unwrap().total;
    assert!(pages.read(&id, total - 10, SMALL, Locale::En).unwrap().shown.ends_with("茶\n[…]"));
}

#[test]
fn an_offset_beyond_the_end_is_refused_with_what_is_valid() {
    let mut pages = Pages::default();
    page(&mut pages, "x".repeat(5_000).into(), SMALL);
    assert_eq!(pages.read("page_1", 5_000, SMALL, Locale::En).unwrap().shown, "");
    let error = pages.read("page_1", 5_001, SMALL, Locale::En).unwrap_err();
    assert_eq!(error.message(Locale::En), "offset is 5001; it must be integer 0–5000. Call again with a valid value.");
}

#[test]
fn read_more_is_not_paged_and_as_trusted_as_its_result() {
    let mut pages = Pages::default();
    let long: Value = "x ".repeat(9_000).into();
    pages.page("search_web", long.clone(), true, SMALL, Locale::En);
    pages.page("read_lines", long.clone(), false, SMALL, Locale::En);
    assert!(pages.is_untrusted("page_1") && !pages.is_untrusted("page_2") && pages.is_untrusted("page_3"));
    assert_eq!(pages.page(READ_MORE, long.clone(), false, SMALL, Locale::En).shown, long);
}

#[test]
fn read_more_accepts_the_arguments_of_the_notice() {
    let mut pages = Pages::default();
    let shown = page(&mut pages, "0123456789".repeat(500).into(), SMALL);
    let (_, id, offset) = mark(shown.as_str().unwrap()).unwrap();
    let ask = |arguments: Value| read(&arguments, &pages, SMALL, Locale::En);
    let next = ask(json!({ "id": id, "offset": offset })).unwrap();
    assert!(next.starts_with(&"0123456789"[offset % 10..]), "{offset}: {next}");
    assert_eq!(ask(json!({ "id": id, "offset": "4990" })).unwrap(), "0123456789");
    assert!(ask(json!({ "id": id })).unwrap().starts_with("0123456789"));
    assert_eq!(ask(json!({ "id": id, "offset": -1 })).unwrap_err().code(), "invalid_parameter");
    assert_eq!(ask(json!({ "offset": 0 })).unwrap_err().code(), "missing_parameter");
}

#[test]
fn the_tool_is_described_in_both_languages() {
    for (locale, says) in [(Locale::En, "Read the next part"), (Locale::ZhCn, "继续读取")] {
        let tool = built_in::<ReadMore>(locale);
        assert_eq!(tool.spec.name, READ_MORE);
        assert!(tool.spec.description.contains(says));
        assert_eq!(tool.spec.parameters["required"], json!(["id"]));
        assert!(tool.spec.parameters["properties"]["offset"]["description"].is_string());
    }
}

#[test]
fn a_missing_page_names_a_few_of_the_newest() {
    let mut pages = Pages::default();
    for number in 0..50 {
        pages.page("read", format!("{number} {}", "tea ".repeat(1_000)).into(), true, SMALL, Locale::En);
    }
    let gone = pages.read("page_99", 0, SMALL, Locale::En).unwrap_err();
    let valid = gone.details()["valid"].as_array().unwrap().len();
    assert_eq!(valid, 10);
    assert!(gone.to_string().contains("page_50"), "{gone}");
}

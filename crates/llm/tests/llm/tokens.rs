//! The heuristic compared with o200k_base, and the use of a provider's counts.

use copydesk_llm::tokens::{
    IMAGE_TOKENS, estimate, estimate_message, estimate_messages, estimate_text, estimate_tools, since_of,
};
use copydesk_llm::{Message, ToolSpec, Usage};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const SAMPLES: &str = include_str!("../../../../tests/fixtures/tokens/samples.jsonl");

fn message(value: Value) -> Message {
    serde_json::from_value(value).unwrap()
}

fn person(text: &str) -> Message {
    message(json!({ "role": "user", "content": text }))
}

fn answer(text: &str) -> Message {
    message(json!({ "role": "assistant", "content": [{ "type": "text", "text": text }], "stopReason": "stop" }))
}

/// The answer with the counts of the provider.
fn counted(mut message: Message, input: u64, output: u64) -> Message {
    if let Message::Assistant { usage, .. } = &mut message {
        *usage = Some(Usage { input_tokens: input, output_tokens: output, ..Usage::default() });
    }
    message
}

/// The error of each sample, as a part of its true count, with its id and class.
fn errors() -> Vec<(u64, String, f64)> {
    let error = |line: &str| {
        let sample: Value = serde_json::from_str(line).unwrap();
        let tokens = sample["tokens"].as_f64().unwrap();
        let guessed = estimate_text(sample["text"].as_str().unwrap()) as f64;
        (sample["id"].as_u64().unwrap(), sample["class"].as_str().unwrap().to_owned(), guessed / tokens - 1.0)
    };
    SAMPLES.lines().map(error).collect()
}

fn mean(errors: impl Iterator<Item = f64>) -> f64 {
    let errors: Vec<f64> = errors.collect();
    errors.iter().sum::<f64>() / errors.len() as f64
}

#[test]
fn the_mean_error_is_below_a_tenth_on_all_samples_and_on_held_out_ones() {
    let errors = errors();
    assert!(errors.len() >= 60);
    let mut classes: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    errors.iter().for_each(|(_, class, error)| classes.entry(class).or_default().push(*error));
    for (class, errors) in &classes {
        let (of, from_zero) = (errors.iter().copied(), errors.iter().map(|error| error.abs()));
        println!("{class:>12} {:>3}  mean {:+.3}  |mean| {:.3}", errors.len(), mean(of), mean(from_zero));
    }
    let held_out = mean(errors.iter().filter(|(id, ..)| id % 2 == 0).map(|(.., error)| error.abs()));
    let all = mean(errors.iter().map(|(.., error)| error.abs()));
    println!("held out {held_out:.4}, all {all:.4}");
    assert!(held_out <= 0.10, "{held_out}");
    assert!(all <= 0.10, "{all}");
}

#[test]
fn the_error_is_bounded_for_each_class_of_text() {
    for (id, class, error) in errors() {
        assert!(error.abs() < 0.35, "sample {id} ({class}): {error:+.2}");
    }
}

#[test]
fn an_empty_text_has_no_token_and_a_word_has_one() {
    assert_eq!(estimate_text(""), 0);
    assert_eq!(estimate_text("tea"), 1);
    assert_eq!(estimate_text("a lot of tea"), 4);
}

/// Compared with the weights that were fitted, in hundredths of a token: the tokens of a hundred repetitions.
#[test]
fn each_class_of_characters_has_its_weight() {
    for (text, weight) in [
        (" tea", 100),
        (" internationalization", 100 + 12 * 29),
        (".name", 96 + 32),
        (".key", 96 + 107),
        (".XMLName", 96 + 32 + 3 * 48),
        (".XML", 96 + 107 + 2 * 48),
        (".toolName", 96 + 32 + 32),
        (" déjà", 100 + 2 * 75),
        (" é", 100 + 75),
        (" 123", 135),
        (" 1234567", 3 * 135),
        (" +", 96),
        (" +=", 96),
        (" +=+=+", 96 + 3 * 38),
        ("a\n", 100 + 135),
        (" a.\n", 100 + 96 + 60),
        (" a\n    b\r\n\t\t", 100 + 135 + 36 + 100 + 135 + 36),
        ("a  ", 100 + 36),
        (("a".to_owned() + &" ".repeat(64)).as_str(), 100 + 36 + 2 * 100),
        (" привет", 61 + 6 * 18),
        ("茶", 76),
        ("，", 109),
        ("か", 76),
        ("한", 77),
        ("—", 50),
        ("🍵", 184),
        ("ก", 42),
        ("𠀀", 300),
    ] {
        assert_eq!(estimate_text(&text.repeat(100)), weight, "{text:?}");
    }
}

#[test]
fn long_runs_of_one_character_are_counted() {
    for run in [" ", "\n", "-", "a", "A", "7", "茶", "🍵", "\t "] {
        let text = run.repeat(10_000);
        assert!(estimate_text(&text) >= 300, "{run:?}: {}", estimate_text(&text));
    }
}

#[test]
fn the_count_of_an_image_does_not_depend_on_its_bytes() {
    let said = |data: &str| {
        let picture = json!({ "type": "image", "data": data, "mimeType": "image/png" });
        message(json!({ "role": "user", "content": [{ "type": "text", "text": "See?" }, picture] }))
    };
    for data in ["", &"A".repeat(100_000)] {
        assert_eq!(estimate_message(&said(data)), estimate_message(&person("See?")) + IMAGE_TOKENS);
    }
}

#[test]
fn reported_usage_covers_everything_up_to_its_answer() {
    let messages = vec![person("a"), counted(answer("b"), 5_000, 70), person("please write more of it")];
    let estimate = estimate("You write.", &[], &messages, 0);
    assert!(estimate.counted);
    assert_eq!(estimate.used, 5_070 + estimate_messages(&messages[2..]));
}

#[test]
fn the_last_valid_usage_counts() {
    let mut failed = counted(answer("c"), 9_000, 9_000);
    if let Message::Assistant { stop_reason, .. } = &mut failed {
        *stop_reason = "aborted".into();
    }
    let messages =
        vec![person("a"), counted(answer("b"), 400, 10), person("c"), failed, counted(answer("d"), 0, 0), person("e")];
    let estimate = estimate("", &[], &messages, 0);
    assert_eq!(estimate.used, 410 + estimate_messages(&messages[2..]));
}

#[test]
fn without_usage_prompt_tools_and_messages_are_estimated() {
    let tools = [ToolSpec { name: "x".into(), description: "Does x.".into(), parameters: json!({ "type": "object" }) }];
    let call = json!({ "type": "toolCall", "id": "1", "name": "x", "arguments": { "of": "tea" } });
    let messages = vec![
        person("Write about tea."),
        message(json!({ "role": "assistant", "content": [call], "stopReason": "tool_calls" })),
        message(json!({ "role": "toolResult", "toolCallId": "1", "toolName": "x", "isError": false,
            "content": { "found": [1, 2, 3] } })),
    ];
    let estimate = estimate("You write.", &tools, &messages, 0);
    assert!(!estimate.counted);
    assert!(estimate.fixed > estimate_tools(&tools));
    assert_eq!(estimate.used, estimate.fixed + estimate_messages(&messages));
}

#[test]
fn content_that_is_not_sent_is_not_counted() {
    for unseen in [
        json!({ "role": "customNote", "text": "Only for the app." }),
        json!({ "role": "assistant", "content": [{ "type": "text", "text": "Half a" }], "stopReason": "aborted" }),
    ] {
        assert_eq!(estimate_message(&message(unseen)), 0);
    }
}

#[test]
fn usage_before_a_summary_is_ignored() {
    let summary = Message::Summary { content: "They wrote about tea.".into(), skills: Vec::new() };
    let mut messages = vec![summary, counted(answer("b"), 90_000, 70), person("c")];
    assert_eq!(since_of(&messages), 3);
    assert!(estimate("", &[], &messages, since_of(&messages)).used < 100);
    messages.push(counted(answer("d"), 800, 20));
    assert_eq!(estimate("", &[], &messages, 3).used, 820);
    assert_eq!(since_of(&messages[1..]), 0);
}

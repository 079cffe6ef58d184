//! Chunks that are only skimmed say what they would say if they were parsed.

use crate::decoding::decode;
use crate::random::Random;
use crate::recorded::cases;
use copydesk_llm::Error;
use copydesk_llm::{AssistantMessage, Delta};

/// Returns the stream with an unknown member in each event, which disables the fast path.
fn strange(body: &str) -> String {
    body.replace("data: {", "data: {\"strange\":{},")
}

fn read(body: &str) -> (Result<AssistantMessage, Error>, String) {
    // Event by event, so that the same parts are joined.
    let (answer, deltas) = decode(body.split_inclusive("\n\n").map(str::as_bytes));
    (answer, said(&deltas))
}

fn said(deltas: &[Delta]) -> String {
    deltas.iter().map(|delta| format!("{delta:?}\n")).collect()
}

#[test]
fn the_fast_path_decodes_recorded_streams_like_the_parser() {
    for case in cases() {
        let body = case["body"].as_str().unwrap();
        assert_eq!(read(body), read(&strange(body)), "{}", case["id"]);
    }
}

#[test]
fn the_fast_path_decodes_random_chunks_like_the_parser() {
    let mut random = Random::new();
    let (mut good, mut bad) = (0, 0);
    for _ in 0..4000 {
        let mut body = String::from("data: {\"id\":\"x\",\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\n\n");
        for _ in 0..1 + random.below(4) {
            body += &format!("data: {}\n\n", chunk(&mut random));
        }
        if random.below(4) > 0 {
            body += "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
        }
        let (skimmed, parsed) = (read(&body), read(&strange(&body)));
        match (&skimmed.0, &parsed.0) {
            // The message states the column.
            (Err(Error::MalformedStream { .. }), Err(Error::MalformedStream { .. })) => {
                assert_eq!(skimmed.1, parsed.1, "{body}");
                bad += 1;
            }
            _ => {
                assert_eq!(skimmed, parsed, "{body}");
                good += 1;
            }
        }
    }
    assert!(good > 500 && bad > 500, "{good} good, {bad} bad");
}

/// Of duplicate members the last one counts, also if one of the two is null.
#[test]
fn the_fast_path_decodes_duplicate_members_like_the_parser() {
    let call = |inside: &str| format!(r#""tool_calls":[{{"index":0,{inside}}}]"#);
    let (tea, none) = (r#""content":"tea""#, r#""content":null"#);
    let called = call(r#""function":{"arguments":"{"}"#);
    let deltas = [
        format!("{tea},{none}"),
        format!("{none},{tea}"),
        format!(r#"{tea},"content":"""#),
        format!(r#"{called},"tool_calls":null"#),
        format!(r#"{called},"tool_calls":[]"#),
        format!(r#"{called},"tool_calls":[{{}}]"#),
        format!(r#""tool_calls":"",{called}"#),
        call(r#""function":{"arguments":"{","arguments":null}"#),
        call(r#""function":{"arguments":null,"arguments":"{"}"#),
        call(r#""function":{"arguments":"{"},"function":{}"#),
        call(r#""function":{"arguments":"{"},"index":1,"index":0"#),
    ];
    let mut chunks: Vec<String> =
        deltas.iter().map(|delta| format!(r#"{{"choices":[{{"delta":{{{delta}}}}}]}}"#)).collect();
    let choices = format!(r#""choices":[{{"delta":{{{tea}}}}}]"#);
    for twice in [r#""choices":[]"#, r#""choices":null"#, r#""choices":[{}]"#, r#""choices":[{"delta":{}}]"#] {
        chunks.push(format!("{{{choices},{twice}}}"));
        chunks.push(format!("{{{twice},{choices}}}"));
    }
    chunks.push(format!(r#"{{"choices":[{{"delta":{{{tea}}},"delta":{{}}}}]}}"#));
    chunks.push(format!(r#"{{"choices":[{{"delta":{{{tea}}},"delta":null}}]}}"#));
    chunks.push(format!(r#"{{"id":"x","id":null,{choices}}}"#));
    for chunk in chunks {
        let begun = r#"{"id":"x","choices":[{"delta":{"role":"assistant","content":"I "}}]}"#;
        let asked = format!(r#"{{"choices":[{{"delta":{{{called}}}}}]}}"#);
        for first in [begun, &asked] {
            let body = format!("data: {first}\n\ndata: {chunk}\n\ndata: [DONE]\n\n");
            assert_eq!(read(&body), read(&strange(&body)), "{chunk}");
        }
    }
}

/// A chunk, mostly as servers send them; some are odd and some are wrong.
fn chunk(random: &mut Random) -> String {
    let mut pick = |of: &[&str]| of[if random.below(3) > 0 { 0 } else { random.below(of.len()) }].to_owned();
    let text = [
        "\"tea\"",
        "\"\"",
        "null",
        "\"a\\n\\\"b\\\\\"",
        "\"\\u8336\\ud83c\\udf75\"",
        "\"\\ud83c\"",
        "\"\\udf75\"",
        "\"茶🍵\"",
        "7",
        "[{\"type\":\"text\",\"text\":\"part\"}]",
        "\"tab\there\"",
        "\"\\q\"",
        "\"open",
        "{}",
        "\"\u{10F83C}\"",
    ];
    let rest = [
        "",
        "",
        ",\"reasoning\":\"why\"",
        ",\"refusal\":null",
        ",\"refusal\":\"no\"",
        ",\"content\":\"twice\"",
        ",\"content\":null",
        ",\"role\":\"assistant\"",
    ];
    let arguments = ["\"{\\\"a\\\":\"", "\"1}\"", "\"\"", "null", "{\"a\":1}", "7", "\"\\ud83c\""];
    let call = format!(
        "{{\"index\":{},\"id\":{},\"type\":\"function\",\"function\":{{{}\"arguments\":{}}}{}}}",
        pick(&["0", "1", "01", "0.5", "-1", "null", "\"0\"", "99999999999999999999"]),
        pick(&["null", "\"\"", "\"call_1\""]),
        pick(&["", "\"name\":null,", "\"name\":\"search_web\",", "\"arguments\":\"{\","]),
        pick(&arguments),
        pick(&["", ",\"index\":1", ",\"extra_content\":{\"google\":{\"thought_signature\":\"s\"}}"]),
    );
    let calls = [
        String::new(),
        format!(",\"tool_calls\":[{call}]"),
        format!(",\"tool_calls\":[{call},{call}]"),
        ",\"tool_calls\":[]".into(),
        ",\"tool_calls\":null".into(),
        format!(",\"tool_calls\":[{call}],\"tool_calls\":null"),
    ];
    let calls: Vec<&str> = calls.iter().map(String::as_str).collect();
    let choice = format!(
        "{{\"index\":0,\"delta\":{{\"content\":{}{}{}}},\"logprobs\":{},\"finish_reason\":{}}}",
        pick(&text),
        pick(&rest),
        if pick(&["", "x"]).is_empty() { pick(&calls) } else { calls[1].to_owned() },
        pick(&["null", "{}", "\"\""]),
        pick(&["null", "\"\"", "\"stop\"", "\"length\"", "nul"]),
    );
    let choices = [
        format!("[{choice}]"),
        "[]".into(),
        format!("[{choice},{choice}]"),
        "null".into(),
        format!("[{choice}] ,\n\"choices\": [{choice}]"),
        format!("[{choice}],\"choices\":[]"),
    ];
    let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
    format!(
        "{{{}\"object\":{},\"created\":{},\"choices\":{},\"usage\":{}}}{}",
        pick(&[
            "\"id\":\"x\",",
            "",
            "\"id\":null,",
            "\"id\":\"\",",
            "\"id\":7,",
            "\"error\":null,",
            "\"error\":\"no\","
        ]),
        pick(&["\"chat.completion.chunk\"", "\"error\"", "\"text\"", "null"]),
        pick(&["1750000000", "1.5e9", "01", "-1", "null", "true", "tru"]),
        pick(&choices),
        pick(&["null", "{}", "{\"prompt_tokens\":3}", "\"\""]),
        pick(&["", " ", "}", "{}", " x"]),
    )
}

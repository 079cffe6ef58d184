//! Keys and their forms in texts, whole and in pieces.

use crate::random::Random;
use copydesk_base::host::{Request, percent_encode};
use copydesk_base::secrets::{Redactor, Secrets, url_without_keys};
use copydesk_llm::{Api, Decoder, Delta};
use serde_json::{Value, json};

fn some_key(random: &mut Random) -> String {
    let letters: Vec<char> = "abcXYZ019-_.+/=&<\"\\é茶".chars().collect();
    let length = 8 + random.below(30);
    (0..length).map(|_| *random.pick(&letters)).collect()
}

/// The text in pieces of whole characters.
fn pieces(text: &str, random: &mut Random) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut pieces = Vec::new();
    let mut rest = &characters[..];
    while !rest.is_empty() {
        let (piece, after) = rest.split_at((1 + random.below(6)).min(rest.len()));
        pieces.push(piece.iter().collect());
        rest = after;
    }
    pieces
}

#[test]
fn a_key_is_redacted_however_it_is_split_or_encoded_and_nothing_else_is_lost() {
    let mut random = Random::new();
    for _ in 0..2_000 {
        let secrets = Secrets::default();
        let mut keys: Vec<String> = (0..1 + random.below(3)).map(|_| some_key(&mut random)).collect();
        // One may be the beginning of another, or repeat its own beginning.
        keys.push(format!("{}{}", keys[0], random.pick(&["", "x", "longer"])));
        keys.push(keys[0][..keys[0].char_indices().nth(5).unwrap().0].repeat(3));
        keys.iter().for_each(|key| secrets.add(key));
        let mut text = String::new();
        let mut between = Vec::new();
        for _ in 0..random.below(6) {
            let key = random.pick(&keys).clone();
            let json = |text: &str| Value::from(text).to_string().trim_matches('"').to_owned();
            let form = match random.below(5) {
                0 => percent_encode(&key),
                1 => json(&key),
                2 => json(&json(&key)),
                // The beginning of a key is not a key.
                3 => key.chars().take(3).collect(),
                _ => key.clone(),
            };
            let said = format!(" says {} ", between.len());
            text += &format!("{said}{form}");
            between.push(said);
        }
        let mut redactor = Redactor::new(&secrets);
        let mut given: String = pieces(&text, &mut random).iter().map(|piece| redactor.push(piece)).collect();
        given += &redactor.finish();
        for seen in [&given, &secrets.redact(&text)] {
            for key in keys.iter().filter(|key| key.len() >= 8) {
                assert!(!seen.contains(key.as_str()), "{key} in {seen} of {text}");
            }
            let mut rest = seen.as_str();
            for said in &between {
                let at = rest.find(said.as_str()).unwrap_or_else(|| panic!("{said:?} is lost: {seen} of {text}"));
                rest = &rest[at + said.len()..];
            }
        }
        // A text without keys is unchanged.
        let plain: String = between.concat();
        let mut redactor = Redactor::new(&secrets);
        let mut given: String = pieces(&plain, &mut random).iter().map(|piece| redactor.push(piece)).collect();
        given += &redactor.finish();
        assert_eq!(given, plain);
    }
}

#[test]
fn short_values_are_not_redacted() {
    for word in ["x", "none", "ollama", "-", ""] {
        assert!(Secrets::of(word).is_empty(), "{word}");
        assert_eq!(Secrets::of(word).redact("ollama has none - x"), "ollama has none - x");
    }
    let secrets = Secrets::default();
    for (name, value) in [
        ("x-environment", "production"),
        ("x-title", "My application"),
        ("HTTP-Referer", "https://app.example/editor"),
        ("x-app", "https://app.example/editor"),
        ("content-type", "application/json"),
        ("x-on", "true"),
    ] {
        secrets.add_header(name, value);
    }
    assert!(secrets.is_empty(), "{secrets:?}");
}

#[test]
fn keys_are_found_in_every_part_of_a_request() {
    let request = Request::get("https://me:pass%2Fword@a.example/x?api_key=in%20query9&q=tea".into())
        .with_header("authorization", "Bearer bearer-token".into())
        .with_header("proxy-authorization", "Basic dXNlcm5hbWU6aGlkZGVuLXBhc3M=".into())
        .with_header("x-tenant", "tenant-4711".into())
        .with_header("cookie", "session=abcdefgh".into());
    assert!(request.is_confidential());
    let secrets = Secrets::default();
    secrets.add_request(&request);
    for said in [
        "bearer-token",
        "pass%2Fword",
        "pass/word",
        "in query9",
        "in%20query9",
        "dXNlcm5hbWU6aGlkZGVuLXBhc3M=",
        "hidden-pass",
        "username:hidden-pass",
        "bWU6cGFzcy93b3Jk",
        "tenant-4711",
        "session=abcdefgh",
    ] {
        assert_eq!(secrets.redact(&format!("<{said}>")), "<…>", "{said}");
    }
    assert_eq!(secrets.redact("tea of a.example"), "tea of a.example");
    assert_eq!(url_without_keys(&request.url), "https://a.example/x?api_key=&q=tea");
    assert!(!Request::get("https://en.wikipedia.org/w/api.php?q=tea".into()).is_confidential());
    assert!(Request::post_json("https://a.example".into(), &json!({})).is_confidential(), "it may hold the document");
}

#[test]
fn a_tool_name_in_several_chunks_is_redacted() {
    let key = "sk-secret-of-a-tool";
    for at in 1..key.len() {
        let mut decoder = Decoder::new(Api::OpenaiCompletions, "", &Secrets::of(key));
        let mut deltas = Vec::new();
        for name in [&key[..at], &key[at..]] {
            let call = json!({ "index": 0, "function": { "name": name } });
            let event = json!({ "choices": [{ "delta": { "tool_calls": [call] } }] });
            deltas.extend(decoder.push(format!("data: {event}\n\n").as_bytes()).unwrap());
        }
        let finish = json!({ "choices": [{ "delta": {}, "finish_reason": "tool_calls" }] });
        deltas.extend(decoder.push(format!("data: {finish}\n\ndata: [DONE]\n\n").as_bytes()).unwrap());
        deltas.extend(decoder.end().unwrap());
        assert!(matches!(&deltas[..], [Delta::ToolCallStart { name, .. }] if name == "…"), "{deltas:?}");
        assert_eq!(decoder.finish().unwrap().tool_calls[0].name, "…");
    }
}

#[test]
fn partial_arguments_never_contain_the_beginning_of_a_key() {
    let key = "sk-secret-of-arguments";
    let arguments = json!({ "content": format!("<p>{key}</p>"), "title": "ask" }).to_string();
    let mut decoder = Decoder::new(Api::OpenaiCompletions, "", &Secrets::of(key));
    for letter in arguments.chars() {
        let call = json!({ "index": 0, "id": "c", "function": { "name": "note", "arguments": letter.to_string() } });
        let event = json!({ "choices": [{ "delta": { "tool_calls": [call] } }] });
        for delta in decoder.push(format!("data: {event}\n\n").as_bytes()).unwrap() {
            if let Delta::ToolCallArguments { partial, .. } = delta {
                let content = partial.get("content").and_then(Value::as_str).unwrap_or_default();
                assert!("<p>…</p>".starts_with(content), "{content}");
            }
        }
    }
}

//! Keys: a recording contains none.

use super::{record, replace};
use crate::harness::{Answer, calls, chunks, contains_text, page, says, tool};
use crate::random::Random;
use copydesk_agent::tools::app::output;
use copydesk_base::Error;
use copydesk_base::secrets::Secrets;
use copydesk_recording::redact::redact_settings;
use serde_json::{Value, json};
use std::future::ready;
use std::rc::Rc;

/// A key with everything that keys have, and perhaps what has to be escaped in JSON.
fn some_key(random: &mut Random, with_odd: bool) -> String {
    let letters: Vec<char> = "abcXYZ019-_.+/=".chars().collect();
    let odd: Vec<char> = "\"\\é茶 ".chars().collect();
    let mut key = "sk-".to_owned();
    for _ in 0..8 + random.below(40) {
        let from = if with_odd && random.below(12) == 0 { &odd } else { &letters };
        key.push(*random.pick(from));
    }
    key.trim().to_owned()
}

#[test]
fn no_key_is_in_a_recording() {
    let mut random = Random::new();
    for _ in 0..20 {
        // A key in a header has to be ASCII.
        let told = some_key(&mut random, false);
        let (in_url, of_hook) = (some_key(&mut random, true), some_key(&mut random, true));
        let url = |key: &str| copydesk_base::host::percent_encode(key);
        let keys = [told.clone(), in_url.clone(), of_hook.clone()];
        // Servers say back what they were sent, in one piece or in many, and so does the model.
        let echo = |key: &str, random: &mut Random| {
            let body = chunks(&[json!({ "content": format!("Is {key} yours?") })], "stop");
            let pieces = random.split(body.as_bytes(), 7).into_iter().map(<[u8]>::to_vec).collect();
            Answer::Slowly(1, pieces)
        };
        let refused = json!({ "error": { "message": format!("Wrong key: {told} {of_hook}") } }).to_string();
        let answers = vec![
            Answer::Fails(Error::FetchFailed { reason: format!("could not send {of_hook} to ?key={}", url(&in_url)) }),
            page(500, "application/json", &json!({ "key": in_url, "arguments": refused }).to_string()),
            echo(&in_url, &mut random),
            calls(&[
                ("c1", "update_section", replace(&format!("<p>{}</p>", url(&told)))),
                ("c2", "echo", json!({ "k": in_url })),
            ]),
            says("Done."),
            page(401, "application/json", &refused),
        ];
        let options = json!({
            "llmConfig": {
                "model": { "api": "openai-completions", "modelId": "test-model" },
                "streamOptions": {
                    "apiKey": told,
                    "baseUrl": format!("https://me:{}@llm.example/v1?api_key={}&x=1", url(&of_hook), url(&in_url)),
                },
            },
            "services": { "tavily": { "apiKey": of_hook } },
            "maxRetries": 3,
        });
        let recorded = record(answers, options);
        let echoes = recorded.recorder.execute(Rc::new(|arguments, context| {
            (context.progress)(Value::Object(arguments.clone()));
            Box::pin(ready(Ok(output(Value::Object(arguments)))))
        }));
        let spec = json!({ "name": "echo", "description": format!("Says {in_url}"), "parameters": {} });
        recorded.recorder.input("setTools", json!([spec]));
        recorded.harness.agent.set_tools(vec![tool(spec, move |arguments, context| echoes(arguments, context))]);
        recorded.prompt(&format!("My key is {told}, and this one too: {of_hook}"));
        ["Again", "And again", "A last time"].iter().for_each(|text| recorded.prompt(text));
        assert_eq!(recorded.harness.requests().len(), 6, "{:?}", recorded.harness.events());
        let recording = recorded.file();
        let file = recording.to_value();
        assert_eq!(file["settings"]["llmConfig"]["streamOptions"]["apiKey"], "key-left-out");
        for key in &keys {
            // Plain, encoded for URLs, in JSON, and in JSON within a JSON string.
            let escaped = |text: &str| Value::from(text).to_string().trim_matches('"').to_owned();
            for form in [key.clone(), url(key), escaped(key), escaped(&escaped(key))] {
                assert!(!contains_text(&file, &form), "{form}: {file}");
                for (at, request) in recording.requests.iter().enumerate() {
                    let whole: Vec<u8> = request
                        .response
                        .iter()
                        .flat_map(|response| &response.chunks)
                        .flat_map(|chunk| chunk.bytes.clone())
                        .collect();
                    assert!(!String::from_utf8_lossy(&whole).contains(&form), "a key in two pieces");
                    let body = recording.body_of(at).unwrap();
                    assert!(!body.contains(&form), "a key in a body that is told by another");
                }
            }
        }
    }
}

#[test]
fn a_run_with_a_repeated_key_can_be_replayed() {
    let answers = vec![page(401, "application/json", r#"{"error":{"message":"Wrong key: sk-secret"}}"#), says("Done.")];
    let recorded = record(answers, json!({}));
    recorded.prompt("My key is sk-secret, is it not?");
    recorded.prompt("And now?");
    recorded.plays_the_same();
}

#[test]
fn header_names_are_recorded_and_only_harmless_values() {
    let recorded = record(vec![says("Hello.")], json!({}));
    recorded.prompt("Hi");
    let headers = recorded.file().to_value()["requests"][0]["headers"].clone();
    assert_eq!(headers, json!({ "content-type": "application/json", "authorization": null }));
}

#[test]
fn headers_of_the_app_are_left_out_and_one_that_cannot_be_sent_is_refused_again() {
    for (headers, left) in [
        (json!({ "x-team": "writers" }), json!({})),
        (json!({ "x-team": "writers", "Content-Type": "text/plain" }), json!({ "Content-Type": "text/plain" })),
        (json!({ "x-team": "schlüssel" }), json!({ "key left out": "" })),
        (json!({ "x team": "writers", "accept": "*/*" }), json!({ "accept": "*/*", "key left out": "" })),
    ] {
        let mut settings = json!({ "streamOptions": { "headers": headers } });
        redact_settings(&Secrets::default(), &mut settings);
        assert_eq!(settings["streamOptions"]["headers"], left, "{headers}");
    }
}

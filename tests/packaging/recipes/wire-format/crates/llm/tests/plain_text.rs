//! The wire format of the recipe: its request, and an answer in it.

#![allow(clippy::unwrap_used)]

use copydesk_base::secrets::Secrets;
use copydesk_llm::{Api, Decoder, LlmConfig};
use serde_json::json;

#[test]
fn an_answer_is_read_and_has_its_own_url() {
    let config: LlmConfig = serde_json::from_value(json!({
        "model": { "api": "plain-text", "modelId": "m" },
        "streamOptions": { "baseUrl": "https://model.example/v1" },
    }))
    .unwrap();
    assert_eq!(config.url(), "https://model.example/v1/write");
    let mut decoder = Decoder::new(Api::PlainText, "text/event-stream", &Secrets::default());
    decoder.push(b"data: {\"text\":\"Warm \"}\n\ndata: {\"text\":\"tea.\"}\n\ndata: {\"end\":true}\n\n").unwrap();
    decoder.end().unwrap();
    assert_eq!(decoder.finish().unwrap().text(), "Warm tea.");
}

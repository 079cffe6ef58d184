//! The `plain-text` wire format: `POST {base}/write`, answered by events `{"text"}` and one `{"end": true}`.

use super::definition::{Format, bearer, endpoint};
use crate::partial_answer::{EventReader, Kind, PartialAnswer, TextId};
use crate::{Ending, Error, LlmConfig, Prompt};
use serde_json::{Map, Value, json};

pub(super) struct PlainText;

impl Format for PlainText {
    fn endpoint(&self, config: &LlmConfig) -> String {
        endpoint(&config.stream_options.base_url, "/write")
    }

    fn headers(&self, config: &LlmConfig) -> Vec<(&'static str, String)> {
        bearer(config)
    }

    fn body(&self, config: &LlmConfig, prompt: Prompt<'_>) -> Map<String, Value> {
        let mut body = Map::new();
        body.insert("model".into(), json!(config.model.model_id));
        body.insert("messages".into(), json!(prompt.messages.len()));
        body
    }

    fn reader(&self) -> Box<dyn EventReader> {
        Box::new(Reader)
    }
}

struct Reader;

impl EventReader for Reader {
    fn read(&mut self, value: &Value, _event: &str, partial: &mut PartialAnswer) -> Result<(), Error> {
        partial.answered = true;
        if let Some(text) = value["text"].as_str() {
            partial.push_text(Kind::Text, TextId::Last, text)?;
        }
        if value["end"] == true {
            partial.set_finish("end", Ending::Done);
        }
        Ok(())
    }

    fn requires_finish(&self) -> bool {
        true
    }
}

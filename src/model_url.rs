//! The URL of a model, for routes that limit the servers of their clients.

use super::parts::later;
use super::value::{self, decode, throw};
use copydesk_base::locale::Locale;
use copydesk_llm::LlmConfig;
use wasm_bindgen::prelude::*;

/// Returns the URL that requests with these settings are sent to. Throws `config` for settings that an agent refuses.
#[wasm_bindgen(js_name = modelUrl)]
pub fn model_url(config: JsValue, locale: &str) -> Result<String, JsValue> {
    url_of(config, locale)
}

later! {
    "12"
    /// See [`model_url`].
    fn url_of(config: JsValue, locale: &str) -> Result<String, JsValue> {
        let url = || {
            let config: LlmConfig = decode("llmConfig", &value::json("llmConfig", &config)?)?;
            config.check()?;
            Ok::<_, copydesk_agent::Error>(config.url())
        };
        url().map_err(|error| throw(&error, Locale::from_tag(locale)))
    }
}

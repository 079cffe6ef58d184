//! Wire formats: one folder for each, and the list of all of them.
//!
//! A folder defines its [`Format`]: endpoint, headers, body, and the reader of the answer's events. To add a format,
//! write its folder, add it to [`Api`], and to [`of`]; nothing else matches on formats.

mod anthropic_messages;
mod definition;
mod google_generative_ai;
mod openai_completions;
mod openai_effort;
mod openai_responses;

use crate::partial_answer::EventReader;
use crate::{Api, LlmConfig, Prompt};
use copydesk_base::host::Request;
use definition::Format;

/// Returns the definition of a format.
fn of(api: Api) -> &'static dyn Format {
    match api {
        Api::OpenaiCompletions => &openai_completions::OpenaiCompletions,
        Api::AnthropicMessages => &anthropic_messages::AnthropicMessages,
        Api::OpenaiResponses => &openai_responses::OpenaiResponses,
        Api::GoogleGenerativeAi => &google_generative_ai::GoogleGenerativeAi,
    }
}

impl LlmConfig {
    /// Returns the URL that requests are sent to: the base URL with the path of the format, which may contain the id of
    /// the model.
    pub fn url(&self) -> String {
        of(self.model.api).endpoint(self)
    }
}

/// Returns the request that asks a model to continue a conversation.
pub(crate) fn request(config: &LlmConfig, prompt: Prompt<'_>) -> Request {
    let format = of(config.model.api);
    let mut body = format.body(config, prompt);
    config.stream_options.body.merge_into(&mut body);
    let request = Request::post_json(config.url(), &body.into());
    format.headers(config).into_iter().fold(request, |request, (name, value)| request.with_header(name, value))
}

/// Creates the reader of an answer.
pub(crate) fn reader(api: Api) -> Box<dyn EventReader> {
    of(api).reader()
}

//! Calls that a model wrote as text. They do not run unless the server is declared to need it: text of a document may
//! look like a call.

use super::event::EventKind;
use super::run::Run;
use crate::messages;
use copydesk_base::host::origin_of;
use copydesk_base::locale::Locale;
use copydesk_llm::{AssistantMessage, Message};

impl Run<'_> {
    /// Tells the user and the model, once in a run, that calls in the text of an answer did not run. Returns whether
    /// the model was told.
    pub(super) fn tell_text_calls(&self, answer: &AssistantMessage) -> bool {
        if answer.text_calls.is_empty() || self.told_text_calls.replace(true) {
            return false;
        }
        let options = self.options();
        let locale = options.locale;
        let tools = answer.text_calls.join(", ");
        let origin = origin_of(&options.llm_config.stream_options.base_url);
        let setting = server_setting(&origin, locale);
        let message = messages::TextCall { tools: &tools, origin: &origin, setting: &setting }.text(locale);
        self.agent.emit(EventKind::Notice { code: "text_tool_call".into(), message });
        let content = messages::TextCallNote { tools: &tools }.text(locale);
        // Not the user's own words, so URLs in it do not become known.
        self.agent.push(Message::Note { content });
        true
    }
}

/// Returns the setting with which a server reads the calls of its models.
fn server_setting(origin: &str, locale: Locale) -> &'static str {
    let on = |port: &str| origin.trim_end_matches('/').ends_with(port);
    // https://docs.ollama.com/capabilities/tool-calling, https://lmstudio.ai/docs/developer/openai-compat/tools,
    // https://docs.vllm.ai/en/stable/features/tool_calling, llama.cpp's docs/function-calling.md
    if on(":11434") {
        messages::PARSER_OLLAMA.text(locale)
    } else if on(":1234") {
        messages::PARSER_LM_STUDIO.text(locale)
    } else if on(":8000") {
        messages::PARSER_VLLM.text(locale)
    } else if on(":8080") {
        messages::PARSER_LLAMA.text(locale)
    } else {
        messages::PARSER_OTHER.text(locale)
    }
}

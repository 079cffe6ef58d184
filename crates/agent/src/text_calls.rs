//! Calls that a model wrote as text. They do not run unless the server is declared to need it: text of a document may
//! look like a call.

use super::event::EventKind;
use super::run::Run;
use copydesk_base::host::origin_of;
use copydesk_base::locale::Locale;
use copydesk_llm::{AssistantMessage, Message};

impl Run<'_> {
    /// Tells the user and the model, once in a run, that calls in the text of an answer did not run. Returns whether the
    /// model was told.
    pub(super) fn tell_text_calls(&self, answer: &AssistantMessage) -> bool {
        if answer.text_calls.is_empty() || self.told_text_calls.replace(true) {
            return false;
        }
        let options = self.options();
        let locale = options.locale;
        let tools = answer.text_calls.join(", ");
        let origin = origin_of(&options.llm_config.stream_options.base_url);
        let setting = server_setting(&origin, locale);
        let message = locale.pick(
            format!(
                "The model wrote a call ({tools}) as text, so it did not run: {origin} does not read the calls of this \
                 model. {setting} Or set model.compat.textToolCalls to run such calls."
            ),
            format!(
                "模型把调用（{tools}）写成了文字，因此没有执行：{origin} 没有解析该模型的工具调用。{setting}\
                 也可以设置 model.compat.textToolCalls 来执行这类调用。"
            ),
        );
        self.agent.emit(EventKind::Notice { code: "text_tool_call".into(), message });
        let content = locale.pick(
            format!(
                "[Calls] Your answer had a call ({tools}) written as text. It did not run, and nothing was changed. Use the \
                 tool calls of the interface instead of text. If that is not possible, answer in words."
            ),
            format!(
                "[调用] 你的回答把调用（{tools}）写成了文字，它没有执行，也没有任何改动。\
                 请使用接口的工具调用，不要写成文字；如果做不到，请直接用文字回答。"
            ),
        );
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
        locale.pick(
            "Use a model that Ollama lists under \"tools\", or add tools to the TEMPLATE of its Modelfile.",
            "请换用 Ollama 标有“tools”的模型，或在 Modelfile 的 TEMPLATE 中加入工具。",
        )
    } else if on(":1234") {
        locale.pick("Use a model that LM Studio marks for tool use.", "请换用 LM Studio 标有工具调用能力的模型。")
    } else if on(":8000") {
        locale.pick(
            "Start vLLM with --enable-auto-tool-choice and the --tool-call-parser of this model.",
            "请在启动 vLLM 时加上 --enable-auto-tool-choice 和适合该模型的 --tool-call-parser。",
        )
    } else if on(":8080") {
        locale.pick("Start llama.cpp's server with --jinja.", "请在启动 llama.cpp 服务时加上 --jinja。")
    } else {
        locale.pick(
            "Turn on the tool parser of the server: --enable-auto-tool-choice and --tool-call-parser in vLLM, \
             --tool-call-parser in SGLang, --jinja in llama.cpp, a model for tools in Ollama and LM Studio.",
            "请打开服务器的工具解析：vLLM 用 --enable-auto-tool-choice 和 --tool-call-parser，SGLang 用 \
             --tool-call-parser，llama.cpp 用 --jinja，Ollama 和 LM Studio 需选用支持工具的模型。",
        )
    }
}

//! Settings: refused ones, and guessed ones.

use crate::requests::{config, messages, request, sent};
use copydesk_base::ErrorInfo;
use copydesk_base::decode;
use copydesk_base::host::url::parse;
use copydesk_base::secrets::Secrets;
use copydesk_llm::{Api, Decoder, LlmConfig, StreamOptions, ThinkingLevel, ToolSpec};
use serde_json::{Value, json};

#[test]
fn debug_output_contains_no_key() {
    let mut config = config("https://a.b");
    config.stream_options.headers = [("api-key".into(), "very-secret".into())].into();
    let request = request(&config, "", &[], &[]);
    let decoder = Decoder::new(Api::OpenaiCompletions, "", &Secrets::of("sk-very-secret"));
    let printed = format!("{config:?} {request:?} {decoder:?}");
    assert!(printed.contains("gpt-x") && !printed.contains("secret"), "{printed}");
}

#[test]
fn an_invalid_config_is_refused() {
    assert_eq!(config("https://a.b/v1").check(), Ok(()));
    assert_eq!(config("/api/llm").check(), Ok(()));
    let code = |change: &dyn Fn(&mut LlmConfig)| {
        let mut config = config("https://a.b");
        change(&mut config);
        config.check().unwrap_err()
    };
    for (name, error) in [
        ("model.modelId", code(&|config| config.model.model_id = " ".into())),
        ("streamOptions.baseUrl", code(&|config| config.stream_options.base_url = "".into())),
        ("streamOptions.baseUrl", code(&|config| config.stream_options.base_url = "ftp://a.b".into())),
        ("streamOptions.apiKey", code(&|config| config.stream_options.api_key = Some("sk-\nx".into()))),
        ("streamOptions.apiKey", code(&|config| config.stream_options.api_key = Some("钥匙".into()))),
        ("streamOptions.maxTokens", code(&|config| config.stream_options.max_tokens = Some(0))),
        ("streamOptions.headers", code(&|config| config.stream_options.headers = [("a b".into(), "c".into())].into())),
        ("streamOptions.headers", code(&|config| config.stream_options.headers = [("".into(), "c".into())].into())),
        (
            "streamOptions.headers",
            code(&|config| config.stream_options.headers = [("a".into(), "c\r\nd: e".into())].into()),
        ),
        ("streamOptions.temperature", code(&|config| config.stream_options.temperature = Some(f64::NAN))),
    ] {
        assert_eq!(error.code(), "config");
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn an_id_of_a_model_stays_below_the_base_url() {
    let at = |api: Api, id: &str| {
        let mut config = config("https://a.b/tenant/v1beta");
        (config.model.api, config.model.model_id) = (api, id.into());
        config
    };
    let parts = ["..", ".", "%2e%2E", "%252e.", "a", "", "?", "#", "@c.d", "\\", ":1", "/", "\u{202e}", " .. ", "\t"];
    for api in Api::ALL {
        for at_once in 0..parts.len().pow(3) {
            let part = |power: u32| parts[at_once / parts.len().pow(power) % parts.len()];
            let (first, second, third) = (part(0), part(1), part(2));
            for slash in ["/", "\\", "%2f", "%5c"] {
                let config = at(*api, &[first, second, third].join(slash));
                if config.check().is_err() {
                    continue;
                }
                let url = parse(&config.url()).unwrap();
                assert_eq!(url.host, "a.b");
                assert!(url.payload.starts_with("/tenant/v1beta/"), "{first:?} {second:?} {third:?}: {}", url.href);
            }
        }
        for id in ["../../../admin", "..%2f..%2fadmin", "a/../b", "..\\..", "%252e%252e/x", "."] {
            assert_eq!(at(*api, id).check().unwrap_err().code(), "config", "{id}");
        }
        for id in
            ["qwen3:8b", "models/gemini-2.5-flash", "tunedModels/x-1", "a..b", "org/m.v1", "@cf/meta/llama", "m?x"]
        {
            assert_eq!(at(*api, id).check(), Ok(()), "{id}");
        }
    }
}

#[test]
fn an_unknown_setting_is_refused_by_name() {
    let options = |options: Value| decode::from_value::<StreamOptions>(&options);
    for (given, reason) in [
        (json!({}), "baseUrl must be a string"),
        (json!({ "baseUrl": "x", "apiKey": 1 }), "apiKey must be a string"),
        (json!({ "baseUrl": "x", "temperature": "1" }), "temperature must be a number"),
        (json!({ "baseUrl": "x", "timeout": -1 }), "timeout must be a number of milliseconds"),
        (json!({ "baseUrl": "x", "maxTokens": "many" }), "maxTokens must be a whole number"),
        (json!({ "baseUrl": "x", "headers": ["a"] }), "headers must be an object"),
        (json!({ "baseUrl": "x", "headers": { "a": 1 } }), "headers.a must be a string"),
        (json!({ "baseUrl": "x", "body": [] }), "body must be an object"),
    ] {
        assert_eq!(options(given).unwrap_err().to_string(), reason);
    }
    let given = json!({ "baseUrl": "x", "apiKey": null, "temperature": null, "timeout": 1000.0 });
    assert_eq!(options(given).unwrap().timeout, Some(1000));
    let config = |model: Value, level: Value| {
        let mut config =
            json!({ "model": { "api": "openai-completions", "modelId": "m" }, "streamOptions": { "baseUrl": "x" } });
        config["thinkingLevel"] = level;
        for (name, value) in model.as_object().unwrap() {
            config["model"][name] = value.clone();
        }
        decode::from_value::<LlmConfig>(&config).map_err(|error| error.to_string())
    };
    for (model, level, reason) in [
        (json!({ "api": "pigeon" }), json!(null), "model.api must be "),
        (json!({}), json!("much"), "thinkingLevel must be off, minimal, low, medium, high or xhigh"),
        (json!({ "contextWindow": "big" }), json!(null), "model.contextWindow must be a whole number"),
        (json!({ "cost": { "input": 1 } }), json!(null), "model.cost.output must be a number"),
        (json!({ "compat": [] }), json!(null), "model.compat must be an object"),
        (json!({ "compat": { "supportsStore": 1 } }), json!(null), "model.compat.supportsStore must be true or false"),
        (
            json!({ "compat": { "maxTokensField": "n" } }),
            json!(null),
            "model.compat.maxTokensField must be max_tokens or max_comp",
        ),
        (
            json!({ "compat": { "thinkingFormat": "x" } }),
            json!(null),
            "model.compat.thinkingFormat must be openai, openrouter, deepseek, zai, qwen or none",
        ),
    ] {
        let error = config(model, level).unwrap_err();
        assert!(error.starts_with(reason), "{error}");
    }
    let good =
        config(json!({ "contextWindow": 128000.0, "cost": { "input": 1, "output": 2 } }), json!("xhigh")).unwrap();
    assert_eq!((good.model.context_window, good.thinking_level), (Some(128_000), Some(ThinkingLevel::Xhigh)));
}

/// The request without the conversation, with everything set that can be.
fn settings(base: &str, model: &str, compat: Value, level: ThinkingLevel) -> Value {
    let mut config = config(base);
    config.model.model_id = model.into();
    config.model.compat = decode::from_value(&compat).unwrap();
    config.stream_options.temperature = None;
    config.stream_options.max_tokens = Some(900);
    config.thinking_level = Some(level);
    let mut sent = sent(&request(&config, "", &[], &[]));
    for known in ["model", "messages", "stream"] {
        sent.as_object_mut().unwrap().remove(known);
    }
    sent
}

#[test]
fn a_server_is_recognized_by_its_url() {
    let usage = json!({ "include_usage": true });
    let high = ThinkingLevel::High;
    for (base, model, level, expected) in [
        (
            "https://api.openai.com/v1",
            "gpt-5",
            high,
            json!({ "store": false, "max_completion_tokens": 900, "reasoning_effort": "high" }),
        ),
        (
            "https://api.openai.com/v1",
            "gpt-5",
            ThinkingLevel::Off,
            json!({ "store": false, "max_completion_tokens": 900 }),
        ),
        (
            "https://api.openai.com/v1",
            "gpt-5.2",
            ThinkingLevel::Off,
            json!({ "store": false, "max_completion_tokens": 900, "reasoning_effort": "none" }),
        ),
        ("https://openrouter.ai/api/v1", "x/y", high, json!({ "max_tokens": 900, "reasoning": { "effort": "high" } })),
        (
            "https://openrouter.ai/api/v1",
            "x/y",
            ThinkingLevel::Off,
            json!({ "max_tokens": 900, "reasoning": { "effort": "none" } }),
        ),
        (
            "https://api.deepseek.com",
            "deepseek-v4",
            high,
            json!({ "max_tokens": 900, "thinking": { "type": "enabled" }, "reasoning_effort": "high" }),
        ),
        (
            "https://api.deepseek.com",
            "deepseek-v4",
            ThinkingLevel::Off,
            json!({ "max_tokens": 900, "thinking": { "type": "disabled" } }),
        ),
        (
            "https://api.z.ai/api/paas/v4",
            "glm-5",
            high,
            json!({ "max_tokens": 900, "thinking": { "type": "enabled" } }),
        ),
        (
            "https://api.moonshot.ai/v1",
            "kimi-k3",
            ThinkingLevel::Off,
            json!({ "max_tokens": 900, "thinking": { "type": "disabled" } }),
        ),
        (
            "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
            "qwen3",
            high,
            json!({ "max_tokens": 900, "enable_thinking": true }),
        ),
        ("https://api.mistral.ai/v1", "magistral", high, json!({ "max_tokens": 900 })),
        ("http://localhost:11434/v1", "qwen3", high, json!({ "max_tokens": 900, "reasoning_effort": "high" })),
        (
            "http://localhost:11434/v1",
            "qwen3",
            ThinkingLevel::Xhigh,
            json!({ "max_tokens": 900, "reasoning_effort": "high" }),
        ),
        (
            "http://localhost:11434/v1",
            "qwen3",
            ThinkingLevel::Minimal,
            json!({ "max_tokens": 900, "reasoning_effort": "low" }),
        ),
    ] {
        let mut expected = expected;
        expected["stream_options"] = usage.clone();
        assert_eq!(settings(base, model, json!({}), level), expected, "{base} {level:?}");
    }
}

#[test]
fn settings_take_precedence_over_recognized_servers() {
    let compat = json!({
        "maxTokensField": "max_completion_tokens",
        "thinkingFormat": "qwen",
        "supportsUsageInStreaming": false,
        "supportsStore": true,
    });
    assert_eq!(
        settings("https://openrouter.ai/api/v1", "x/y", compat, ThinkingLevel::Low),
        json!({ "store": false, "max_completion_tokens": 900, "enable_thinking": true })
    );
    let none = json!({ "thinkingFormat": "none" });
    let sent = settings("https://a.b", "m", none, ThinkingLevel::High);
    assert_eq!(sent, json!({ "max_tokens": 900, "stream_options": { "include_usage": true } }));
}

#[test]
fn compat_settings_change_the_request() {
    let mut config = config("https://a.b");
    config.model.compat = decode::from_value(&json!({
        "supportsDeveloperRole": true,
        "thinkingField": "thoughts",
        "requiresToolResultName": true,
        "requiresShortToolIds": true,
    }))
    .unwrap();
    let call = json!({ "type": "toolCall", "id": "call_1_x9", "name": "read", "arguments": {} });
    let conversation = messages(json!([
        { "role": "assistant", "content": [{ "type": "thinking", "thinking": "hm" }, call], "stopReason": "stop" },
        { "role": "toolResult", "toolCallId": "call_1_x9", "toolName": "read", "content": "1", "isError": false },
    ]));
    let wire = sent(&request(&config, "Be brief.", &conversation, &[]))["messages"].clone();
    assert_eq!(
        (&wire[0]["role"], &wire[1]["thoughts"], &wire[2]["name"]),
        (&json!("developer"), &json!("hm"), &json!("read"))
    );
    let id = wire[2]["tool_call_id"].as_str().unwrap();
    assert!(id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{id}");
    assert_eq!(wire[1]["tool_calls"][0]["id"], id);
}

#[test]
fn custom_headers_take_precedence() {
    let mut config = config("https://a.b");
    let owned = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    config.stream_options.headers = [owned("X-Title", "Tea"), owned("Authorization", "Basic x")].into();
    assert_eq!(
        request(&config, "", &[], &[]).headers,
        [owned("content-type", "application/json"), owned("x-title", "Tea"), owned("authorization", "Basic x")]
    );
}

/// Requests of two conversations with different models.
fn two_bodies(api: Api, body: Value) -> [Value; 2] {
    let tool = |name: &str| ToolSpec { name: name.into(), description: name.into(), parameters: json!({}) };
    ["one", "two"].map(|name| {
        let config = json!({
            "model": { "api": api.name(), "modelId": name },
            "streamOptions": { "baseUrl": "https://a.b", "body": body, "maxTokens": 900, "temperature": 0.5 },
            "thinkingLevel": "off",
        });
        let config: LlmConfig = decode::from_value(&config).unwrap();
        sent(&request(&config, name, &messages(json!([{ "role": "user", "content": name }])), &[tool(name)]))
    })
}

#[test]
fn fields_are_merged_into_the_body_of_every_format() {
    let body = json!({
        "tool_choice": "required", "seed": 7, "options": { "num_ctx": 8192 }, "temperature": null, "none": null,
        "generationConfig": { "seed": 7, "temperature": 0.1 }, "nested": { "a": { "b": null, "c": [null] } },
    });
    for api in Api::ALL {
        let [plain, _] = two_bodies(*api, json!({}));
        let [merged, _] = two_bodies(*api, body.clone());
        let mut expected = plain.clone();
        let fields = expected.as_object_mut().unwrap();
        fields.remove("temperature");
        fields.extend([("tool_choice".into(), json!("required")), ("seed".into(), json!(7))]);
        fields.insert("options".into(), json!({ "num_ctx": 8192 }));
        fields.insert("nested".into(), json!({ "a": { "c": [null] } }));
        let own = fields.entry("generationConfig").or_insert(json!({}));
        (own["seed"], own["temperature"]) = (json!(7), json!(0.1));
        assert_eq!(merged, expected, "{api:?}");
    }
}

#[test]
fn fields_that_depend_on_the_conversation_are_refused_when_they_are_set() {
    for api in Api::ALL {
        let [one, two] = two_bodies(*api, json!({}));
        let differs = |(name, value): (&String, &Value)| (two[name] != *value).then(|| name.clone());
        let computed: Vec<String> = one.as_object().unwrap().iter().filter_map(differs).collect();
        assert!(computed.len() >= 3, "{api:?}: {computed:?}");
        let streams = one.as_object().unwrap().keys().filter(|name| *name == "stream").cloned();
        for name in computed.into_iter().chain(streams).chain(["tools".into()]) {
            let given = json!({ "baseUrl": "x", "body": { &name: null } });
            let error = decode::from_value::<StreamOptions>(&given).unwrap_err();
            assert_eq!(error.path, "body");
            assert!(error.expected.ends_with(&format!("not \"{name}\"")), "{error}");
        }
    }
}

#[test]
fn a_key_in_a_field_of_the_body_is_a_secret() {
    let given = json!({ "baseUrl": "x", "body": { "api_key": "very-secret-1", "tool_choice": "required" } });
    let secrets = Secrets::default();
    decode::from_value::<StreamOptions>(&given).unwrap().add_secrets(&secrets);
    assert!(!secrets.redact("a very-secret-1 b").contains("very-secret-1"));
    assert_eq!(secrets.redact("required"), "required");
}

//! Runs of an agent as JavaScript uses it, in a browser: tools over a `fetch` of the app, hooks, and stopping.

use copydesk::agent::AgentHandle;
use copydesk::document::DocumentHandle;
use js_sys::{Array, Function, JSON, Object, Reflect};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::*;

const TEA: &str = "<h1>Tea</h1><p>About tea.</p><h2>History</h2><p>Old.</p>";

/// The app of a test and what it records. `answers` are the bodies of the model's answers, in turn.
const APP: &str = r#"
  const world = { asked: [], called: [], events: [], hooks: {}, tools: {} };
  world.fetch = async (url, init) => {
    world.asked.push({ url, method: init.method, headers: init.headers, body: JSON.parse(init.body) });
    const answer = answers.shift();
    if (answer !== null) return new Response(answer, { headers: { "content-type": "text/event-stream" } });
    world.signal = init.signal;
    world.pending?.();
    return new Promise((_, reject) => init.signal.addEventListener("abort", () => reject(init.signal.reason)));
  };
  world.listener = (event) => {
    world.events.push(event);
    world.heard?.(event);
  };
  world.app = {
    has: (name) => name in world.hooks,
    async call(name, given, signal, update) {
      world.called.push({ name, given });
      const call = world.hooks[name] ?? world.tools[name];
      return call(given, signal, update);
    },
    needsApproval: () => false,
    log() {},
    reader: (body) => body.getReader(),
  };
  return world;
"#;

struct World {
    world: JsValue,
    document: DocumentHandle,
}

impl World {
    fn new(answers: &[Option<String>]) -> World {
        let answers: Array =
            answers.iter().map(|answer| answer.as_deref().map_or(JsValue::NULL, JsValue::from)).collect();
        let world = Function::new_with_args("answers", APP).call1(&JsValue::UNDEFINED, &answers).unwrap();
        World { world, document: DocumentHandle::from_html(TEA.into(), "en").ok().unwrap() }
    }

    fn agent(&self) -> AgentHandle {
        let options = json!({
            "llmConfig": {
                "model": { "api": "openai-completions", "modelId": "m" },
                "streamOptions": { "baseUrl": "https://model.example/v1", "apiKey": "key-of-the-test" },
            },
            "maxRetries": 0,
        });
        let get = |name: &str| Reflect::get(&self.world, &name.into()).unwrap();
        let function = |name: &str| get(name).unchecked_into::<Function>();
        let app = get("app").unchecked_into();
        let fetch = Some(function("fetch"));
        AgentHandle::new(&self.document, object(&options), fetch, app, function("listener"), false).ok().unwrap()
    }

    /// Runs statements with `world`.
    fn run(&self, statements: &str) -> JsValue {
        Function::new_with_args("world", statements).call1(&JsValue::UNDEFINED, &self.world).unwrap()
    }

    /// Evaluates an expression with `world`.
    fn see(&self, expression: &str) -> Value {
        seen(&self.run(&format!("return {expression}")))
    }

    fn types(&self) -> Vec<String> {
        serde_json::from_value(self.see("world.events.map(({ type }) => type)")).unwrap()
    }
}

fn object(value: &Value) -> JsValue {
    JSON::parse(&value.to_string()).unwrap()
}

fn seen(value: &JsValue) -> Value {
    let json = JSON::stringify(value).unwrap().as_string();
    json.map_or(Value::Null, |json| serde_json::from_str(&json).unwrap())
}

async fn prompted(agent: &AgentHandle) -> Value {
    let message = object(&json!([{ "role": "user", "content": "Go" }]));
    let result = JsFuture::from(agent.prompt(message, JsValue::UNDEFINED)).await.unwrap();
    assert!(result.is_instance_of::<Object>());
    seen(&result)
}

fn answer(delta: &Value, finish: &str) -> Option<String> {
    let event = |choice: Value| format!("data: {}\n\n", json!({ "choices": [choice] }));
    let delta = event(json!({ "index": 0, "delta": delta, "finish_reason": null }));
    Some(delta + &event(json!({ "index": 0, "delta": {}, "finish_reason": finish })) + "data: [DONE]\n\n")
}

fn says(text: &str) -> Option<String> {
    answer(&json!({ "content": text }), "stop")
}

fn calls(name: &str, arguments: Value) -> Option<String> {
    let function = json!({ "name": name, "arguments": arguments.to_string() });
    answer(&json!({ "tool_calls": [{ "index": 0, "id": "c1", "function": function }] }), "tool_calls")
}

#[wasm_bindgen_test]
async fn a_run_reads_and_edits_the_document_by_tools() {
    let read = calls("read_lines", json!({}));
    let update = json!({ "operation": "append", "title": "Now", "content": "<p>Today.</p>" });
    let edit = calls("update_section", update);
    let world = World::new(&[read, edit, says("Done.")]);
    let agent = world.agent();
    let result = prompted(&agent).await;
    assert_eq!((&result["status"], &result["text"]), (&json!("complete"), &json!("Done.")), "{result}");
    assert_eq!(world.document.to_html().unwrap(), format!("{TEA}<h2>Now</h2><p>Today.</p>"));
    let events = world.types();
    for (expected, count) in
        [("agent_start", 1), ("tool_use", 2), ("tool_result", 2), ("doc_update", 1), ("complete", 1)]
    {
        assert_eq!(events.iter().filter(|event| *event == expected).count(), count, "{events:?}");
    }
    let seqs: Vec<u64> = serde_json::from_value(world.see("world.events.map(({ seq }) => seq)")).unwrap();
    assert!(seqs.windows(2).all(|pair| pair[1] == pair[0] + 1), "{seqs:?}");
    assert_eq!(world.see("world.asked.length"), 3);
    assert_eq!(world.see("world.asked[0].headers.authorization"), "Bearer key-of-the-test");
    assert_eq!(world.see("world.asked[0].url"), "https://model.example/v1/chat/completions");
    // With the document as the requests show it.
    assert_eq!(seen(&agent.messages().unwrap()).as_array().map(Vec::len), Some(7));
    assert_eq!(seen(&agent.state().unwrap())["isStreaming"], false);
}

#[wasm_bindgen_test]
async fn a_tool_of_the_app_is_given_its_arguments_and_reports() {
    let world = World::new(&[calls("weather", json!({ "city": "Bergen", "days": 3 })), says("Rain.")]);
    world.run(
        "world.tools.weather = async ({ id, args }, signal, update) => { \
           update({ at: 'sea' }); return { text: `${id} ${args.city} ${args.days}`, gone: undefined, run() {} } }",
    );
    let agent = world.agent();
    let parameters = json!({ "type": "object", "properties": { "city": { "type": "string" } } });
    let tool = json!({ "name": "weather", "description": "Weather.", "parameters": parameters });
    agent.set_tools(object(&json!([tool]))).unwrap();
    assert_eq!(prompted(&agent).await["status"], "complete");
    assert_eq!(world.see("world.events.find(({ type }) => type === 'tool_update').partial"), json!({ "at": "sea" }));
    let result = world.see("world.events.find(({ type }) => type === 'tool_result')");
    assert_eq!((&result["content"], &result["isError"]), (&json!({ "text": "c1 Bergen 3" }), &json!(false)));
}

#[wasm_bindgen_test]
async fn a_tool_that_throws_or_gives_no_data_fails_its_call_alone() {
    for body in ["throw new Error('closed')", "const circle = {}; circle.circle = circle; return circle", "return 1n"] {
        let world = World::new(&[calls("weather", json!({})), says("No answer.")]);
        world.run(&format!("world.tools.weather = () => {{ {body} }}"));
        let agent = world.agent();
        let tool = json!({ "name": "weather", "description": "Weather.", "parameters": { "type": "object" } });
        agent.set_tools(object(&json!([tool]))).unwrap();
        assert_eq!(prompted(&agent).await["status"], "complete");
        let error = world.see("world.events.find(({ type }) => type === 'tool_result').content.error.code");
        assert_eq!(error, "tool_failed", "{body}");
    }
}

#[wasm_bindgen_test]
async fn hooks_change_requests_and_block_calls() {
    let world = World::new(&[calls("read_lines", json!({})), says("Blocked.")]);
    world.run(
        "world.hooks.getApiKey = ({ provider }) => `key-of-${provider}`; \
         world.hooks.transformContext = (messages) => [...messages, { role: 'user', content: 'Be brief.' }]; \
         world.hooks.beforeToolCall = async ({ toolCall }) => ({ block: true, reason: `no ${toolCall.name}` })",
    );
    let result = prompted(&world.agent()).await;
    assert_eq!(result["status"], "complete", "{result}");
    assert!(world.see("world.asked[0].headers.authorization").as_str().unwrap().starts_with("Bearer key-of-"));
    let content = world.see("world.asked[0].body.messages.at(-1).content");
    let content = content.as_str().unwrap();
    assert!(content.starts_with("Go\n\n<document>\n") && content.ends_with("</document>\n\nBe brief."), "{content}");
    let error = world.see("world.events.find(({ type }) => type === 'tool_result').content.error");
    assert_eq!(error["code"], "tool_blocked");
    assert!(error["message"].as_str().unwrap().contains("no read_lines"), "{error}");
}

#[wasm_bindgen_test]
async fn a_hook_that_throws_ends_the_run_with_an_error() {
    let world = World::new(&[says("Never.")]);
    world.run("world.hooks.transformContext = () => { throw new TypeError('not now') }");
    let result = prompted(&world.agent()).await;
    assert_eq!((&result["status"], &result["error"]["code"]), (&json!("error"), &json!("hook_failed")));
    assert_eq!(world.see("world.asked.length"), 0);
}

#[wasm_bindgen_test]
async fn stopping_a_run_aborts_its_request_and_its_hooks() {
    let world = World::new(&[None]);
    let agent = world.agent();
    let pending = world.run("return new Promise((resolve) => (world.pending = resolve))");
    let message = object(&json!([{ "role": "user", "content": "Go" }]));
    let run = agent.prompt(message, JsValue::UNDEFINED);
    JsFuture::from(js_sys::Promise::from(pending)).await.unwrap();
    assert_eq!(seen(&agent.state().unwrap())["isStreaming"], true);
    agent.abort();
    let result = seen(&JsFuture::from(run).await.unwrap());
    assert_eq!(result["status"], "aborted");
    assert_eq!(world.see("world.signal.aborted"), true);
    assert_eq!(world.types().last().map(String::as_str), Some("aborted"));

    let world = World::new(&[says("Never.")]);
    let called = world.run(
        "return new Promise((resolve) => (world.hooks.transformContext = (messages, signal) => { \
           world.signal = signal; resolve(); return new Promise(() => {}) }))",
    );
    let agent = world.agent();
    let run = agent.prompt(object(&json!([{ "role": "user", "content": "Go" }])), JsValue::UNDEFINED);
    JsFuture::from(js_sys::Promise::from(called)).await.unwrap();
    agent.abort();
    assert_eq!(seen(&JsFuture::from(run).await.unwrap())["status"], "aborted");
    assert_eq!(world.see("world.signal.aborted"), true);
}

#[wasm_bindgen_test]
async fn a_listener_may_ask_the_agent_while_it_runs() {
    let world = World::new(&[says("Done.")]);
    let agent = JsValue::from(world.agent());
    Reflect::set(&world.world, &"agent".into(), &agent).unwrap();
    world.run("world.heard = ({ type }) => (world.states ??= []).push([type, world.agent.state.isStreaming])");
    let run = world.run("return world.agent.prompt([{ role: 'user', content: 'Go' }])");
    JsFuture::from(js_sys::Promise::from(run)).await.unwrap();
    assert_eq!(world.see("world.states.find(([type]) => type === 'content')[1]"), true);
}

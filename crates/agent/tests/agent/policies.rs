//! Execution policies: what a definition declares, and what holds where it declares nothing.

use super::harness::{Harness, calls, says};
use copydesk_agent::Hook;
use copydesk_agent::tools::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture, ToolKind, ToolOutput};
use copydesk_agent::tools::{all_built_in, built_in};
use copydesk_base::locale::Locale;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// A definition that declares no policy.
#[derive(Deserialize, JsonSchema)]
struct Weather {
    #[serde(default)]
    waits: i64,
}

impl ToolDefinition for Weather {
    const NAME: &'static str = "weather";
    const KIND: ToolKind = ToolKind::Read;

    fn description(_: Locale) -> &'static str {
        "Tell the weather."
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            context.clock.sleep(self.waits as u64).await;
            Ok(ToolOutput { content: json!("Rain."), ..ToolOutput::default() })
        })
    }
}

fn run(arguments: &[Value]) -> Harness {
    let ids = ["a", "b", "c"];
    let asked: Vec<_> = ids.into_iter().zip(arguments).map(|(id, given)| (id, "weather", given.clone())).collect();
    let harness = Harness::new("<p>Tea.</p>", vec![calls(&asked), says("Done.")]);
    harness.agent.set_tools(vec![built_in::<Weather>(Locale::En)]);
    harness.prompt("How is the weather?");
    harness
}

#[test]
fn a_definition_without_a_policy_gets_the_most_careful_one() {
    let policy = built_in::<Weather>(Locale::En).policy;
    assert_eq!(policy, ExecutionPolicy::CAREFUL);
    assert_eq!(policy, ExecutionPolicy::default());
    let ExecutionPolicy { sequential, atomic, timeout, untrusted, external, edits, reads_pages } = policy;
    assert!(sequential && untrusted && external && edits && timeout.is_some());
    assert!(!atomic && !reads_pages);
}

#[test]
fn its_results_are_given_to_the_model_as_data() {
    let harness = run(&[json!({})]);
    let shown = harness.requests()[1]["messages"].as_array().unwrap().last().unwrap()["content"].clone();
    assert!(shown.as_str().unwrap().starts_with("<data source=\"weather\">"), "{shown}");
}

#[test]
fn its_calls_run_sequentially() {
    let harness = run(&[json!({ "waits": 100 }), json!({ "waits": 10 })]);
    assert_eq!(harness.now(), 110.0);
}

#[test]
fn its_calls_have_a_timeout_and_may_have_run() {
    let harness = run(&[json!({ "waits": 100_000 })]);
    assert_eq!(Some(harness.now()), ExecutionPolicy::CAREFUL.timeout.map(|ms| ms as f64));
    let result = harness.event("tool_result");
    assert_eq!(result["content"]["error"]["code"], "timeout");
    assert!(result["content"]["note"].as_str().unwrap().starts_with("It may have taken effect"));
}

#[test]
fn every_built_in_tool_declares_what_it_does() {
    let row = |name: &str, policy: ExecutionPolicy| {
        let ExecutionPolicy { sequential, atomic, timeout, untrusted, external, edits, reads_pages } = policy;
        let writes_files = name.starts_with("write_") || name == "edit_file";
        assert_eq!(sequential && !writes_files, atomic, "{name}: what happens at once is in the order of the answer");
        let flags = [("sequential", sequential), ("untrusted", untrusted), ("external", external), ("edits", edits)];
        let set = flags.into_iter().filter(|(_, set)| *set).map(|(name, _)| name).collect::<Vec<_>>().join(" ");
        format!(
            "{name}: {set}{}{}",
            if timeout.is_some() { " timeout" } else { "" },
            if reads_pages { " pages" } else { "" }
        )
    };
    let rows: Vec<String> = all_built_in(Locale::En).iter().map(|tool| row(&tool.spec.name, tool.policy)).collect();
    assert_eq!(
        rows,
        [
            "get_document: sequential",
            "read_lines: sequential",
            "edit_current_editor_document: sequential edits",
            "replace_text: sequential edits",
            "set_attributes: sequential edits",
            "update_section: sequential edits",
            "insert_image: sequential edits",
            "move_section: sequential edits",
            "read_file: sequential untrusted external timeout",
            "write_file: sequential untrusted external timeout",
            "list_files: sequential untrusted external timeout",
            "write_chapter: sequential untrusted external timeout",
            "edit_file: sequential untrusted external timeout",
            "search_files: sequential untrusted external timeout",
            "search_content: sequential untrusted external timeout",
            "verify_strict_timeline: sequential untrusted external timeout",
            "verify_strict_references: sequential untrusted external timeout",
            "search_web: untrusted external timeout",
            "search_image: untrusted external timeout",
            "activate_skill: sequential external",
            "read_more: untrusted pages",
        ]
    );
}

#[test]
fn calls_that_only_read_the_document_run_together_and_edits_in_their_order() {
    let reads = [("a", "get_document", json!({})), ("b", "read_lines", json!({}))];
    let write = ("c", "update_section", json!({ "operation": "append", "title": "End", "content": "<p>e</p>" }));
    let again = ("d", "get_document", json!({}));
    let [first, second] = reads;
    let world = Harness::new("<p>Tea</p>", vec![calls(&[first, second, write, again]), says("Done.")]);
    world.hook_slowly(Hook::BeforeToolCall, || 100, |_| Ok(json!({})));
    world.prompt("Read and write");
    assert_eq!(world.now(), 300.0);
    let results: Vec<Value> = world.events().into_iter().filter(|event| event["type"] == "tool_result").collect();
    assert_eq!(results[0]["content"]["totalSections"], 1);
    assert_eq!(results[3]["content"]["totalSections"], 2);
}

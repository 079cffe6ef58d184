//! Reading the arguments of a call as they arrive.

use super::{Family, family};
use copydesk_llm::partial_json::PartialObject;

pub fn families() -> Vec<Family> {
    let read = |json: &String| {
        let mut partial = PartialObject::default();
        for end in (0..json.len()).step_by(8).chain([json.len()]) {
            partial.read(&json[..end]);
        }
        partial.object().len()
    };
    vec![
        family(
            "arguments in pieces, one text",
            100_000,
            |n| format!(r#"{{"content":"{}"}}"#, "leaf".repeat(n / 4)),
            read,
        ),
        family(
            "arguments in pieces, many edits",
            1000,
            |n| format!(r#"{{"edits":[{}]}}"#, vec![r#"{"start_line":1,"content":"a \"leaf\""}"#; n].join(",")),
            read,
        ),
    ]
}

//! Answers independent of a format, and the result that an agent must have of each.

use serde_json::{Map, Value, json};

/// Placeholder for the escape of the high surrogate of 😀, `\ud83d`, in the JSON of a format.
pub const HIGH_SURROGATE: char = '\u{E000}';
/// Placeholder for the escape of its low surrogate, `\ude00`.
pub const LOW_SURROGATE: char = '\u{E001}';
/// Two bytes in all texts, thoughts and arguments that a fault may corrupt.
pub const MARK: char = '§';

/// An answer, in chunks.
#[derive(Clone, Default)]
pub struct Shape {
    pub name: &'static str,
    pub thinking: Vec<String>,
    pub text: Vec<String>,
    /// True if the text is a refusal.
    pub refusal: bool,
    pub calls: Vec<Call>,
    pub finish_reason: FinishReason,
    pub usage: Usage,
}

/// A call of the tool `note`.
#[derive(Clone)]
pub struct Call {
    pub id: &'static str,
    /// The JSON text of its arguments.
    pub arguments: Vec<String>,
}

/// The finish reason.
#[derive(Clone, Copy, Default, PartialEq)]
pub enum FinishReason {
    #[default]
    Stop,
    /// The length limit was reached.
    Length,
    /// The provider's filter stopped it.
    Filtered,
}

/// The usage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Usage {
    pub input: u64,
    pub cached: u64,
    pub output: u64,
    /// A part of the output.
    pub thinking: u64,
}

impl Default for Usage {
    fn default() -> Usage {
        Usage { input: 40, cached: 0, output: 7, thinking: 0 }
    }
}

/// An answer as an agent keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentAnswer {
    pub thinking: String,
    pub text: String,
    /// The arguments with which each call ran, or the code of the error that it got instead.
    pub calls: Vec<Result<Value, String>>,
}

/// The answer that an agent keeps, or the code of the error of its run.
pub type ShapeOutcome = Result<AgentAnswer, &'static str>;

impl Shape {
    /// Returns an answer of one text.
    pub fn text(text: &str) -> Shape {
        Shape { text: vec![text.to_owned()], ..Shape::default() }
    }

    /// Returns the outcome, which is the same in all formats.
    pub fn outcome(&self) -> ShapeOutcome {
        if self.finish_reason == FinishReason::Filtered && self.text.is_empty() {
            return Err("content_filter");
        }
        let call = |call: &Call| {
            let text = joined(&call.arguments);
            match (text.as_str(), serde_json::from_str::<Map<String, Value>>(&without_lone_escapes(&text))) {
                ("", _) => Ok(json!({})),
                (_, Ok(arguments)) => Ok(Value::Object(arguments)),
                (_, Err(_)) => Err("arguments_cut_off".to_owned()),
            }
        };
        Ok(AgentAnswer {
            thinking: joined(&self.thinking),
            text: joined(&self.text),
            calls: self.calls.iter().map(call).collect(),
        })
    }
}

/// Returns the text of all chunks; its surrogates are paired, or replaced by U+FFFD.
fn joined(chunks: &[String]) -> String {
    let text = chunks.concat().replace(&format!("{HIGH_SURROGATE}{LOW_SURROGATE}"), "😀");
    text.replace([HIGH_SURROGATE, LOW_SURROGATE], "\u{FFFD}")
}

/// Returns JSON in which the escape of a lone surrogate is replaced by U+FFFD.
fn without_lone_escapes(json: &str) -> String {
    json.replace(r"\ud83d alone", "\u{FFFD} alone")
}

fn chunks(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn call(id: &'static str, arguments: &[&str]) -> Call {
    Call { id, arguments: chunks(arguments) }
}

/// All shapes.
pub fn all() -> Vec<Shape> {
    let note = || call("call_a", &["{\"text\"", ":\"one §", " two\"}"]);
    vec![
        Shape { name: "a text", text: chunks(&["Tea is ", "a drink §", "."]), ..Shape::default() },
        Shape {
            name: "thinking, then a text",
            thinking: chunks(&["Hm, ", "tea §?"]),
            text: chunks(&["A § ", "drink."]),
            ..Shape::default()
        },
        Shape { name: "one call", calls: vec![note()], ..Shape::default() },
        Shape {
            name: "a text, then a call", text: chunks(&["I note § it."]), calls: vec![note()], ..Shape::default()
        },
        Shape {
            name: "thinking, then a call",
            thinking: chunks(&["I § should ", "note it."]),
            calls: vec![note()],
            ..Shape::default()
        },
        Shape {
            name: "thinking, a text and a call",
            thinking: chunks(&["I § should ", "say so."]),
            text: chunks(&["I note ", "§ it."]),
            calls: vec![note()],
            ..Shape::default()
        },
        Shape {
            name: "three calls",
            calls: vec![
                call("call_a", &["{\"n\":", "1,\"text\":\"§\"}"]),
                call("call_b", &["{\"n\":2}"]),
                call("call_c", &["{", "\"n\"", ":3}"]),
            ],
            ..Shape::default()
        },
        Shape { name: "a call without arguments", calls: vec![call("call_a", &[])], ..Shape::default() },
        Shape {
            name: "nested arguments, many scripts",
            calls: vec![call(
                "call_a",
                &[
                    "{\"list\":[{\"a\":{\"b\":[1,-2.5e3,nu",
                    "ll,true,[],{}]}}],\"te",
                    "xt\":\"茶 ☕ 😀 § \\\"q\\\" \\\\ \\n\\u00e9 👩‍👩‍👧\"}",
                ],
            )],
            ..Shape::default()
        },
        Shape {
            name: "split emoji, and lone surrogates",
            text: vec![format!("a {HIGH_SURROGATE}"), format!("{LOW_SURROGATE} b § {HIGH_SURROGATE}"), " c".to_owned()],
            calls: vec![Call {
                id: "call_a",
                arguments: vec![
                    format!("{{\"text\":\"{HIGH_SURROGATE}"),
                    format!("{LOW_SURROGATE} and \\ud83d"),
                    "\\ude00 and \\ud83d alone §\"}".to_owned(),
                ],
            }],
            ..Shape::default()
        },
        Shape {
            name: "a refusal",
            text: chunks(&["I § cannot ", "help with that."]),
            refusal: true,
            ..Shape::default()
        },
        Shape { name: "withheld by the provider's filter", finish_reason: FinishReason::Filtered, ..Shape::default() },
        Shape {
            name: "truncated at the length limit, within a call",
            text: chunks(&["I begin § ", "to"]),
            calls: vec![call("call_a", &["{\"text\":", "\"never §"])],
            finish_reason: FinishReason::Length,
            ..Shape::default()
        },
        Shape {
            name: "all counts of usage",
            thinking: chunks(&["§"]),
            text: chunks(&["Counted §."]),
            usage: Usage { input: 1000, cached: 600, output: 90, thinking: 50 },
            ..Shape::default()
        },
        Shape { name: "an empty answer", ..Shape::default() },
    ]
}

//! Answers as a model means them, before a format writes them down; and what an agent must make of each.

use serde_json::{Map, Value, json};

/// Stands for the first half of 😀 as an escape of its own, `\ud83d`, wherever a format writes it into JSON.
pub const FIRST_HALF: char = '\u{E000}';
/// Stands for its second half.
pub const SECOND_HALF: char = '\u{E001}';
/// In all texts, thoughts and arguments: two bytes that a fault may spoil.
pub const MARK: char = '§';

/// An answer, in the pieces in which it comes.
#[derive(Clone, Default)]
pub struct Shape {
    pub name: &'static str,
    pub thinking: Vec<String>,
    pub text: Vec<String>,
    /// What the text is, where it is said instead of an answer.
    pub refusal: bool,
    pub calls: Vec<Call>,
    pub end: End,
    pub usage: Usage,
}

/// A call of the tool `note`.
#[derive(Clone)]
pub struct Call {
    pub id: &'static str,
    /// The JSON text of its arguments.
    pub arguments: Vec<String>,
}

/// Why the answer ends.
#[derive(Clone, Copy, Default, PartialEq)]
pub enum End {
    #[default]
    Done,
    /// It reached its greatest length.
    Length,
    /// The provider's filter stopped it.
    Filtered,
}

/// What it cost.
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

/// What an agent makes of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    pub thinking: String,
    pub text: String,
    /// The arguments with which each call ran, or the code of the error that it got instead.
    pub calls: Vec<Result<Value, String>>,
}

/// What an agent makes of an answer, or the code of the error with which it gives up.
pub type Made = Result<Said, &'static str>;

impl Shape {
    /// An answer that says something and no more.
    pub fn says(text: &str) -> Shape {
        Shape { text: vec![text.to_owned()], ..Shape::default() }
    }

    /// What an agent makes of it: the same in all formats, or an error's code where nothing is left of it.
    pub fn comes_to(&self) -> Made {
        if self.end == End::Filtered && self.text.is_empty() {
            return Err("content_filter");
        }
        let call = |call: &Call| {
            let text = whole(&call.arguments);
            match (text.as_str(), serde_json::from_str::<Map<String, Value>>(&without_lone_escapes(&text))) {
                ("", _) => Ok(json!({})),
                (_, Ok(arguments)) => Ok(Value::Object(arguments)),
                (_, Err(_)) => Err("arguments_cut_off".to_owned()),
            }
        };
        Ok(Said {
            thinking: whole(&self.thinking),
            text: whole(&self.text),
            calls: self.calls.iter().map(call).collect(),
        })
    }
}

/// A text whose halves have found each other, or stay alone.
fn whole(pieces: &[String]) -> String {
    let text = pieces.concat().replace(&format!("{FIRST_HALF}{SECOND_HALF}"), "😀");
    text.replace([FIRST_HALF, SECOND_HALF], "\u{FFFD}")
}

/// JSON whose one kind of lone half is what it becomes.
fn without_lone_escapes(json: &str) -> String {
    json.replace(r"\ud83d alone", "\u{FFFD} alone")
}

fn pieces(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn call(id: &'static str, arguments: &[&str]) -> Call {
    Call { id, arguments: pieces(arguments) }
}

/// All shapes.
pub fn all() -> Vec<Shape> {
    let note = || call("call_a", &["{\"text\"", ":\"one §", " two\"}"]);
    vec![
        Shape { name: "a text", text: pieces(&["Tea is ", "a drink §", "."]), ..Shape::default() },
        Shape {
            name: "thinking, then a text",
            thinking: pieces(&["Hm, ", "tea §?"]),
            text: pieces(&["A § ", "drink."]),
            ..Shape::default()
        },
        Shape { name: "one call", calls: vec![note()], ..Shape::default() },
        Shape {
            name: "a text, then a call", text: pieces(&["I note § it."]), calls: vec![note()], ..Shape::default()
        },
        Shape {
            name: "thinking, then a call",
            thinking: pieces(&["I § should ", "note it."]),
            calls: vec![note()],
            ..Shape::default()
        },
        Shape {
            name: "thinking, a text and a call",
            thinking: pieces(&["I § should ", "say so."]),
            text: pieces(&["I note ", "§ it."]),
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
            name: "emoji cut in halves, and lone halves",
            text: vec![format!("a {FIRST_HALF}"), format!("{SECOND_HALF} b § {FIRST_HALF}"), " c".to_owned()],
            calls: vec![Call {
                id: "call_a",
                arguments: vec![
                    format!("{{\"text\":\"{FIRST_HALF}"),
                    format!("{SECOND_HALF} and \\ud83d"),
                    "\\ude00 and \\ud83d alone §\"}".to_owned(),
                ],
            }],
            ..Shape::default()
        },
        Shape {
            name: "a refusal",
            text: pieces(&["I § cannot ", "help with that."]),
            refusal: true,
            ..Shape::default()
        },
        Shape { name: "withheld by the provider's filter", end: End::Filtered, ..Shape::default() },
        Shape {
            name: "cut by length, with a call in it",
            text: pieces(&["I begin § ", "to"]),
            calls: vec![call("call_a", &["{\"text\":", "\"never §"])],
            end: End::Length,
            ..Shape::default()
        },
        Shape {
            name: "all counts of usage",
            thinking: pieces(&["§"]),
            text: pieces(&["Counted §."]),
            usage: Usage { input: 1000, cached: 600, output: 90, thinking: 50 },
            ..Shape::default()
        },
        Shape { name: "nothing at all", ..Shape::default() },
    ]
}

//! Chunks that only extend one text or the arguments of one call. Most of a stream consists of them, so they are
//! scanned instead of parsed. All others, and the first chunk of an answer, are left to [`chunks`](super::chunks).

use super::chunks::TEXT;
use crate::Error;
use crate::json_scanner::JsonScanner;
use crate::partial_answer::{Kind, PartialAnswer};
use crate::tool_calls::CallDelta;
use std::borrow::Cow;

/// The members of a chunk. Each may occur once: of a repeated name, the last would apply.
#[derive(Default)]
struct PlainChunk<'a> {
    id: Option<&'a str>,
    choices: Option<()>,
    choice: Option<()>,
    delta: Option<()>,
    text: Option<Cow<'a, str>>,
    calls: Option<()>,
    call: Option<PlainCall<'a>>,
}

#[derive(Default)]
struct PlainCall<'a> {
    index: Option<u64>,
    function: Option<()>,
    arguments: Option<Cow<'a, str>>,
}

/// Reads a plain chunk. Returns false for any other.
pub(super) fn read(data: &str, partial: &mut PartialAnswer) -> Result<bool, Error> {
    let Some(said) = scan(data) else { return Ok(false) };
    if said.id.is_some_and(|id| !id.is_empty()) && !partial.has_id() {
        return Ok(false);
    }
    partial.answered = true;
    partial.push_text(Kind::Text, TEXT, said.text.as_deref().unwrap_or_default())?;
    if let Some(PlainCall { index, arguments, .. }) = said.call {
        partial.push_call(&CallDelta {
            index,
            arguments: arguments.as_deref().unwrap_or_default(),
            ..CallDelta::default()
        })?;
    }
    Ok(true)
}

fn scan(data: &str) -> Option<PlainChunk<'_>> {
    let mut said = PlainChunk::default();
    JsonScanner::object(data, &mut |name, value| match name {
        "id" => once(&mut said.id, value.unescaped()?),
        // The object of an error chunk has another name.
        "object" => (value.unescaped()? == "chat.completion.chunk").then_some(()),
        "created" | "model" | "service_tier" | "system_fingerprint" | "provider" | "obfuscation" => value.skip_scalar(),
        "usage" => value.null_or_empty(),
        "choices" => {
            once(&mut said.choices, ())?;
            value.items(&mut |_, choice| {
                once(&mut said.choice, ())?;
                choice.members(&mut |name, value| match name {
                    "index" => value.skip_scalar(),
                    "logprobs" | "finish_reason" | "native_finish_reason" => value.null_or_empty(),
                    "delta" => {
                        once(&mut said.delta, ())?;
                        value.members(&mut |name, value| scan_delta(name, value, &mut said))
                    }
                    _ => None,
                })
            })
        }
        _ => None,
    })?;
    // Without a choice it adds nothing to the answer.
    said.choice.and(Some(said))
}

fn scan_delta<'a>(name: &str, value: &mut JsonScanner<'a>, said: &mut PlainChunk<'a>) -> Option<()> {
    match name {
        "content" => once(&mut said.text, string(value)?),
        "role" => value.skip_scalar(),
        "refusal" | "reasoning" | "reasoning_content" | "reasoning_text" | "reasoning_details" | "function_call" => {
            value.null_or_empty()
        }
        "tool_calls" => {
            once(&mut said.calls, ())?;
            if !value.is_next(b'[') {
                return value.null_or_empty();
            }
            value.items(&mut |_, value| {
                once(&mut said.call, PlainCall::default())?;
                let call = said.call.as_mut()?;
                value.members(&mut |name, value| scan_call(name, value, call))
            })
        }
        _ => None,
    }
}

fn scan_call<'a>(name: &str, value: &mut JsonScanner<'a>, call: &mut PlainCall<'a>) -> Option<()> {
    match name {
        "index" => once(&mut call.index, value.number()?),
        "id" => value.null_or_empty(),
        "type" => value.skip_scalar(),
        "function" => {
            once(&mut call.function, ())?;
            value.members(&mut |name, value| match name {
                "arguments" => once(&mut call.arguments, string(value)?),
                "name" => value.null_or_empty(),
                _ => None,
            })
        }
        _ => None,
    }
}

/// Reads a string; `null` counts as an empty one.
fn string<'a>(value: &mut JsonScanner<'a>) -> Option<Cow<'a, str>> {
    if value.is_next(b'"') { value.string() } else { value.null_or_empty().map(|()| Cow::default()) }
}

fn once<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_chunks_of_servers_are_scanned() {
        let start = r#""id":"x","object":"chat.completion.chunk","created":1750000000,"model":"m""#;
        let call = r#""tool_calls":[{"index":0,"id":null,"type":"function","function":{"name":null,"arguments":"{"}}]"#;
        for (delta, text, arguments) in [
            (r#""content":"tea""#, "tea", ""),
            (r#""content":"a\n\"b\"""#, "a\n\"b\"", ""),
            (r#""role":"assistant","content":"tea","refusal":null,"reasoning":"","tool_calls":null"#, "tea", ""),
            (call, "", "{"),
            (format!(r#""content":null,{call}"#).as_str(), "", "{"),
        ] {
            let ends = [
                r#""finish_reason":null}]"#,
                r#""logprobs":null,"finish_reason":null}],"usage":null,"provider":"p","service_tier":null"#,
            ];
            for end in ends {
                let chunk = format!(r#"{{{start},"choices":[{{"index":0,"delta":{{{delta}}},{end}}}"#);
                let said = scan(&chunk).unwrap_or_else(|| panic!("{chunk}"));
                assert_eq!(said.text.unwrap_or_default(), text, "{chunk}");
                assert_eq!(said.call.and_then(|call| call.arguments).unwrap_or_default(), arguments, "{chunk}");
            }
        }
    }

    #[test]
    fn chunks_with_a_repeated_member_or_a_second_choice_are_left_to_the_parser() {
        let choices = |choices: &str| format!(r#"{{"choices":[{choices}]}}"#);
        let delta = |delta: &str| choices(&format!(r#"{{"delta":{{{delta}}}}}"#));
        let call = |call: &str| delta(&format!(r#""tool_calls":[{call}]"#));
        assert!(scan(&delta(r#""content":"a""#)).is_some() && scan(&call(r#"{"index":0}"#)).is_some());
        for chunk in [
            r#"{"id":"x","id":"y","choices":[{"delta":{"content":"a"}}]}"#.to_owned(),
            r#"{"choices":[{"delta":{"content":"a"}}],"choices":[]}"#.to_owned(),
            choices(r#"{"delta":{"content":"a"}},{"delta":{"content":"b"}}"#),
            choices(r#"{"delta":{"content":"a"},"delta":{}}"#),
            delta(r#""content":"a","content":"b""#),
            delta(r#""tool_calls":null,"tool_calls":[{"index":0}]"#),
            call(r#"{"index":0},{"index":1}"#),
            call(r#"{"index":0,"index":1}"#),
            call(r#"{"function":{},"function":{"arguments":"{"}}"#),
            call(r#"{"function":{"arguments":"{","arguments":"}"}}"#),
        ] {
            assert!(scan(&chunk).is_none(), "{chunk}");
        }
    }
}

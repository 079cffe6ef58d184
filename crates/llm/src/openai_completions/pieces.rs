//! The chunks that most of a stream is made of: one more piece of a text, or of the arguments of one call, and nothing
//! else of interest. They are skimmed; whatever says more is left to [`chunks`](super::chunks), as is the first chunk of
//! an answer.

use super::chunks::PLACE;
use crate::Error;
use crate::draft::{Draft, Kind};
use crate::skim::Skim;
use crate::tool_calls::Piece;
use std::borrow::Cow;

/// What a chunk says. Each is there once at most, also where it says nothing: of a name that is there twice, the last would
/// count.
#[derive(Default)]
struct Said<'a> {
    id: Option<&'a str>,
    choices: Option<()>,
    choice: Option<()>,
    delta: Option<()>,
    text: Option<Cow<'a, str>>,
    calls: Option<()>,
    call: Option<Call<'a>>,
}

#[derive(Default)]
struct Call<'a> {
    index: Option<u64>,
    function: Option<()>,
    arguments: Option<Cow<'a, str>>,
}

/// Takes a chunk that is such; whether it was.
pub(super) fn take(data: &str, draft: &mut Draft) -> Result<bool, Error> {
    let Some(said) = skim(data) else { return Ok(false) };
    if said.id.is_some_and(|id| !id.is_empty()) && !draft.is_identified() {
        return Ok(false);
    }
    draft.answered = true;
    draft.say(Kind::Text, PLACE, said.text.as_deref().unwrap_or_default())?;
    if let Some(Call { index, arguments, .. }) = said.call {
        draft.call(&Piece { index, arguments: arguments.as_deref().unwrap_or_default(), ..Piece::default() })?;
    }
    Ok(true)
}

fn skim(data: &str) -> Option<Said<'_>> {
    let mut said = Said::default();
    Skim::object(data, &mut |name, value| match name {
        "id" => once(&mut said.id, value.plain()?),
        // An error may be named here.
        "object" => (value.plain()? == "chat.completion.chunk").then_some(()),
        "created" | "model" | "service_tier" | "system_fingerprint" | "provider" | "obfuscation" => value.over(),
        "usage" => value.nothing(),
        "choices" => {
            once(&mut said.choices, ())?;
            value.items(&mut |_, choice| {
                once(&mut said.choice, ())?;
                choice.members(&mut |name, value| match name {
                    "index" => value.over(),
                    "logprobs" | "finish_reason" | "native_finish_reason" => value.nothing(),
                    "delta" => {
                        once(&mut said.delta, ())?;
                        value.members(&mut |name, value| skim_delta(name, value, &mut said))
                    }
                    _ => None,
                })
            })
        }
        _ => None,
    })?;
    // Without a choice it is no piece of an answer.
    said.choice.and(Some(said))
}

fn skim_delta<'a>(name: &str, value: &mut Skim<'a>, said: &mut Said<'a>) -> Option<()> {
    match name {
        "content" => once(&mut said.text, string(value)?),
        "role" => value.over(),
        "refusal" | "reasoning" | "reasoning_content" | "reasoning_text" | "reasoning_details" | "function_call" => {
            value.nothing()
        }
        "tool_calls" => {
            once(&mut said.calls, ())?;
            if !value.is_next(b'[') {
                return value.nothing();
            }
            value.items(&mut |_, value| {
                once(&mut said.call, Call::default())?;
                let call = said.call.as_mut()?;
                value.members(&mut |name, value| skim_call(name, value, call))
            })
        }
        _ => None,
    }
}

fn skim_call<'a>(name: &str, value: &mut Skim<'a>, call: &mut Call<'a>) -> Option<()> {
    match name {
        "index" => once(&mut call.index, value.number()?),
        "id" => value.nothing(),
        "type" => value.over(),
        "function" => {
            once(&mut call.function, ())?;
            value.members(&mut |name, value| match name {
                "arguments" => once(&mut call.arguments, string(value)?),
                "name" => value.nothing(),
                _ => None,
            })
        }
        _ => None,
    }
}

/// A string, or `null`, which says as much as an empty one.
fn string<'a>(value: &mut Skim<'a>) -> Option<Cow<'a, str>> {
    if value.is_next(b'"') { value.string() } else { value.nothing().map(|()| Cow::default()) }
}

fn once<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

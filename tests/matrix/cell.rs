//! One run of the matrix: a shape in a format, sent to a complete agent by a server with one fault. The outcome is
//! compared with its rule, and the invariants of all runs are asserted.

use crate::fault::{Case, Comes};
use crate::memory::most_held;
use crate::shape::{MARK, Made, Said, Shape};
use crate::wire::{Entry, Format, Stream, check_conversation};
use crate::world::{End, KEY, Served, World};
use copydesk_agent::{Event, EventKind, Outcome};
use copydesk_llm::{AssistantPart, Message, Usage};
use serde_json::Value;
use std::cell::RefCell;
use std::rc::Rc;

/// The memory limit of a run, in bytes: several copies of the longest answer.
const MOST_HELD: usize = 128 << 20;
/// The most bytes of an answer that are read: the longest that is kept, and its framing.
const MOST_READ: usize = 18 << 20;

/// The events of the first turn's last attempt, and the ends of runs.
#[derive(Default)]
struct Heard {
    seq: u64,
    text: String,
    thinking: String,
    turned: bool,
    retries: Vec<String>,
    used_before_retry: bool,
    ends: Vec<&'static str>,
    /// True between the first event of a run and the last.
    runs: bool,
    after_end: bool,
    key: Option<String>,
}

impl Heard {
    fn hear(&mut self, event: Event) {
        if event.seq != self.seq + 1 {
            self.ends.push("a gap in the numbers");
        }
        self.seq = event.seq;
        let (shown, kind) = match &event.kind {
            EventKind::Content { content } | EventKind::Thinking { content } => (content.clone(), event.kind),
            // `tool_args` events grow with the answer and add no information.
            EventKind::ToolArgs { partial, .. } if partial.values().any(is_long) => (String::new(), event.kind),
            _ => (Value::from(event.clone()).to_string(), event.kind),
        };
        if shown.contains(KEY) {
            self.key = Some(shown);
        }
        self.runs |= matches!(kind, EventKind::AgentStart);
        self.after_end |= !self.runs;
        self.runs &= !matches!(kind, EventKind::Complete { .. } | EventKind::Error { .. } | EventKind::Aborted);
        match kind {
            EventKind::Content { content } if !self.turned => self.text += &content,
            EventKind::Thinking { content } if !self.turned => self.thinking += &content,
            EventKind::ToolUse { .. } if !self.turned => self.used_before_retry = true,
            EventKind::Retry { reason, .. } => {
                self.text.clear();
                self.thinking.clear();
                self.retries.push(reason.to_owned());
                if self.used_before_retry && !self.turned {
                    self.ends.push("a call ran before a retry");
                }
            }
            EventKind::TurnEnd { .. } => self.turned = true,
            EventKind::Complete { .. } => self.ends.push("complete"),
            EventKind::Error { .. } => self.ends.push("error"),
            EventKind::Aborted => self.ends.push("aborted"),
            _ => {}
        }
    }
}

fn is_long(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.len() > 100_000)
}

/// The outcome of a run.
struct Seen {
    retries: Vec<String>,
    error: Option<String>,
    said: Option<Said>,
    usage: Usage,
    waited: f64,
    requests: usize,
}

/// A shape in a format.
pub struct Given<'a> {
    pub format: &'a Format,
    pub shape: &'a Shape,
    pub stream: Stream,
    /// The stream of a server without faults.
    clean: Served,
    /// The stream for all other requests.
    done: Served,
}

impl<'a> Given<'a> {
    pub fn new(format: &'a Format, shape: &'a Shape) -> Given<'a> {
        let stream = (format.write)(shape);
        let clean = Served::stream(stream.pieces(), End::Closes);
        let done = Served::stream((format.write)(&Shape::says("Done.")).pieces(), End::Closes);
        Given { format, shape, stream, clean, done }
    }
}

/// Runs a case and checks its outcome. Returns the outcome if the rule allows several; `Err` describes a violation.
pub fn run(given: &Given, case: &Case, comes: &Comes) -> Result<Option<Comes>, String> {
    let (base, _) = (given.format.other_shape)(given.shape, given.shape.comes_to());
    let served = vec![case.served.clone(), given.clean.clone()];
    let (seen, held) = most_held(|| ask(given, served, case.only_first_prompt));
    let seen = seen?;
    if held > MOST_HELD {
        return Err(format!("{held} bytes were held"));
    }
    judge(given.shape, case, comes, &base, &seen)?;
    // Also with a fault that persists.
    if let Comes::Retried(code) = comes
        && case.also_for_ever
    {
        let seen = ask(given, vec![case.served.clone()], true)?;
        if seen.retries != vec![*code; 3] || seen.error.as_deref() != Some(code) {
            return Err(format!("for ever: asked again {:?}, then {:?}", seen.retries, seen.error));
        }
    }
    if *comes != Comes::Anything {
        return Ok(None);
    }
    // The codes that a rule allows are those that the table lists.
    let known = |code: &String| {
        let known = ANY.iter().copied().find(|known| known == code);
        known.ok_or_else(|| format!("a fault of this kind must not be {code}"))
    };
    match (seen.retries.first(), &seen.error) {
        (Some(retried), _) => Ok(Some(Comes::Retried(known(retried)?))),
        (None, Some(error)) => Ok(Some(Comes::Fails(known(error)?))),
        (None, None) => Ok(Some(Comes::Answer)),
    }
}

/// The allowed outcomes for values of other types.
const ANY: [&str; 5] = ["stream_cut", "malformed_stream", "not_a_stream", "provider_error", "content_filter"];

fn judge(shape: &Shape, case: &Case, comes: &Comes, base: &Made, seen: &Seen) -> Result<(), String> {
    let retries: &[&str] = match comes {
        Comes::Anything => return Ok(()),
        Comes::Retried(code) => &[code],
        _ => &[],
    };
    let expected = match (comes, base) {
        (Comes::Fails(code), _) => Err(*code),
        (Comes::Spoiled, Ok(said)) => Ok(spoiled(said)),
        (Comes::CallsFail(code), Ok(said)) => {
            Ok(Said { calls: said.calls.iter().map(|_| Err((*code).to_owned())).collect(), ..said.clone() })
        }
        (_, base) => base.clone(),
    };
    if seen.retries != retries {
        return Err(format!("asked again {:?}, not {retries:?}; error {:?}", seen.retries, seen.error));
    }
    match (&expected, &seen.said, &seen.error) {
        (Ok(expected), Some(said), None) if said == expected => {}
        (Err(code), _, Some(error)) if error == code => {}
        _ => return Err(format!("{:?} {:?}, not {expected:?}", seen.error, seen.said)),
    }
    let turns = expected.as_ref().map_or(1, |said| 1 + usize::from(!said.calls.is_empty()));
    if seen.requests != turns + retries.len() {
        return Err(format!("{} requests", seen.requests));
    }
    let waits = case.waits + if retries.is_empty() { 0.0 } else { case.waits_for_retry };
    if seen.waited != waits {
        return Err(format!("{} ms passed, not {waits}", seen.waited));
    }
    if case.counted && expected.is_ok() {
        let mut usage = wire_usage(shape);
        if turns == 2 {
            usage.add(&wire_usage(&Shape::default()));
        }
        if seen.usage != usage {
            return Err(format!("{:?}, not {usage:?}", seen.usage));
        }
    }
    Ok(())
}

fn wire_usage(shape: &Shape) -> Usage {
    let usage = shape.usage;
    Usage {
        input_tokens: usage.input,
        output_tokens: usage.output,
        cached_tokens: usage.cached,
        cache_write_tokens: 0,
        reasoning_tokens: usage.thinking,
        total_tokens: usage.input + usage.output,
    }
}

/// Returns the outcome with the bytes of each mark replaced by U+FFFD.
fn spoiled(said: &Said) -> Said {
    let spoil = |text: &str| text.replace(MARK, "\u{FFFD}");
    let spoil_call = |call: &Result<Value, String>| match call {
        Ok(arguments) => Ok(serde_json::from_str(&spoil(&arguments.to_string())).unwrap()),
        Err(code) => Err(code.clone()),
    };
    Said {
        thinking: spoil(&said.thinking),
        text: spoil(&said.text),
        calls: said.calls.iter().map(spoil_call).collect(),
    }
}

/// Prompts an agent whose server treats the first request like this, and prompts it again. Asserts the invariants.
fn ask(given: &Given, served: Vec<Served>, only_first_prompt: bool) -> Result<Seen, String> {
    let heard: Rc<RefCell<Heard>> = Rc::default();
    let ear = heard.clone();
    let world = World::new(given.format, served, &given.done, Rc::new(move |event| ear.borrow_mut().hear(event)));
    let result = world.prompt("Go on.");
    let waited = world.now();
    let error = result.error.as_ref().map(|error| error["code"].as_str().unwrap_or_default().to_owned());
    if (result.status == Outcome::Complete) != error.is_none() {
        return Err(format!("{:?} with {error:?}", result.status));
    }
    closed(&world)?;
    if world.taken() > MOST_READ {
        return Err(format!("{} bytes were read", world.taken()));
    }
    let requests = world.requests().len();
    let messages = world.agent.messages();
    let said = first_answer(&messages)?;
    {
        let heard = heard.borrow();
        if let Some(said) = &said
            && (&heard.text, &heard.thinking) != (&said.text, &said.thinking)
        {
            return Err(format!("shown was {:?} {:?}, kept is {said:?}", heard.text, heard.thinking));
        }
        let expected = if error.is_none() { "complete" } else { "error" };
        if heard.ends != [expected] {
            return Err(format!("the run ended with {:?}", heard.ends));
        }
        if heard.after_end {
            return Err("an event came after the last one".into());
        }
    }
    if !only_first_prompt {
        let result = world.prompt("And now?");
        if (result.status, result.text.as_str()) != (Outcome::Complete, "Done.") {
            return Err(format!("the next prompt came to {result:?}"));
        }
        closed(&world)?;
        if heard.borrow().ends.len() != 2 || heard.borrow().after_end {
            return Err(format!("the next run ended with {:?}", heard.borrow().ends));
        }
    }
    let ran = world.ran.borrow().clone();
    let expected: Vec<Value> = said.iter().flat_map(|said| &said.calls).filter_map(|call| call.clone().ok()).collect();
    if ran != expected {
        return Err(format!("calls ran with {ran:?}, and {expected:?} were whole in the answer"));
    }
    check_requests(given.format, &world, said.as_ref().filter(|_| !only_first_prompt), given.shape.refusal)?;
    let heard = heard.borrow();
    if let Some(shown) = &heard.key {
        return Err(format!("the key stands in {shown}"));
    }
    let kept = format!("{:?} {:?} {} {}", world.agent.messages(), result, world.agent.state(), world.agent.ledger());
    if kept.contains(KEY) {
        return Err(format!("the key stands in {kept}"));
    }
    let retries = heard.retries.clone();
    Ok(Seen { retries, error, said, usage: result.usage, waited, requests })
}

fn closed(world: &World) -> Result<(), String> {
    match world.open_connections() {
        0 => Ok(()),
        open => Err(format!("{open} connections were left open")),
    }
}

/// Returns the first answer of a conversation, with the outcome of its calls.
fn first_answer(messages: &[Message]) -> Result<Option<Said>, String> {
    let mut said = None;
    let mut ids = Vec::new();
    for message in messages {
        match message {
            Message::Assistant { .. } if said.is_some() => break,
            Message::Assistant { content, .. } => {
                let mut answer = Said { thinking: String::new(), text: String::new(), calls: Vec::new() };
                for part in content {
                    match part {
                        AssistantPart::Text { text, .. } => answer.text += text,
                        AssistantPart::Thinking { thinking, .. } => answer.thinking += thinking,
                        AssistantPart::ToolCall { id, arguments, .. } => {
                            ids.push(id.clone());
                            answer.calls.push(Ok(arguments.clone().into()));
                        }
                    }
                }
                said = Some(answer);
            }
            Message::ToolResult { tool_call_id, content, is_error, .. } => {
                let call = ids.iter().position(|id| id == tool_call_id).ok_or("a result of no call")?;
                if let Some(said) = said.as_mut().filter(|_| *is_error) {
                    said.calls[call] = Err(content["error"]["code"].as_str().unwrap_or_default().to_owned());
                }
            }
            _ => {}
        }
    }
    Ok(said)
}

/// Asserts that every request had the key and a valid conversation; the last one includes the first answer.
fn check_requests(format: &Format, world: &World, said: Option<&Said>, refusal: bool) -> Result<(), String> {
    let mut last = Vec::new();
    for request in world.requests() {
        if !request.headers.iter().any(|(_, value)| value.contains(KEY)) {
            return Err("a request without the key".into());
        }
        let body = request.body.unwrap_or_default();
        if body.contains(KEY) || request.url.contains(KEY) {
            return Err("the key stands in the body of a request".into());
        }
        let body: Value = serde_json::from_str(&body).map_err(|error| error.to_string())?;
        let entries = (format.conversation)(&body).map_err(|error| format!("{error}: {body}"))?;
        check_conversation(&entries).map_err(|error| format!("{error}: {entries:?}"))?;
        last = entries;
    }
    let Some(said) = said else { return Ok(()) };
    let answer = last.iter().find_map(|entry| match entry {
        Entry::Answer { text, calls } => Some((text.clone(), calls.len())),
        _ => None,
    });
    match answer {
        Some(answer) if answer == (said.text.clone(), said.calls.len()) => Ok(()),
        // Empty answers are not sent back, nor are some refusals.
        None if refusal || (said.calls.is_empty() && said.text.is_empty()) => Ok(()),
        answer => Err(format!("{said:?} went back as {answer:?}")),
    }
}

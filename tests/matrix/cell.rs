//! One run of the matrix: a shape in a format, sent to a complete agent by a server with one fault. The outcome is
//! compared with its rule, and the invariants of all runs are asserted.

use crate::fault::{Case, FaultOutcome};
use crate::memory::peak_memory;
use crate::shape::{AgentAnswer, MARK, Shape, ShapeOutcome};
use crate::wire::{Entry, Format, Stream, check_conversation};
use crate::world::{BodyEnd, KEY, ScriptedResponse, World};
use copydesk_agent::{Event, EventKind, Outcome};
use copydesk_llm::{AssistantPart, Message, Usage};
use serde_json::Value;
use std::cell::RefCell;
use std::rc::Rc;

/// The memory limit of a run, in bytes: several copies of the longest answer.
const MEMORY_LIMIT: usize = 128 << 20;
/// The most bytes of an answer that are read: the longest valid answer and its framing.
const READ_LIMIT: usize = 18 << 20;

/// The events of the last attempt of the first turn, and the ends of the runs.
#[derive(Default)]
struct EventLog {
    seq: u64,
    text: String,
    thinking: String,
    turn_ended: bool,
    retries: Vec<String>,
    call_started: bool,
    ends: Vec<&'static str>,
    /// True between the first event of a run and the last.
    running: bool,
    after_end: bool,
    key: Option<String>,
}

impl EventLog {
    fn record(&mut self, event: Event) {
        if event.seq != self.seq + 1 {
            self.ends.push("a gap in the numbers");
        }
        self.seq = event.seq;
        let (shown, kind) = match &event.kind {
            EventKind::Content { content } | EventKind::Thinking { content } => (content.clone(), event.kind),
            _ => (Value::from(event.clone()).to_string(), event.kind),
        };
        if shown.contains(KEY) {
            self.key = Some(shown);
        }
        self.running |= matches!(kind, EventKind::AgentStart);
        self.after_end |= !self.running;
        self.running &= !matches!(kind, EventKind::Complete { .. } | EventKind::Error { .. } | EventKind::Aborted);
        match kind {
            EventKind::Content { content } if !self.turn_ended => self.text += &content,
            EventKind::Thinking { content } if !self.turn_ended => self.thinking += &content,
            EventKind::ToolUse { .. } if !self.turn_ended => self.call_started = true,
            EventKind::Retry { reason, .. } => {
                self.text.clear();
                self.thinking.clear();
                self.retries.push(reason.to_owned());
                if self.call_started && !self.turn_ended {
                    self.ends.push("a call ran before a retry");
                }
            }
            EventKind::TurnEnd { .. } => self.turn_ended = true,
            EventKind::Complete { .. } => self.ends.push("complete"),
            EventKind::Error { .. } => self.ends.push("error"),
            EventKind::Aborted => self.ends.push("aborted"),
            _ => {}
        }
    }
}

/// The outcome of a run.
struct RunOutcome {
    retries: Vec<String>,
    error: Option<String>,
    answer: Option<AgentAnswer>,
    usage: Usage,
    waited: f64,
    requests: usize,
}

/// A shape in a format.
pub struct Scenario<'a> {
    pub format: &'a Format,
    pub shape: &'a Shape,
    pub stream: Stream,
    /// The stream of a server without faults.
    clean: ScriptedResponse,
    /// The stream for all other requests.
    done: ScriptedResponse,
}

impl<'a> Scenario<'a> {
    pub fn new(format: &'a Format, shape: &'a Shape) -> Scenario<'a> {
        let stream = (format.write)(shape);
        let clean = ScriptedResponse::stream(stream.chunks(), BodyEnd::Closes);
        let done = ScriptedResponse::stream((format.write)(&Shape::text("Done.")).chunks(), BodyEnd::Closes);
        Scenario { format, shape, stream, clean, done }
    }
}

/// Runs a case and checks its outcome. Returns the outcome if the rule allows several; `Err` describes a violation.
pub fn run(scenario: &Scenario, case: &Case, expected: &FaultOutcome) -> Result<Option<FaultOutcome>, String> {
    let (base, _) = (scenario.format.other_shape)(scenario.shape, scenario.shape.outcome());
    let responses = vec![case.response.clone(), scenario.clean.clone()];
    let (found, peak) = peak_memory(|| ask(scenario, responses, case.only_first_prompt));
    let found = found?;
    if peak > MEMORY_LIMIT {
        return Err(format!("{peak} bytes were allocated"));
    }
    judge(scenario.shape, case, expected, &base, &found)?;
    // The same with a fault that persists.
    if let FaultOutcome::Retried(code) = expected
        && case.also_persistent
    {
        let found = ask(scenario, vec![case.response.clone()], true)?;
        if found.retries != vec![*code; 3] || found.error.as_deref() != Some(code) {
            return Err(format!("persistent: retried {:?}, then {:?}", found.retries, found.error));
        }
    }
    if *expected != FaultOutcome::Anything {
        return Ok(None);
    }
    // The codes that a rule allows are those that the table lists.
    let known = |code: &String| {
        let known = ANY.iter().copied().find(|known| known == code);
        known.ok_or_else(|| format!("a fault of this kind must not be {code}"))
    };
    match (found.retries.first(), &found.error) {
        (Some(retried), _) => Ok(Some(FaultOutcome::Retried(known(retried)?))),
        (None, Some(error)) => Ok(Some(FaultOutcome::Fails(known(error)?))),
        (None, None) => Ok(Some(FaultOutcome::Answer)),
    }
}

/// The allowed outcomes for values of other types.
const ANY: [&str; 5] = ["stream_cut", "malformed_stream", "not_a_stream", "provider_error", "content_filter"];

fn judge(
    shape: &Shape,
    case: &Case,
    rule: &FaultOutcome,
    base: &ShapeOutcome,
    found: &RunOutcome,
) -> Result<(), String> {
    let retries: &[&str] = match rule {
        FaultOutcome::Anything => return Ok(()),
        FaultOutcome::Retried(code) => &[code],
        _ => &[],
    };
    let expected = match (rule, base) {
        (FaultOutcome::Fails(code), _) => Err(*code),
        (FaultOutcome::Corrupted, Ok(answer)) => Ok(corrupted(answer)),
        (FaultOutcome::CallsFail(code), Ok(answer)) => {
            Ok(AgentAnswer { calls: answer.calls.iter().map(|_| Err((*code).to_owned())).collect(), ..answer.clone() })
        }
        (_, base) => base.clone(),
    };
    if found.retries != retries {
        return Err(format!("retried {:?}, not {retries:?}; error {:?}", found.retries, found.error));
    }
    match (&expected, &found.answer, &found.error) {
        (Ok(expected), Some(answer), None) if answer == expected => {}
        (Err(code), _, Some(error)) if error == code => {}
        _ => return Err(format!("{:?} {:?}, not {expected:?}", found.error, found.answer)),
    }
    let turns = expected.as_ref().map_or(1, |answer| 1 + usize::from(!answer.calls.is_empty()));
    if found.requests != turns + retries.len() {
        return Err(format!("{} requests", found.requests));
    }
    let waits = case.waits + if retries.is_empty() { 0.0 } else { case.waits_for_retry };
    if found.waited != waits {
        return Err(format!("{} ms passed, not {waits}", found.waited));
    }
    if case.with_usage && expected.is_ok() {
        let mut usage = wire_usage(shape);
        if turns == 2 {
            usage.add(&wire_usage(&Shape::default()));
        }
        if found.usage != usage {
            return Err(format!("{:?}, not {usage:?}", found.usage));
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
fn corrupted(answer: &AgentAnswer) -> AgentAnswer {
    let corrupt = |text: &str| text.replace(MARK, "\u{FFFD}");
    let corrupt_call = |call: &Result<Value, String>| match call {
        Ok(arguments) => Ok(serde_json::from_str(&corrupt(&arguments.to_string())).unwrap()),
        Err(code) => Err(code.clone()),
    };
    AgentAnswer {
        thinking: corrupt(&answer.thinking),
        text: corrupt(&answer.text),
        calls: answer.calls.iter().map(corrupt_call).collect(),
    }
}

/// Prompts an agent whose server treats the first request like this, and prompts it again. Asserts the invariants.
fn ask(scenario: &Scenario, responses: Vec<ScriptedResponse>, only_first_prompt: bool) -> Result<RunOutcome, String> {
    let log: Rc<RefCell<EventLog>> = Rc::default();
    let listener = log.clone();
    let world = World::new(
        scenario.format,
        responses,
        &scenario.done,
        Rc::new(move |event| listener.borrow_mut().record(event)),
    );
    let result = world.prompt("Go on.");
    let waited = world.now();
    let error = result.error.as_ref().map(|error| error["code"].as_str().unwrap_or_default().to_owned());
    if (result.status == Outcome::Complete) != error.is_none() {
        return Err(format!("{:?} with {error:?}", result.status));
    }
    check_closed(&world)?;
    if world.taken() > READ_LIMIT {
        return Err(format!("{} bytes were read", world.taken()));
    }
    let requests = world.requests().len();
    let messages = world.agent.messages();
    let answer = first_answer(&messages)?;
    {
        let log = log.borrow();
        if let Some(answer) = &answer
            && (&log.text, &log.thinking) != (&answer.text, &answer.thinking)
        {
            return Err(format!("the events have {:?} {:?}, the message has {answer:?}", log.text, log.thinking));
        }
        let expected = if error.is_none() { "complete" } else { "error" };
        if log.ends != [expected] {
            return Err(format!("the run ended with {:?}", log.ends));
        }
        if log.after_end {
            return Err("an event came after the last one".into());
        }
    }
    if !only_first_prompt {
        let result = world.prompt("And now?");
        if (result.status, result.text.as_str()) != (Outcome::Complete, "Done.") {
            return Err(format!("the next prompt ended with {result:?}"));
        }
        check_closed(&world)?;
        if log.borrow().ends.len() != 2 || log.borrow().after_end {
            return Err(format!("the next run ended with {:?}", log.borrow().ends));
        }
    }
    let ran = world.ran.borrow().clone();
    let expected: Vec<Value> =
        answer.iter().flat_map(|answer| &answer.calls).filter_map(|call| call.clone().ok()).collect();
    if ran != expected {
        return Err(format!("calls ran with {ran:?}, but the answer has {expected:?}"));
    }
    check_requests(scenario.format, &world, answer.as_ref().filter(|_| !only_first_prompt), scenario.shape.refusal)?;
    let log = log.borrow();
    if let Some(shown) = &log.key {
        return Err(format!("the key is in {shown}"));
    }
    let output = format!("{:?} {:?} {} {}", world.agent.messages(), result, world.agent.state(), world.agent.ledger());
    if output.contains(KEY) {
        return Err(format!("the key is in {output}"));
    }
    let retries = log.retries.clone();
    Ok(RunOutcome { retries, error, answer, usage: result.usage, waited, requests })
}

fn check_closed(world: &World) -> Result<(), String> {
    match world.open_connections() {
        0 => Ok(()),
        open => Err(format!("{open} connections were left open")),
    }
}

/// Returns the first answer of a conversation, with the outcome of its calls.
fn first_answer(messages: &[Message]) -> Result<Option<AgentAnswer>, String> {
    let mut first = None;
    let mut ids = Vec::new();
    for message in messages {
        match message {
            Message::Assistant { .. } if first.is_some() => break,
            Message::Assistant { content, .. } => {
                let mut answer = AgentAnswer { thinking: String::new(), text: String::new(), calls: Vec::new() };
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
                first = Some(answer);
            }
            Message::ToolResult { tool_call_id, content, is_error, .. } => {
                let call = ids.iter().position(|id| id == tool_call_id).ok_or("a result of no call")?;
                if let Some(answer) = first.as_mut().filter(|_| *is_error) {
                    answer.calls[call] = Err(content["error"]["code"].as_str().unwrap_or_default().to_owned());
                }
            }
            _ => {}
        }
    }
    Ok(first)
}

/// Asserts that every request had the key and a valid conversation; the last one includes the first answer.
fn check_requests(format: &Format, world: &World, answer: Option<&AgentAnswer>, refusal: bool) -> Result<(), String> {
    let mut last = Vec::new();
    for request in world.requests() {
        if !request.headers.iter().any(|(_, value)| value.contains(KEY)) {
            return Err("a request without the key".into());
        }
        let body = request.body.unwrap_or_default();
        if body.contains(KEY) || request.url.contains(KEY) {
            return Err("the key is in the body of a request".into());
        }
        let body: Value = serde_json::from_str(&body).map_err(|error| error.to_string())?;
        let entries = (format.conversation)(&body).map_err(|error| format!("{error}: {body}"))?;
        check_conversation(&entries).map_err(|error| format!("{error}: {entries:?}"))?;
        last = entries;
    }
    let Some(answer) = answer else { return Ok(()) };
    let sent = last.iter().find_map(|entry| match entry {
        Entry::Answer { text, calls } => Some((text.clone(), calls.len())),
        _ => None,
    });
    match sent {
        Some(sent) if sent == (answer.text.clone(), answer.calls.len()) => Ok(()),
        // Empty answers are not sent back, nor are some refusals.
        None if refusal || (answer.calls.is_empty() && answer.text.is_empty()) => Ok(()),
        sent => Err(format!("{answer:?} was sent as {sent:?}")),
    }
}

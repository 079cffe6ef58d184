//! Which messages make room when a conversation outgrows the model's window.
//!
//! A call and its results are never parted, since providers refuse the one without the other. What the person asked last
//! is never lost: where the cut goes through a long run, their words stand in the summary letter for letter, and their
//! pictures right behind it.

use super::summary::shorten_to_tokens;
use copydesk_edit::provenance::Provenance;
use copydesk_llm::tokens::{Estimate, IMAGE_TOKENS, estimate_message, estimate_text};
use copydesk_llm::{AssistantPart, Image, Message, UserContent};

/// How full the window may be before the oldest messages go, in hundredths.
pub const FULL: usize = 80;
/// How much of the window the messages may be that stay, in hundredths.
pub const KEPT: usize = 35;
/// How much of the window has to be gained at least, in hundredths: each summary is a request of its own.
const LEAST_GAIN: usize = 5;
/// How full the window is when any gain is worth it, in hundredths.
const URGENT: usize = 95;
/// What a message is beside what it says, in tokens.
const FRAME: usize = 4;
/// The longest summary, in tokens. In a small window it is a tenth of that.
const LONGEST_SUMMARY: usize = 4_000;

/// Around the person's last request, at the end of a summary.
const REQUEST: [&str; 2] = ["<request>\n", "\n</request>"];

/// What is to be done about the length of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Nothing: it fits, or nothing worth it can be gained.
    Keep,
    /// A summary takes the place of the oldest messages.
    Cut(Cut),
    /// Even what has to stay is more than the window.
    TooLarge {
        /// What it comes to, in tokens.
        tokens: usize,
        /// The largest of the messages that have to stay; none where system prompt and tools alone are too much.
        largest: Option<usize>,
    },
}

/// Where a conversation is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The first message that stays.
    pub at: usize,
    /// The most tokens that the summary of those before it may have.
    pub summary: usize,
    /// The most pictures of the request under way that stay, though its message goes.
    pub images: usize,
    /// How full the context was, in tokens.
    pub before: usize,
    /// How full it will be at most.
    pub after: usize,
}

/// Returns whether a conversation has to be cut before the model is asked next, and where.
///
/// Of the places that part no call from its result, and after which no more than [`KEPT`] of the window stays, it is the
/// earliest; the beginning of what the person said, where that keeps nearly as much; and the last one, where all keep too
/// much.
pub fn plan(messages: &[Message], estimate: &Estimate, window: usize) -> Plan {
    let part = |hundredths: usize| (window as u64 * hundredths as u64 / 100) as usize;
    if estimate.used <= part(FULL) {
        return Plan::Keep;
    }
    let (sizes, scaled) = sizes(messages, estimate);
    let all: usize = sizes.iter().sum();
    let summary = (window / 10).min(LONGEST_SUMMARY);
    let budget = part(FULL).saturating_sub(estimate.fixed + summary).min(part(KEPT));
    let gain = if is_urgent(estimate, window) { 1 } else { part(LEAST_GAIN) };

    let whole = whole_before(messages);
    let (begun, most) = (under_way(messages), (part(KEPT) / IMAGE_TOKENS).max(1));
    // What went: all of it, and that of it which is no summary yet; and the pictures that stay of it.
    let (mut gone, mut fresh, mut images) = (0, 0, 0);
    let (mut any, mut said, mut last) = (None, None, None);
    for at in 0..messages.len() {
        let pictures = if images > 0 { scaled(images * IMAGE_TOKENS + FRAME) } else { 0 };
        let kept = all - gone + pictures;
        if whole[at] && fresh >= gain + pictures && all > gone {
            let place = (at, kept, images);
            if kept <= budget {
                any = any.or(Some(place));
                if matches!(messages[at], Message::User { .. }) {
                    said = said.or(Some(place));
                }
            }
            last = Some(place);
        }
        gone += sizes[at];
        if !matches!(messages[at], Message::Summary { .. }) {
            fresh += sizes[at];
        }
        images = (images + given(&messages[at]).len() * usize::from(at >= begun)).min(most);
    }
    let best = match (any, said) {
        (Some((_, most, _)), Some((_, kept, _))) if kept * 2 >= most => said,
        (Some(_), _) => any,
        _ => last,
    };
    let Some((at, kept, images)) = best else {
        return if estimate.used > window { too_large(estimate.used, 0, &sizes) } else { Plan::Keep };
    };
    // A summary that is as long as what it sums up is none.
    let summary = summary.min((all - kept) / 2);
    let after = estimate.fixed + summary + kept;
    if after > window {
        return too_large(after, at, &sizes);
    }
    Plan::Cut(Cut { at, summary, images, before: estimate.used, after })
}

/// Returns whether a conversation hardly fits the window: shortening it cannot wait.
pub fn is_urgent(estimate: &Estimate, window: usize) -> bool {
    estimate.used as u64 * 100 > window as u64 * URGENT as u64
}

fn too_large(tokens: usize, from: usize, sizes: &[usize]) -> Plan {
    let largest = (from..sizes.len()).max_by_key(|at| sizes[*at]).filter(|at| sizes[*at] > 0);
    Plan::TooLarge { tokens, largest }
}

/// The sizes of messages in the measure of the estimate, and how a size gets there: where the provider counts otherwise
/// than the heuristic, each message gets its share of the difference.
fn sizes(messages: &[Message], estimate: &Estimate) -> (Vec<usize>, impl Fn(usize) -> usize) {
    let mut sizes: Vec<usize> = messages.iter().map(estimate_message).collect();
    let mut all = sizes.iter().sum::<usize>() as u64;
    // What lies further off is no matter of tokenizers: the counts are of something else.
    let mut said = (estimate.used.saturating_sub(estimate.fixed) as u64).clamp(all / 2, all.saturating_mul(3));
    if !estimate.counted || all == 0 {
        (said, all) = (1, 1);
    }
    let scaled = move |size: usize| (size as u64).saturating_mul(said).div_ceil(all) as usize;
    sizes.iter_mut().for_each(|size| *size = scaled(*size));
    (sizes, scaled)
}

/// Where what a model has not yet come to the end of begins: behind the last answer that called nothing.
fn under_way(messages: &[Message]) -> usize {
    let ends = |message: &Message| match message {
        Message::Assistant { content, .. } => {
            !content.iter().any(|part| matches!(part, AssistantPart::ToolCall { .. }))
        }
        _ => false,
    };
    messages.iter().rposition(ends).map_or(0, |at| at + 1)
}

/// The pictures that the person gave with a message.
fn given(message: &Message) -> &[Image] {
    if let Message::User { content } = message { &content.images } else { &[] }
}

/// For each message whether a cut right before it parts no call from its result or from what was decided about it. Results stand between their call and the
/// next answer, as [`history`](copydesk_llm::history) has it.
fn whole_before(messages: &[Message]) -> Vec<bool> {
    let mut whole = vec![true; messages.len()];
    let mut answer: Option<(usize, &[AssistantPart])> = None;
    for (at, message) in messages.iter().enumerate() {
        match (message, answer) {
            (Message::Assistant { content, .. }, _) => answer = Some((at, content)),
            (
                Message::ToolResult { tool_call_id, .. } | Message::Approval { tool_call_id, .. },
                Some((from, content)),
            ) if calls(content, tool_call_id) => whole[from + 1..=at].fill(false),
            _ => {}
        }
    }
    whole
}

fn calls(content: &[AssistantPart], called: &str) -> bool {
    content.iter().any(|part| matches!(part, AssistantPart::ToolCall { id, .. } if id == called))
}

/// The conversation with a summary in the place of its oldest messages. Those that stay are as they were, and so are the
/// app's own, which no model sees; they stand before the summary. The pictures of the request under way stand behind it,
/// with its words. Answers among those that stay were given to more than
/// now stands here, so the next [`estimate`](super::estimate) is since the end of this.
///
/// A summary speaks with the person's voice, and what is in it counts as said. So addresses in it that are not `known`
/// are left out: a model may have made them up, or a stranger may have had it write them.
pub fn apply(messages: &[Message], cut: &Cut, summary: &str, known: &Provenance) -> Vec<Message> {
    let (gone, kept) = messages.split_at(cut.at.min(messages.len()));
    let mut content = summary.trim().to_owned();
    // No one else may put words into the person's mouth.
    for mark in REQUEST {
        content = content.replace(mark.trim(), "[…]");
    }
    let request = if kept.iter().any(is_said) { None } else { last_request(gone) };
    let request = request.map(|request| shorten_to_tokens(request, cut.summary / 2)).unwrap_or_default();
    content = shorten_to_tokens(&content, cut.summary.saturating_sub(estimate_text(&request)));
    let mut images: Vec<Image> = gone.iter().skip(under_way(messages)).flat_map(given).cloned().collect();
    images.drain(..images.len().saturating_sub(cut.images));
    // With its pictures it is a message as before.
    if !request.is_empty() && images.is_empty() {
        content = format!("{content}\n\n{}{request}{}", REQUEST[0], REQUEST[1]);
    }
    let mut all: Vec<Message> = gone.iter().filter(|message| matches!(message, Message::Custom(_))).cloned().collect();
    // At last, so that what is left of a URL that was cut is none.
    all.push(Message::Summary { content: known.without_unknown(&content) });
    if !images.is_empty() {
        all.push(Message::User { content: UserContent { text: known.without_unknown(&request), images } });
    }
    all.extend_from_slice(kept);
    all
}

fn is_said(message: &Message) -> bool {
    matches!(message, Message::User { .. })
}

/// What the person asked last: in a message, or in the words that an earlier summary kept.
pub(super) fn last_request(messages: &[Message]) -> Option<&str> {
    messages.iter().rev().find_map(|message| match message {
        Message::User { content } => Some(content.text.as_str()),
        Message::Summary { content } => split_request(content).1,
        _ => None,
    })
}

/// A summary, and the request that stands at its end.
pub(super) fn split_request(summary: &str) -> (&str, Option<&str>) {
    let split = summary.strip_suffix(REQUEST[1]).and_then(|rest| rest.split_once(REQUEST[0]));
    split.map_or((summary, None), |(summary, request)| (summary.trim_end(), Some(request)))
}

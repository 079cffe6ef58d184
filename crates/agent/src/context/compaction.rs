//! Selection of the messages that are replaced by a summary when a conversation fills the context window.
//!
//! A call and its results stay together, because providers refuse one without the other. The user's last request is
//! never lost: if the cut is within a long run, the summary ends with its text, and its images follow.

use crate::shortening::shorten_to_tokens;
use crate::skills::activated_skills;
use copydesk_edit::provenance::Provenance;
use copydesk_llm::tokens::{Estimate, IMAGE_TOKENS, estimate_message, estimate_text};
use copydesk_llm::{AssistantPart, Image, Message, UserContent};

/// The share of the window, in percent, above which the oldest messages are summarized.
pub const FULL_PERCENT: usize = 80;
/// The share of the window, in percent, that the remaining messages may fill.
pub const KEPT_PERCENT: usize = 35;
/// The least share of the window, in percent, that a cut must free: each summary is a request of its own.
const LEAST_GAIN_PERCENT: usize = 5;
/// The share of the window, in percent, above which any gain is worth a cut.
const URGENT_PERCENT: usize = 95;
/// The overhead of a message, in tokens.
const FRAME: usize = 4;
/// The longest summary, in tokens. In a small window it is a tenth of the window.
const LONGEST_SUMMARY: usize = 4_000;

/// The marks around the user's last request at the end of a summary.
const REQUEST: [&str; 2] = ["<request>\n", "\n</request>"];

/// The decision about the length of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// No change: it fits, or a cut would gain too little.
    Keep,
    /// Replace the oldest messages with a summary.
    Cut(Cut),
    /// Even the messages that have to stay exceed the window.
    TooLarge {
        /// Their size, in tokens.
        tokens: usize,
        /// Index of the largest message that has to stay; `None` if the system prompt and the tools alone are too
        /// large.
        largest: Option<usize>,
    },
}

/// The point at which a conversation is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Index of the first message that stays.
    pub at: usize,
    /// The most tokens of the summary.
    pub summary: usize,
    /// The most images of the current request that stay although its message is removed.
    pub images: usize,
    /// The size of the context before, in tokens.
    pub before: usize,
    /// The most that it has after, in tokens.
    pub after: usize,
}

/// Decides whether a conversation has to be cut before the next request, and where.
///
/// Candidates are the positions that separate no call from its result. Of those after which at most [`KEPT_PERCENT`]
/// percent of the window remain, the earliest is chosen, or the earliest at a message of the user if that keeps at
/// least half as much. If all keep too much, the last one is chosen.
pub fn plan(messages: &[Message], estimate: &Estimate, window: usize) -> Plan {
    let percent = |percent_of_window: usize| (window as u64 * percent_of_window as u64 / 100) as usize;
    if estimate.used <= percent(FULL_PERCENT) {
        return Plan::Keep;
    }
    let (sizes, scaled) = sizes(messages, estimate);
    let all: usize = sizes.iter().sum();
    let summary = (window / 10).min(LONGEST_SUMMARY);
    let budget = percent(FULL_PERCENT).saturating_sub(estimate.fixed + summary).min(percent(KEPT_PERCENT));
    let gain = if is_urgent(estimate, window) { 1 } else { percent(LEAST_GAIN_PERCENT) };

    let whole = can_cut_before(messages);
    let (begun, most) = (request_start(messages), (percent(KEPT_PERCENT) / IMAGE_TOKENS).max(1));
    // The size of all removed messages, the size of those other than summaries, and the number of images that stay.
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
        images = (images + user_images(&messages[at]).len() * usize::from(at >= begun)).min(most);
    }
    let best = match (any, said) {
        (Some((_, most, _)), Some((_, kept, _))) if kept * 2 >= most => said,
        (Some(_), _) => any,
        _ => last,
    };
    let Some((at, kept, images)) = best else {
        return if estimate.used > window { too_large(estimate.used, 0, &sizes) } else { Plan::Keep };
    };
    // The summary must be shorter than what it replaces.
    let summary = summary.min((all - kept) / 2);
    let after = estimate.fixed + summary + kept;
    if after > window {
        return too_large(after, at, &sizes);
    }
    Plan::Cut(Cut { at, summary, images, before: estimate.used, after })
}

/// Returns whether a conversation hardly fits the window, so that compaction cannot wait.
pub fn is_urgent(estimate: &Estimate, window: usize) -> bool {
    estimate.used as u64 * 100 > window as u64 * URGENT_PERCENT as u64
}

fn too_large(tokens: usize, from: usize, sizes: &[usize]) -> Plan {
    let largest = (from..sizes.len()).max_by_key(|at| sizes[*at]).filter(|at| sizes[*at] > 0);
    Plan::TooLarge { tokens, largest }
}

/// Returns the sizes of messages scaled to the reported tokens, and the function that scales a size. The difference
/// between the provider's count and the heuristic is distributed over the messages.
fn sizes(messages: &[Message], estimate: &Estimate) -> (Vec<usize>, impl Fn(usize) -> usize) {
    let mut sizes: Vec<usize> = messages.iter().map(estimate_message).collect();
    let mut all = sizes.iter().sum::<usize>() as u64;
    // Tokenizers do not differ by more than this; the counts are of something else.
    let mut said = (estimate.used.saturating_sub(estimate.fixed) as u64).clamp(all / 2, all.saturating_mul(3));
    if !estimate.counted || all == 0 {
        (said, all) = (1, 1);
    }
    let scaled = move |size: usize| (size as u64).saturating_mul(said).div_ceil(all) as usize;
    sizes.iter_mut().for_each(|size| *size = scaled(*size));
    (sizes, scaled)
}

/// Returns the index of the first message after the last answer without calls: the start of the current request.
fn request_start(messages: &[Message]) -> usize {
    let ends = |message: &Message| match message {
        Message::Assistant { content, .. } => {
            !content.iter().any(|part| matches!(part, AssistantPart::ToolCall { .. }))
        }
        _ => false,
    };
    messages.iter().rposition(ends).map_or(0, |at| at + 1)
}

/// Returns the images that the user sent with a message.
fn user_images(message: &Message) -> &[Image] {
    if let Message::User { content } = message { &content.images } else { &[] }
}

/// Returns for each message whether a cut before it separates no call from its result or approval, and no document from
/// the message after which it is shown. Results are between their call and the next answer, as in
/// [`history`](copydesk_llm::history).
fn can_cut_before(messages: &[Message]) -> Vec<bool> {
    let mut whole = vec![true; messages.len()];
    let mut answer: Option<(usize, &[AssistantPart])> = None;
    for (at, message) in messages.iter().enumerate() {
        match (message, answer) {
            (Message::Assistant { content, .. }, _) => answer = Some((at, content)),
            (
                Message::ToolResult { tool_call_id, .. } | Message::Approval { tool_call_id, .. },
                Some((from, content)),
            ) if calls(content, tool_call_id) => whole[from + 1..=at].fill(false),
            (Message::Document { .. }, _) => whole[at] = false,
            _ => {}
        }
    }
    whole
}

fn calls(content: &[AssistantPart], called: &str) -> bool {
    content.iter().any(|part| matches!(part, AssistantPart::ToolCall { id, .. } if id == called))
}

/// Returns the conversation with a summary in place of its oldest messages. Remaining messages are unchanged, and so
/// are the app's own, which no model gets; they come before the summary. Images of the current request follow the
/// summary, with its text. Token counts in the remaining answers do not apply to the new conversation, so the next
/// [`estimate`](super::estimate) starts at its end.
///
/// The model reads a summary as words of the user. URLs in it that are not `known` are removed: a model may have made
/// them up, or untrusted text may have made it write them.
pub fn apply(messages: &[Message], cut: &Cut, summary: &str, known: &Provenance) -> Vec<Message> {
    let (gone, kept) = messages.split_at(cut.at.min(messages.len()));
    let mut content = summary.trim().to_owned();
    // Text in a summary must not look like a request of the user.
    for mark in REQUEST {
        content = content.replace(mark.trim(), "[…]");
    }
    let request = if kept.iter().any(is_said) { None } else { last_request(gone) };
    let request = request.map(|request| shorten_to_tokens(request, cut.summary / 2)).unwrap_or_default();
    content = shorten_to_tokens(&content, cut.summary.saturating_sub(estimate_text(&request)));
    let mut images: Vec<Image> = gone.iter().skip(request_start(messages)).flat_map(user_images).cloned().collect();
    images.drain(..images.len().saturating_sub(cut.images));
    // A request with images becomes a message.
    if !request.is_empty() && images.is_empty() {
        content = format!("{content}\n\n{}{request}{}", REQUEST[0], REQUEST[1]);
    }
    let mut all: Vec<Message> = gone.iter().filter(|message| matches!(message, Message::Custom(_))).cloned().collect();
    // Last, because shortening may cut a URL.
    all.push(Message::Summary { content: known.without_unknown(&content), skills: activated_skills(gone) });
    if !images.is_empty() {
        all.push(Message::User { content: UserContent { text: known.without_unknown(&request), images } });
    }
    all.extend_from_slice(kept);
    all
}

fn is_said(message: &Message) -> bool {
    matches!(message, Message::User { .. })
}

/// Returns the text of the user's last request: of a message, or at the end of an earlier summary.
pub(super) fn last_request(messages: &[Message]) -> Option<&str> {
    messages.iter().rev().find_map(|message| match message {
        Message::User { content } => Some(content.text.as_str()),
        Message::Summary { content, .. } => split_request(content).1,
        _ => None,
    })
}

/// Splits a summary from the request at its end.
pub(super) fn split_request(summary: &str) -> (&str, Option<&str>) {
    let split = summary.strip_suffix(REQUEST[1]).and_then(|rest| rest.split_once(REQUEST[0]));
    split.map_or((summary, None), |(summary, request)| (summary.trim_end(), Some(request)))
}

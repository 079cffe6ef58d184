//! Summaries of the older part of a conversation: the request to a model, and a digest without one.

use super::compaction::split_request;
use crate::messages;
use crate::tools::is_external;
use copydesk_base::catalog;
use copydesk_base::host::is_http_url;
use copydesk_base::locale::Locale;
use copydesk_document::notation::Headline;
use copydesk_document::words::shorten;
use copydesk_llm::tokens::estimate_text;
use copydesk_llm::{AssistantPart, Decision, Message, UserContent};
use serde_json::Value;
use std::borrow::Cow;

/// The share of the window, in percent, that the summarized conversation may fill.
const REQUEST_PERCENT: usize = 60;
/// The number of times that text limits are halved before messages are omitted.
const HALVINGS: usize = 5;
/// The most entries of each list in a digest; the newest are kept.
const MOST_LISTED: usize = 15;
/// The deepest nesting of results that is searched.
const DEEPEST: usize = 8;

/// A request for a summary, without tools; the text of its answer is the summary.
#[derive(Clone, Debug, PartialEq)]
pub struct SummaryRequest {
    /// The system prompt.
    pub system: String,
    /// One message that contains the conversation as text.
    pub messages: Vec<Message>,
}

/// Returns the request for a summary of `messages`. It fits the window: first long texts are shortened, then messages
/// in the middle are omitted.
pub fn summary_request(messages: &[Message], window: usize, locale: Locale) -> SummaryRequest {
    let budget = (window as u64 * REQUEST_PERCENT as u64 / 100) as usize;
    let mut lines = Vec::new();
    for halvings in 0..=HALVINGS {
        lines = messages.iter().flat_map(|message| lines_of(message, halvings)).collect();
        if lines.iter().map(|line| estimate_text(line)).sum::<usize>() <= budget {
            break;
        }
    }
    let left_out = leave_out(&mut lines, budget);
    if let Some((at, count)) = left_out {
        lines.insert(at, format!("[… {count} lines omitted …]"));
    }
    let ask = messages::ASK_FOR_SUMMARY.text(locale);
    let content = format!("{ask}\n\n<conversation>\n{}\n</conversation>", lines.join("\n"));
    let messages = vec![Message::user(content)];
    SummaryRequest { system: messages::SUMMARY_PROMPT.text(locale).trim_end().to_owned(), messages }
}

/// Returns a message as lines of text.
fn lines_of(message: &Message, halvings: usize) -> Vec<String> {
    let line = |who: &str, text: &str, longest: usize| {
        // Quoted text must not end the quotation.
        let text = shorten(text.trim(), (longest >> halvings).max(80)).replace("</conversation", "</ conversation");
        format!("[{who}] {text}")
    };
    match message {
        Message::User { content: UserContent { text: content, images } } => {
            vec![line("user", content, 6_000) + &image_note(images.len())]
        }
        Message::Summary { content, .. } => vec![line("earlier summary", content, 16_000)],
        Message::Note { content } => vec![line("note", content, 2_000)],
        Message::Assistant { stop_reason, .. } if matches!(stop_reason.as_str(), "error" | "aborted") => Vec::new(),
        Message::Assistant { content, .. } => {
            let part = |part: &AssistantPart| match part {
                AssistantPart::Text { text, .. } if !text.trim().is_empty() => Some(line("assistant", text, 3_000)),
                AssistantPart::ToolCall { name, arguments, .. } => {
                    let arguments = serde_json::to_string(arguments).unwrap_or_default();
                    Some(line(&format!("call {}", shorten(name, 64)), &arguments, 800))
                }
                _ => None,
            };
            content.iter().filter_map(part).collect()
        }
        Message::ToolResult { tool_name, content, is_error, images, .. } => {
            let kind = if *is_error { "error" } else { "result" };
            let who = format!("{kind} {}", shorten(tool_name, 64));
            let said = match content {
                Value::String(text) => line(&who, text, 1_200),
                _ => line(&who, &content.to_string(), 1_200),
            };
            vec![said + &image_note(images.len())]
        }
        Message::Approval { tool_name, decision: Decision::Rejected, reason, .. } => {
            vec![line(&format!("rejected {}", shorten(tool_name, 64)), reason.as_deref().unwrap_or_default(), 800)]
        }
        // It is shown again in its then current state.
        Message::Document { .. } | Message::Approval { .. } | Message::Custom(_) => Vec::new(),
    }
}

fn image_note(count: usize) -> String {
    if count > 0 { format!(" [with {count} images]") } else { String::new() }
}

/// Removes lines from the middle until the rest fits. Returns their index and number.
fn leave_out(lines: &mut Vec<String>, budget: usize) -> Option<(usize, usize)> {
    let sizes: Vec<usize> = lines.iter().map(|line| estimate_text(line)).collect();
    if sizes.iter().sum::<usize>() <= budget {
        return None;
    }
    // A quarter for the beginning, the rest for the end.
    let (mut first, mut last) = (0, lines.len());
    let (mut begin, mut end) = (0, 0);
    while first < last && begin + sizes[first] <= budget / 4 {
        begin += sizes[first];
        first += 1;
    }
    while last > first && end + sizes[last - 1] <= budget - budget / 4 {
        end += sizes[last - 1];
        last -= 1;
    }
    lines.drain(first..last);
    Some((first, last - first))
}

/// Returns a summary made without a model: the requests, the edits, the sources found. At most about 8,000
/// characters. An earlier digest at its beginning is continued, and not repeated as a whole.
pub fn digest(messages: &[Message], locale: Locale) -> String {
    let mut digest = Digest::default();
    messages.iter().for_each(|message| digest.take(message));
    let mut out = String::from(messages::DIGEST.text(locale));
    for list in List::ALL {
        let lines = digest.lines(list, locale);
        if !lines.is_empty() {
            out.push_str("\n\n");
            out.push_str(list.title(locale));
            lines.iter().for_each(|line| {
                out.push_str("\n- ");
                out.push_str(line);
            });
        }
    }
    out
}

/// A list of a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum List {
    Earlier,
    Asked,
    Tools,
    Edits,
    Version,
    Urls,
    Answer,
}

impl List {
    /// All lists, in the order in which they are written.
    const ALL: [List; 7] =
        [List::Earlier, List::Asked, List::Tools, List::Edits, List::Version, List::Urls, List::Answer];

    fn title(self, locale: Locale) -> &'static str {
        let title = match self {
            List::Earlier => messages::LIST_EARLIER,
            List::Asked => messages::LIST_ASKED,
            List::Tools => messages::LIST_TOOLS,
            List::Edits => messages::LIST_EDITS,
            List::Version => messages::LIST_VERSION,
            List::Urls => messages::LIST_URLS,
            List::Answer => messages::LIST_ANSWER,
        };
        title.text(locale)
    }

    /// Returns the list with this title, in any language.
    fn titled(title: &str) -> Option<List> {
        let locales = catalog::locales();
        List::ALL.into_iter().find(|list| locales.iter().any(|locale| list.title(*locale) == title))
    }
}

/// Reads a digest; `None` if it is another summary.
fn lists_of(summary: &str) -> Option<Vec<(List, Vec<String>)>> {
    let rest = catalog::locales().into_iter().find_map(|locale| summary.strip_prefix(messages::DIGEST.text(locale)))?;
    let mut lists: Vec<(List, Vec<String>)> = Vec::new();
    for paragraph in rest.split("\n\n").skip(1) {
        let (title, lines) = paragraph.split_once('\n').unwrap_or((paragraph, ""));
        match (List::titled(title), lists.last_mut()) {
            (Some(list), _) => {
                let lines = lines.strip_prefix("- ").unwrap_or(lines);
                lists.push((list, lines.split("\n- ").map(str::to_owned).collect()));
            }
            // An entry may contain paragraphs.
            (None, Some((_, lines))) => {
                let mut entries = paragraph.split("\n- ");
                if let (Some(last), Some(rest)) = (lines.last_mut(), entries.next()) {
                    last.push_str("\n\n");
                    last.push_str(rest);
                }
                lines.extend(entries.map(str::to_owned));
            }
            (None, None) => return None,
        }
    }
    Some(lists)
}

/// The lists of a digest.
#[derive(Default)]
struct Digest {
    earlier: Vec<String>,
    asked: Vec<String>,
    /// Tools, each with the number of successful and failed calls.
    tools: Vec<(String, usize, usize)>,
    edits: Vec<String>,
    version: Vec<String>,
    urls: Vec<String>,
    answer: Vec<String>,
}

impl Digest {
    fn take(&mut self, message: &Message) {
        match message {
            Message::Summary { content, .. } => self.summary(split_request(content).0),
            Message::User { content } => push(&mut self.asked, shorten(content.text.trim(), 300)),
            Message::Assistant { content, .. } => {
                for part in content {
                    if let AssistantPart::Text { text, .. } = part
                        && !text.trim().is_empty()
                    {
                        self.answer = vec![shorten(text.trim(), 500)];
                    }
                }
            }
            Message::ToolResult { tool_name, content, is_error, untrusted, .. } => {
                let (ran, failed) = if *is_error { (0, 1) } else { (1, 0) };
                self.count(shorten(tool_name, 64), ran, failed);
                if !is_error {
                    self.result(tool_name, content, *untrusted);
                }
            }
            Message::Document { .. } | Message::Note { .. } | Message::Approval { .. } | Message::Custom(_) => {}
        }
    }

    /// Takes an earlier summary: the entries of a digest, or the text of a model.
    fn summary(&mut self, summary: &str) {
        let Some(lists) = lists_of(summary) else {
            self.earlier = vec![shorten(summary, 2_500)];
            return;
        };
        for (list, lines) in lists {
            match list {
                List::Earlier => self.earlier = lines,
                List::Asked => self.asked = lines,
                List::Edits => self.edits = lines,
                List::Version => self.version = lines,
                List::Urls => self.urls = lines,
                List::Answer => self.answer = lines,
                List::Tools => lines.iter().filter_map(|line| counted(line)).for_each(|(name, ran, failed)| {
                    self.count(name.to_owned(), ran, failed);
                }),
            }
        }
    }

    fn count(&mut self, name: String, ran: usize, failed: usize) {
        let at = self.tools.iter().position(|(known, ..)| *known == name);
        let at = at.unwrap_or_else(|| {
            self.tools.push((name, 0, 0));
            self.tools.len() - 1
        });
        self.tools[at].1 += ran;
        self.tools[at].2 += failed;
    }

    fn lines(&self, list: List, locale: Locale) -> Cow<'_, [String]> {
        match list {
            List::Earlier => (&self.earlier).into(),
            List::Asked => (&self.asked).into(),
            List::Edits => (&self.edits).into(),
            List::Version => (&self.version).into(),
            List::Urls => (&self.urls).into(),
            List::Answer => (&self.answer).into(),
            List::Tools => self.counted(locale).into(),
        }
    }

    fn result(&mut self, tool: &str, content: &Value, untrusted: bool) {
        if is_external(tool) {
            self.collect_urls(content, DEEPEST);
        }
        // The model reads a summary as words of the user: untrusted results must not describe what was done.
        if untrusted {
            return;
        }
        let text = |name: &str| content.get(name).and_then(Value::as_str);
        if let (Some(_), Some(message)) = (text("operation"), text("message")) {
            push(&mut self.edits, shorten(message, 160));
        }
        let named = || Some(Headline::read(content.as_str()?.lines().next()?)?.version);
        if let Some(version) = text("version").or_else(named) {
            self.version = vec![shorten(version, 40)];
        }
    }

    /// Collects the URLs of search results, each with its title.
    fn collect_urls(&mut self, value: &Value, depth: usize) {
        match value {
            _ if depth == 0 => {}
            Value::Array(items) => items.iter().for_each(|item| self.collect_urls(item, depth - 1)),
            Value::Object(fields) => {
                let text = |name: &str| fields.get(name).and_then(Value::as_str);
                // A shortened URL would be another one.
                if let Some(url) = text("url").filter(|url| is_http_url(url) && url.len() <= 300) {
                    // On one line: a title with line breaks could look like another list.
                    let title = text("title").or(text("description")).unwrap_or_default();
                    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
                    push(&mut self.urls, format!("{url} {}", shorten(&title, 60)).trim_end().to_owned());
                } else {
                    fields.values().for_each(|field| self.collect_urls(field, depth - 1));
                }
            }
            _ => {}
        }
    }

    fn counted(&self, locale: Locale) -> Vec<String> {
        let newest = &self.tools[self.tools.len().saturating_sub(MOST_LISTED)..];
        let line = |(name, ran, failed): &(String, usize, usize)| match failed {
            0 => format!("{name} × {ran}"),
            _ => format!("{name} × {ran}, {} × {failed}", messages::FAILED.text(locale)),
        };
        newest.iter().map(line).collect()
    }
}

/// Reads the numbers of successful and failed calls of a tool, as a digest states them.
fn counted(line: &str) -> Option<(&str, usize, usize)> {
    let (name, numbers) = line.split_once(" × ")?;
    let (ran, failed) = match numbers.split_once(", ") {
        None => (numbers, "0"),
        Some((ran, failed)) => (ran, failed.rsplit(' ').next()?),
    };
    Some((name, ran.parse().ok()?, failed.parse().ok()?))
}

/// Adds an entry to a list that keeps only the newest, each once.
fn push(list: &mut Vec<String>, entry: String) {
    list.retain(|known| *known != entry);
    list.push(entry);
    if list.len() > MOST_LISTED {
        list.remove(0);
    }
}

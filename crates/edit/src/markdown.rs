//! Markdown, which models write although they are asked for HTML.
//!
//! [`looks_like`] recognizes it by notation that has no other use; prose with a number, a dash or an asterisk at the
//! beginning of a line is not Markdown. The parser is the host's ([`Markdown`]): it is loaded when it is first needed.

use super::apply::DocumentHost;
pub use super::host::Markdown;
pub use super::markdown_syntax::{has_escape, has_inline_mark, has_small_mark, has_underscored, looks_like};
pub(crate) use super::markdown_syntax::{heading, heading_sign, indented, is_rule, item, without_code};
use super::{fence, formulas};
use crate::Error;
use copydesk_document::Line;

/// The beginning of the tag of a table that was written in Markdown. It is not used if the Markdown contains tables of
/// HTML.
pub const TABLE: &str = "<table data-notation=\"markdown\"";

/// Returns Markdown as HTML, by the host's parser.
///
/// # Errors
/// [`Error::MarkdownNotLoaded`], [`Error::MarkdownTooLarge`], [`Error::MarkdownFailed`].
pub fn to_html(host: &dyn DocumentHost, markdown: &str) -> Result<String, Error> {
    let not_loaded = || Error::MarkdownNotLoaded { reason: None };
    let parser = host.markdown().ok_or_else(not_loaded)?;
    let markdown = fence::unfenced(markdown, fence::MARKDOWN);
    let schema = host.document()?.schema().clone();
    let html = parser.to_html(&formulas::as_elements(&schema, markdown))?.ok_or_else(not_loaded)?;
    Ok(if markdown.contains("<table") { html } else { html.replace("<table", TABLE) })
}

/// Returns whether lines have no text. Markdown for them is read as a file is.
pub fn is_blank(lines: &[Line]) -> bool {
    lines.iter().all(|line| line.text.trim().is_empty())
}

//! Determines how content for lines is written, without the numbers and signs that the model was shown.

use super::apply::DocumentHost;
use super::as_shown;
use super::atoms::{Atoms, Shield, ShieldedEdit};
use super::content::{self, Format};
use super::operation::LineEdit;
use super::pair::{Fate, pair};
use super::restated::{self, Signs};
use super::tidied::Tidied;
use super::{fence, fit, guard, levels, line_blocks, markdown};
use crate::Error;
use copydesk_document::notation::{Prefix, Sign};
use copydesk_document::{Document, Line, count_lines};
use std::ops::Range;

/// Content on its way to lines.
pub struct Written {
    /// The content.
    pub content: ContentKind,
    /// True if it was Markdown.
    pub from_markdown: bool,
    /// True if its signs say what kind of list the lines become.
    pub states_list: bool,
}

/// The kind of the content.
pub enum ContentKind {
    /// Nothing: the lines go.
    Empty,
    /// Plain lines.
    Text(Tidied),
    /// Lines of inline HTML.
    Inline(Vec<String>),
    /// Lines of inline HTML that came of Markdown: what stays of the text keeps its own marks as well.
    Marked(Tidied),
    /// HTML with blocks in it.
    Blocks(String),
}

impl ContentKind {
    /// Puts text forms back where single letters stood for them.
    fn unshielded(self, shield: &Shield) -> ContentKind {
        let html = |lines: Vec<String>| lines.into_iter().map(|line| shield.html(line)).collect();
        match self {
            ContentKind::Empty => ContentKind::Empty,
            ContentKind::Text(tidied) => {
                let lines = tidied.lines.into_iter().map(|line| shield.text(line)).collect();
                ContentKind::Text(Tidied { lines, ..tidied })
            }
            ContentKind::Inline(lines) => ContentKind::Inline(html(lines)),
            ContentKind::Marked(tidied) => ContentKind::Marked(Tidied { lines: html(tidied.lines), ..tidied }),
            ContentKind::Blocks(text) => ContentKind::Blocks(shield.html(text)),
        }
    }
}

/// Reads the content of an edit as [`written`] does. The text forms of `atoms` in it mean nothing else. `is_whole` states
/// that it is the whole document, of which the lines are a part.
///
/// # Errors
/// As [`written`].
pub fn written_with(
    host: &dyn DocumentHost,
    document: &Document,
    lines: &[Line],
    edit: &LineEdit,
    atoms: &Atoms,
    is_whole: bool,
) -> Result<Written, Error> {
    let ShieldedEdit { lines, edit, shield } = atoms.shielded_edit(lines, edit);
    let written = written(host, document, &lines, &edit, is_whole)?;
    Ok(Written { content: written.content.unshielded(&shield), ..written })
}

/// Returns the format of content for lines; `tidied` is the content without signs.
fn range_format(text: &str, tidied: &[String], old: &[Line]) -> Format {
    let old = || old.iter().map(|line| line.text.as_str());
    match Format::of(text) {
        // A tag in backticks is one that is shown.
        Format::Html if content::has_tag(&markdown::without_code(text)) => Format::Html,
        _ if markdown::looks_like(&without_old_signs(tidied, old())) => Format::Markdown,
        _ if tidied.iter().any(|line| markdown::has_small_mark(line, old())) => Format::Markdown,
        _ => Format::Text,
    }
}

/// Returns the lines that do not begin with a sign with which an old line begins as its text.
fn without_old_signs<'t>(lines: &[String], old: impl Iterator<Item = &'t str>) -> String {
    const SIGNS: [&str; 5] = ["- ", "* ", "+ ", "> ", "1. "];
    let old: Vec<&str> = old.filter_map(|text| SIGNS.into_iter().find(|sign| text.starts_with(sign))).collect();
    let number = |line: &str| markdown::item(line).is_some_and(|item| item.number.is_some());
    let is_old = |line: &&String| {
        old.iter().any(|sign| line.starts_with(sign) || *sign == "1. " && number(line))
            && !markdown::has_inline_mark(line)
    };
    lines.iter().filter(|line| !is_old(line)).map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// Returns the format of a whole new document; `tidied` is its content without signs.
pub fn whole_format(text: &str, tidied: &[String], old: &[Line], said: Option<Format>) -> Format {
    let texts = || old.iter().map(|line| line.text.as_str());
    let format = || match range_format(text, tidied, &[]) {
        Format::Text if line_blocks::are_stated(tidied.iter().map(String::as_str), texts()) => Format::Markdown,
        format => format,
    };
    said.unwrap_or_else(format)
}

/// HTML that came of Markdown, if no address in it is one that is never written.
pub fn checked(document: &Document, html: String) -> Result<String, Error> {
    guard::check_html(&[&html], document)?;
    Ok(html)
}

/// Returns HTML of Markdown in which a paragraph that is only an image is that image, where images are blocks.
fn with_images_as_blocks(document: &Document, html: String) -> String {
    let schema = document.schema();
    let is_block = schema.find_node("image").is_some_and(|image| !schema.is_inline(image));
    if !is_block || !html.contains("<p><img ") {
        return html;
    }
    let (mut out, mut rest) = (String::with_capacity(html.len()), html.as_str());
    while let Some((before, inside)) = rest.split_once("<p><img ") {
        out += before;
        match inside.split_once("</p>") {
            Some((image, after)) if image.trim_end().ends_with('>') && image.matches('<').count() == 0 => {
                out += "<img ";
                out += image;
                rest = after;
            }
            _ => {
                out += "<p><img ";
                rest = inside;
            }
        }
    }
    out + rest
}

/// HTML that is nothing but paragraphs, as their lines.
pub(super) fn paragraphs(html: &str) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    let mut rest = html.trim();
    while !rest.is_empty() {
        let (inside, after) = rest.strip_prefix("<p>")?.split_once("</p>")?;
        // A break makes two lines of one.
        if !content::is_inline(inside) || inside.contains("<br") {
            return None;
        }
        lines.extend(inside.split('\n').map(str::to_owned));
        rest = after.trim_start();
    }
    Some(lines)
}

/// Reads the content of an edit. Its format depends on the lines that it replaces: code may look like HTML, and the
/// sign of an item is no Markdown in a list.
///
/// `lines` are those that it takes the place of.
///
/// # Errors
/// [`Error::MarkdownNotLoaded`], [`Error::UnsafeUrl`].
fn written(
    host: &dyn DocumentHost,
    document: &Document,
    lines: &[Line],
    edit: &LineEdit,
    is_whole: bool,
) -> Result<Written, Error> {
    let text = edit.content.as_str();
    let plain = |content: ContentKind| Ok(Written { content, from_markdown: false, states_list: false });
    if text.is_empty() {
        return plain(ContentKind::Empty);
    }
    let schema = document.schema();
    let code = lines.iter().all(|line| line.is_code(schema));
    let bare = as_shown::without_numbers(as_shown::lines(text), lines);
    let is_more = code && has_code_and_more(document, lines, &bare);
    if code && edit.format.is_none() && !is_more && !is_html_for_code(text, lines) {
        return plain(code_content(document, lines, bare));
    }
    if edit.format.is_none() && is_rule(document, lines, text) {
        return plain(ContentKind::Blocks("<hr>".into()));
    }
    let new = tidy(document, lines, bare.clone());
    let makes_tasks = makes_tasks(document, lines, &new.lines);
    let states_list = edit.format.is_none() && levels::states_other_list(document, lines, &bare);
    // The signs of a list in the place of a table are no text of its cells.
    let replaces_table = fit::is_whole_table(document, lines) && levels::are_items(&bare, lines);
    let states_list = states_list || replaces_table;
    let moves_leaves = || new.clone().without_blank_lines(lines).moves_leaves(document, lines);
    let format = || match range_format(text, &new.lines, lines) {
        Format::Text if makes_tasks || states_list || moves_leaves() || are_stated(document, lines, &new.lines) => {
            Format::Markdown
        }
        format => format,
    };
    let may_be_markdown =
        edit.format.is_none() && host.markdown().is_some() && (!content::has_tag(text) || content::is_inline(text));
    let moves = || {
        let filled = new.clone().filtered(|_| false).lines;
        let stays = |fate: &Fate| fate.own.is_some() && fate.before.is_empty() && fate.after.is_empty();
        !fates(document, lines, &filled, 0..lines.len()).iter().all(stays)
    };
    let states_blocks = || match restated::signs(document, lines, &bare) {
        Signs::Nothing => false,
        Signs::SameBlocks => moves(),
        Signs::OtherBlocks => true,
    };
    if may_be_markdown && !is_whole && states_blocks() {
        let source = line_blocks::lines_apart(&restated::as_markdown(document, lines, &bare));
        let html = checked(document, markdown::to_html(host, &source)?)?;
        let content = ContentKind::Blocks(with_images_as_blocks(document, html));
        return Ok(Written { content, from_markdown: true, states_list });
    }
    match edit.format.unwrap_or_else(format) {
        Format::Html if content::is_inline(text) && !code => plain(ContentKind::Inline(bare)),
        Format::Html => plain(ContentKind::Blocks(content::to_html(text))),
        // A host without any parser takes what only looks like Markdown for the text that it is as well.
        Format::Markdown if edit.format.is_some() || host.markdown().is_some() => {
            let stated = edit.format.is_some();
            let source = if stated { text.to_owned() } else { line_blocks::lines_apart(&new.lines.join("\n")) };
            let html = checked(document, markdown::to_html(host, &source)?)?;
            let content = match paragraphs(&html).filter(|_| new.leaves.is_empty() && !makes_tasks && !states_list) {
                Some(lines) if !stated && lines.len() == new.lines.len() => {
                    ContentKind::Marked(Tidied { lines, states: new.states, ..Tidied::default() })
                }
                Some(lines) => {
                    // Blank lines separate paragraphs.
                    let filled = new.filtered(|_| false);
                    let states = if !stated && filled.lines.len() == lines.len() {
                        filled.states
                    } else {
                        vec![None; lines.len()]
                    };
                    ContentKind::Marked(Tidied { lines, states, ..Tidied::default() })
                }
                // Where there are blocks, the signs of the lines say what these are.
                None if !stated && new.lines != bare => {
                    let source = match states_list && !replaces_table {
                        true => line_blocks::without_quotes(&bare),
                        false => bare.join("\n"),
                    };
                    let html = checked(document, markdown::to_html(host, &line_blocks::lines_apart(&source))?)?;
                    ContentKind::Blocks(with_images_as_blocks(document, html))
                }
                None => ContentKind::Blocks(with_images_as_blocks(document, html)),
            };
            Ok(Written { content, from_markdown: true, states_list })
        }
        Format::Markdown | Format::Text if edit.format.is_some() => plain(ContentKind::Text(bare.into())),
        Format::Markdown | Format::Text => {
            plain(ContentKind::Text(new.without_blank_lines(lines).without_breaks(lines)))
        }
    }
}

/// Returns content for lines of code. Fences around it go; the language that they state is that of the block where all
/// its lines are given.
fn code_content(document: &Document, lines: &[Line], bare: Vec<String>) -> ContentKind {
    let text = bare.join("\n");
    let Some(fenced) = fence::fenced(&text) else { return ContentKind::Text(bare.into()) };
    let (language, inside) = (fenced.language, fenced.inside);
    let stripped =
        if inside.is_empty() { Vec::new() } else { inside.split('\n').map(str::to_owned).collect::<Vec<_>>() };
    let Some(first) = lines.first().filter(|_| !language.is_empty()) else { return ContentKind::Text(stripped.into()) };
    let Some(block) = document.node_at(&first.path) else { return ContentKind::Text(stripped.into()) };
    let is_whole =
        lines.iter().all(|line| line.path == first.path) && count_lines(document.schema(), block) == lines.len();
    let is_word = language.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-#._".contains(&byte));
    if !is_whole || !is_word || block.attrs().text("language") == Some(language) {
        return ContentKind::Text(stripped.into());
    }
    let code = content::escape(inside);
    ContentKind::Blocks(format!("<pre><code class=\"language-{language}\">{code}</code></pre>"))
}

/// Returns whether lines are paragraphs that are neither items nor cells, so that a sign before their content states a
/// block.
fn are_paragraphs(document: &Document, lines: &[Line]) -> bool {
    let mut prefixes = as_shown::Prefixes::new(document);
    !lines.is_empty() && lines.iter().all(|line| prefixes.of(line).unquoted().is_empty())
}

/// Returns whether content for paragraphs or a rule is a rule: `---`, `***`, `___`.
fn is_rule(document: &Document, lines: &[Line], text: &str) -> bool {
    let is_leaf = |line: &Line| line.kind == "horizontalRule";
    line_blocks::is_rule(text)
        && !lines.iter().any(|line| line.text.trim() == text.trim())
        && (are_paragraphs(document, lines) || matches!(lines, [line] if is_leaf(line)))
}

/// Returns whether content for paragraphs states blocks by the signs of some of its lines, which none of the old lines
/// has.
fn are_stated(document: &Document, lines: &[Line], new: &[String]) -> bool {
    line_blocks::are_stated(new.iter().map(String::as_str), lines.iter().map(|line| line.text.as_str()))
        && are_paragraphs(document, lines)
}

/// Returns whether content for a whole block of code is a block of code in fences with something before or behind it.
fn has_code_and_more(document: &Document, lines: &[Line], bare: &[String]) -> bool {
    let is_fence = |line: &&String| line.starts_with("```");
    let Some(block) = lines.first().and_then(|first| document.node_at(&first.path)) else { return false };
    bare.iter().filter(is_fence).count() == 2
        && fence::fenced(&bare.join("\n")).is_none()
        && count_lines(document.schema(), block) == lines.len()
        && !lines.iter().any(|line| line.text.contains("```"))
}

/// Returns whether content makes tasks of the items of a whole list: each line has a box, and no item had one.
fn makes_tasks(document: &Document, lines: &[Line], new: &[String]) -> bool {
    let has_box = |text: &str| ["[ ] ", "[x] ", "[X] "].iter().any(|sign| text.starts_with(sign));
    let mut filled = new.iter().filter(|line| !line.trim().is_empty()).peekable();
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return false };
    let is_whole = first.block == last.block
        && document.line_numbers_of(first.block) == (first.line..last.line + 1)
        && fit::is_list(document.schema(), &document.blocks()[first.block]);
    is_whole
        && filled.peek().is_some()
        && filled.all(|line| has_box(line))
        && !lines.iter().any(|line| has_box(&line.text))
        && lines.iter().all(|line| as_shown::Prefixes::new(document).of(line).checked().is_none())
}

/// Returns whether content for lines of code is HTML: a block of code, or blocks where the code has no tags.
fn is_html_for_code(text: &str, lines: &[Line]) -> bool {
    const BLOCKS: [&str; 12] = ["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "table", "pre"];
    let tag = content::outer_tag(text).filter(|tag| BLOCKS.contains(&tag.as_str()));
    let is_block = tag.is_some_and(|tag| {
        tag == "pre" || text.trim_end().ends_with(&format!("</{tag}>")) || text.trim_end().ends_with('>')
    });
    is_block && (text.trim_start().starts_with("<pre") || !lines.iter().any(|line| line.text.contains('<')))
}

/// Returns content lines without the prefixes of the lines that they are to become.
pub fn tidy(document: &Document, lines: &[Line], mut new: Vec<String>) -> Tidied {
    // Each sign of a rule means one; they are shown by one of them.
    if lines.iter().any(|line| line.kind == "horizontalRule") {
        let is_other = |line: &&mut String| line_blocks::is_rule(line) && !lines.iter().any(|old| old.text == **line);
        new.iter_mut().filter(is_other).for_each(|line| *line = "---".into());
    }
    levels::indent_as_shown(&mut new);
    let mut tidied = Tidied::from(new);
    if !tidied.lines.iter().any(|text| Prefix::may_begin(text)) {
        return tidied;
    }
    let mut prefixes = as_shown::Prefixes::new(document);
    // A quotation has its sign in its blank lines too.
    if lines.iter().any(|line| line.path.len() > 1 && prefixes.of(line).signs().first() == Some(&Sign::Quote)) {
        let is_blank = |line: &&mut String| line.starts_with('>') && line.chars().all(|c| matches!(c, '>' | ' '));
        tidied.lines.iter_mut().filter(is_blank).for_each(String::clear);
    }
    tidied.read_leaves(document, lines, &mut prefixes);
    let fates = fates(document, lines, &tidied.lines, 0..lines.len());
    for (line, fate) in lines.iter().zip(&fates) {
        let all: Vec<usize> = fate.lines().collect();
        if !all.iter().any(|index| Prefix::may_begin(&tidied.lines[*index])) {
            continue;
        }
        let prefix = prefixes.of(line);
        // A line whose text begins like its prefix keeps it: it cannot be known which of the two is meant.
        let is_ambiguous = !prefix.is_empty() && prefix.read(&line.text).is_some_and(|(given, _)| given == prefix);
        for index in all {
            let is_own = fate.own == Some(index);
            if is_own && (is_ambiguous || tidied.lines[index] == line.text) {
                continue;
            }
            // What is added beside a heading is a paragraph, and has no sign.
            if (is_own || !prefix.is_heading())
                && let Some((given, text)) = read_signs(&prefix, &tidied.lines[index], &line.text)
            {
                tidied.states[index] = given.checked();
                if text.is_empty() && matches!(prefix.signs().last(), Some(Sign::Own(_))) {
                    tidied.leaves.push(index);
                }
                tidied.lines[index] = text.to_owned();
            }
        }
    }
    tidied.leaves.sort_unstable();
    if tidied.states.iter().any(Option::is_some) {
        // Without their signs other lines may be the same: those that are as they were say nothing.
        let fates = self::fates(document, lines, &tidied.lines, 0..lines.len());
        for (line, own) in lines.iter().zip(fates).filter_map(|(line, fate)| Some((line, fate.own?))) {
            tidied.states[own] = tidied.states[own].filter(|checked| prefixes.of(line).checked() != Some(*checked));
        }
    }
    tidied
}

/// Reads the signs of a line before a new text for it. Those of quotations around it may be missing, an item may begin
/// with a bullet instead of its own sign, and a cell may end with a bar.
fn read_signs<'t>(prefix: &Prefix, text: &'t str, old: &str) -> Option<(Prefix, &'t str)> {
    let read = |prefix: &Prefix| prefix.read(text).filter(|_| !prefix.is_empty());
    let bullet = |prefix: &Prefix| prefix.with_bullet().and_then(|prefix| read(&prefix));
    let bare = prefix.without_indents();
    let either = |prefix: &Prefix| read(prefix).or_else(|| bullet(prefix));
    let given = prefix.less_quoted().find_map(|prefix| either(&prefix)).or_else(|| either(&bare));
    let (given, text) = given?;
    let in_bars = text.trim_end().strip_suffix('|').filter(|inside| !inside.contains('|') && !old.contains('|'));
    match prefix.signs().last() {
        // Markdown wants a line inside an item of a numbered list further in than it is shown.
        Some(Sign::Indent) if !old.starts_with(' ') => Some((given, text.trim_start_matches(' '))),
        Some(Sign::Cell) => Some((given, in_bars.map_or(text, str::trim_end))),
        _ => Some((given, text)),
    }
}

/// Pairs the lines of a document with new lines.
pub fn fates(document: &Document, lines: &[Line], new: &[String], preferred: Range<usize>) -> Vec<Fate> {
    let old: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    // A line for each of several cells is the text of that cell, even where it was the text of another one.
    if old.len() == new.len()
        && let [first, .., last] = lines
        && fit::are_cells_apart(document, first, last)
    {
        return (0..old.len()).map(|at| Fate { own: Some(at), ..Fate::default() }).collect();
    }
    pair(document.schema(), &old, &new, preferred)
}

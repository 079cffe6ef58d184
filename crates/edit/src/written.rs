//! Determines how content for lines is written, without the numbers and signs that the model was shown.

use super::apply::DocumentHost;
use super::as_shown;
use super::atoms::{Atoms, Shield, ShieldedEdit};
use super::content::{self, Format};
use super::operation::LineEdit;
use super::pair::{Fate, pair};
use super::{fence, fit, guard, levels, line_blocks, markdown, wrapping};
use crate::Error;
use copydesk_document::notation::{Prefix, Sign};
use copydesk_document::{Document, Line, count_lines};
use std::ops::Range;

/// The share of the old lines that are in a whole document that is given as it is shown.
const MOST_SAME: f64 = 0.6;

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

/// Reads the content of an edit as [`written`] does. The text forms of `atoms` in it mean nothing else.
///
/// # Errors
/// As [`written`].
pub fn written_with(
    host: &dyn DocumentHost,
    document: &Document,
    lines: &[Line],
    edit: &LineEdit,
    atoms: &Atoms,
) -> Result<Written, Error> {
    let ShieldedEdit { lines, edit, shield } = atoms.shielded_edit(lines, edit);
    let written = written(host, document, &lines, &edit)?;
    Ok(Written { content: written.content.unshielded(&shield), ..written })
}

/// Lines without the signs that were before them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tidied {
    /// The lines.
    pub lines: Vec<String>,
    /// For each line whether it says that its task is done. None where it says nothing, or what is so already.
    pub states: Vec<Option<bool>>,
    /// The indexes of the lines that stand for a block that is a leaf, such as an image: they have no text.
    pub leaves: Vec<usize>,
    /// True if these leaves stand in another order than before.
    pub are_leaves_moved: bool,
}

impl From<Vec<String>> for Tidied {
    fn from(lines: Vec<String>) -> Tidied {
        Tidied { states: vec![None; lines.len()], lines, ..Tidied::default() }
    }
}

impl Tidied {
    /// Reads the lines that are the signs of leaves among the old lines, such as an image, wherever they stand now.
    fn read_leaves(&mut self, document: &Document, old: &[Line], prefixes: &mut as_shown::Prefixes) {
        let schema = document.schema();
        let mut last = None;
        for line in old.iter().filter(|line| line.text.is_empty()) {
            if schema.find_node(&line.kind).is_none_or(|kind| schema.is_textblock(kind)) {
                continue;
            }
            let sign = prefixes.of(line).to_string();
            let is_sign = |new: &String| !sign.trim().is_empty() && new.trim_end() == sign.trim_end();
            if let Some(at) = self.lines.iter().position(is_sign) {
                self.lines[at].clear();
                self.leaves.push(at);
                self.are_leaves_moved |= Some(at) < last;
                last = Some(at);
            }
        }
    }

    /// Returns whether a leaf, such as an image, would not stay the node that it is because lines around it moved.
    pub(super) fn moves_leaves(&self, document: &Document, old: &[Line]) -> bool {
        if self.leaves.is_empty() {
            return false;
        }
        let schema = document.schema();
        let is_leaf = |line: &Line| schema.find_node(&line.kind).is_some_and(|kind| !schema.is_textblock(kind));
        let fates = fates(document, old, &self.lines, 0..old.len());
        let stays = |leaf: &usize| old.iter().zip(&fates).any(|(line, fate)| fate.own == Some(*leaf) && is_leaf(line));
        self.are_leaves_moved || !self.leaves.iter().all(stays)
    }

    /// Returns the lines that are not blank, unless the old lines have blank ones that they may be.
    fn without_blank_lines(self, old: &[Line]) -> Tidied {
        let stays = wrapping::blank_lines_stay(&self.lines, old);
        self.filtered(|_| stays)
    }

    /// Returns the lines of a whole document without the blank ones that only separate others: a blank line stays where
    /// an old one is blank, and between two lines of one block of code.
    pub(super) fn without_separators(self, document: &Document, old: &[Line]) -> Tidied {
        if !self.lines.iter().any(|line| line.trim().is_empty()) {
            return self;
        }
        let schema = document.schema();
        // For each line the block of code that it is in, and the old line that it is.
        let mut code: Vec<Option<&[usize]>> = vec![None; self.lines.len()];
        let mut owner: Vec<Option<&Line>> = vec![None; self.lines.len()];
        for (line, fate) in old.iter().zip(fates(document, old, &self.lines, 0..old.len())) {
            if let Some(own) = fate.own {
                owner[own] = Some(line);
                code[own] = line.is_code(schema).then_some(&line.path);
            }
        }
        let is_textblock = |line: &Line| schema.find_node(&line.kind).is_some_and(|kind| schema.is_textblock(kind));
        let is_blank = |at: usize| self.lines[at].trim().is_empty();
        let mut stays = vec![false; self.lines.len()];
        let mut start = 0;
        while start < stays.len() {
            let end = (start..stays.len()).find(|at| is_blank(*at) != is_blank(start)).unwrap_or(stays.len());
            if is_blank(start) {
                let before = start.checked_sub(1).and_then(|at| code[at]);
                let is_in_code = before.is_some() && code.get(end).is_some_and(|behind| before == *behind);
                // A blank line may stand for a leaf, unless another one beside it does.
                let has_leaf = self.leaves.iter().any(|leaf| (start..end).contains(leaf));
                let is_old = |line: &Line| line.text.trim().is_empty() && (is_textblock(line) || !has_leaf);
                (start..end).for_each(|at| stays[at] = is_in_code || owner[at].is_some_and(is_old));
            }
            start = end;
        }
        self.filtered(|at| stays[at])
    }

    /// Returns the lines of a whole document if it is given as it is shown: most old lines are there, and the others say
    /// nothing of blocks or marks. The fences around lines of code go.
    pub(super) fn given_as_shown(self, document: &Document, old: &[Line]) -> Option<Tidied> {
        let new = self.without_fences(document, old);
        let is_filled = |text: &str| !text.trim().is_empty();
        let mut is_known = vec![false; new.lines.len()];
        let mut same = 0;
        for (line, fate) in old.iter().zip(fates(document, old, &new.lines, 0..old.len())) {
            let Some(own) = fate.own else { continue };
            let is_same = new.lines[own] == line.text;
            same += usize::from(is_same && is_filled(&line.text));
            is_known[own] = is_same || line.is_code(document.schema());
        }
        let texts = || old.iter().map(|line| line.text.as_str());
        let is_markdown = |line: &str| {
            let signs = ["|", "```", "- ", "* ", "> ", "1. "];
            let begins = signs.iter().any(|sign| line.trim_start().starts_with(sign));
            begins || markdown::looks_like(line) || markdown::has_small_mark(line, texts())
        };
        let is_plain = new.lines.iter().zip(&is_known).all(|(line, known)| *known || !is_markdown(line));
        let filled = texts().filter(|text| is_filled(text)).count();
        (is_plain && same as f64 >= MOST_SAME * filled as f64).then_some(new)
    }

    /// Returns the lines without the fences that are shown around code.
    fn without_fences(self, document: &Document, old: &[Line]) -> Tidied {
        let is_fence = |line: &String| line.trim_start().starts_with("```");
        if !self.lines.iter().any(is_fence) || old.iter().any(|line| line.text.contains("```")) {
            return self;
        }
        let mut in_code = vec![false; self.lines.len()];
        for (line, fate) in old.iter().zip(fates(document, old, &self.lines, 0..old.len())) {
            if let Some(own) = fate.own {
                in_code[own] = line.is_code(document.schema());
            }
        }
        let is_beside = |at: usize| in_code.get(at + 1) == Some(&true) || at > 0 && in_code[at - 1];
        let keeps: Vec<bool> =
            self.lines.iter().enumerate().map(|(at, line)| !is_fence(line) || !is_beside(at)).collect();
        self.retained(|at| keeps[at])
    }

    /// Returns the lines that are not blank, and the blank ones that stay.
    fn filtered(self, stays: impl Fn(usize) -> bool) -> Tidied {
        let is_blank: Vec<bool> = self.lines.iter().map(|line| line.trim().is_empty()).collect();
        let leaves = self.leaves.clone();
        self.retained(|at| !is_blank[at] || leaves.binary_search(&at).is_ok() || stays(at))
    }

    fn retained(self, keeps: impl Fn(usize) -> bool) -> Tidied {
        let kept: Vec<usize> = (0..self.lines.len()).filter(|at| keeps(*at)).collect();
        let is_leaf = |index: &usize| self.leaves.binary_search(&kept[*index]).is_ok();
        Tidied {
            lines: kept.iter().map(|at| self.lines[*at].clone()).collect(),
            states: kept.iter().map(|at| self.states[*at]).collect(),
            leaves: (0..kept.len()).filter(is_leaf).collect(),
            are_leaves_moved: self.are_leaves_moved,
        }
    }
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
fn written(host: &dyn DocumentHost, document: &Document, lines: &[Line], edit: &LineEdit) -> Result<Written, Error> {
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
        Format::Text if makes_tasks || states_list || moves_leaves() || states_blocks(document, lines, &new.lines) => {
            Format::Markdown
        }
        format => format,
    };
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
                Some(lines) => ContentKind::Marked(lines.into()),
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
        Format::Markdown | Format::Text => plain(ContentKind::Text(new.without_blank_lines(lines))),
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
fn states_blocks(document: &Document, lines: &[Line], new: &[String]) -> bool {
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

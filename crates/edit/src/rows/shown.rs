//! Rows in the notation in which lines are shown to a model.

use super::shown_row::literal;
pub use super::shown_row::{Kind, ShownRow};
use super::standard;
use crate::as_shown::Prefixes;
use crate::{fit, markdown};
use copydesk_document::notation::{SUMMARY, Sign};
use copydesk_document::{Document, Line, NodeRole, Schema};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::mem::{Discriminant, discriminant};

/// Returns the rows of lines.
pub fn of_lines(document: &Document, lines: &[Line]) -> Vec<ShownRow> {
    let mut prefixes = Prefixes::new(document);
    let (mut rows, mut block, mut last): (Vec<ShownRow>, usize, Option<&Line>) = (Vec::new(), 0, None);
    for line in lines {
        let prefix = prefixes.of(line);
        let mut signs = prefix.signs().to_vec();
        let kind = if line.is_code(document.schema()) {
            block += usize::from(last.is_none_or(|last| last.path != line.path));
            let language = document.node_at(&line.path).and_then(|node| node.attrs().text("language"));
            Kind::Code { language: language.unwrap_or_default().to_owned(), block }
        } else {
            match signs.last() {
                Some(Sign::Heading(level)) => {
                    let level = *level;
                    signs.pop();
                    Kind::Heading(level)
                }
                Some(Sign::Own(own)) => {
                    let own = own.clone();
                    signs.pop();
                    Kind::Own(own)
                }
                _ => Kind::Text,
            }
        };
        rows.push(ShownRow {
            signs,
            kind,
            text: line.text.clone(),
            raw: format!("{prefix}{}", line.text),
            breaks: false,
            is_apart: false,
        });
        last = Some(line);
    }
    rows
}

/// Returns the rows that lines are shown as.
pub fn shown_as(document: &Document, lines: &[Line]) -> Vec<String> {
    of_lines(document, lines).into_iter().map(|row| row.raw).collect()
}

/// Returns the texts of lines, and of leaves such as images what is shown of them.
pub fn texts_or_leaves(document: &Document, lines: &[Line]) -> Vec<String> {
    let leaf = |row: ShownRow| match row.kind {
        Kind::Own(own) if row.text.is_empty() && own.contains(char::is_alphanumeric) => Some(own.trim().to_owned()),
        _ => None,
    };
    let rows = of_lines(document, lines).into_iter().zip(lines);
    rows.map(|(row, line)| leaf(row).unwrap_or_else(|| line.text.clone())).collect()
}

/// The rows that a document shows. Content that repeats a row refers to that row, whatever else its signs could be.
pub struct Vocabulary {
    rows: FxHashMap<String, ShownRow>,
    /// The lines of code that begin like a sign, with their texts.
    code: FxHashMap<String, String>,
    /// The rows above code, with the signs before them and the language.
    fences: FxHashMap<String, (Vec<Sign>, String)>,
    /// The signs of blocks that are shown by themselves, such as that of an image.
    owns: Vec<String>,
    /// True if the schema has formulas that are blocks.
    has_formulas: bool,
    /// True if the schema has rules.
    has_rules: bool,
    /// True if there are tasks: a box begins one without a bullet as well.
    has_tasks: bool,
    /// True if there are numbered items: Chinese numbers begin one as well.
    has_numbers: bool,
    /// True if there are quotations.
    has_quotes: bool,
    /// True if there are cells.
    has_cells: bool,
    /// The kinds of signs in cells. Others are text there.
    in_cells: FxHashSet<Discriminant<Sign>>,
    /// True if texts in cells have bars: only a row with a bar at its end has several cells.
    has_bars: bool,
    /// The ends of lines that mean a break, unless a line of the document ends so.
    breaks: Vec<&'static str>,
}

impl Vocabulary {
    /// Returns that of some rows.
    pub fn of(schema: &Schema, rows: &[ShownRow]) -> Vocabulary {
        let own = |row: &ShownRow| if let Kind::Own(own) = &row.kind { Some(own.clone()) } else { None };
        let summary = schema.find_role(NodeRole::Summary).map(|_| SUMMARY.to_owned());
        let mut vocabulary = Vocabulary {
            rows: FxHashMap::default(),
            code: rows
                .iter()
                .filter(|row| row.is_code() && begins(&row.text))
                .map(|row| (row.raw.trim_end().to_owned(), row.text.clone()))
                .collect(),
            fences: FxHashMap::default(),
            owns: rows.iter().filter_map(own).chain(summary).collect(),
            has_formulas: schema.find_role(NodeRole::BlockMath).is_some(),
            has_rules: schema.find_role(NodeRole::Rule).is_some(),
            has_numbers: rows.iter().any(|row| matches!(row.signs.last(), Some(Sign::Number(_)))),
            has_tasks: rows.iter().any(|row| matches!(row.signs.last(), Some(Sign::Task { .. }))),
            has_quotes: rows.iter().any(|row| row.signs.contains(&Sign::Quote)),
            has_cells: rows.iter().any(|row| row.signs.contains(&Sign::Cell)),
            in_cells: rows.iter().flat_map(|row| signs_in_cell(&row.signs)).map(discriminant).collect(),
            has_bars: rows.iter().any(|row| row.signs.contains(&Sign::Cell) && row.text.contains('|')),
            breaks: ["\\", "  "]
                .into_iter()
                .filter(|end| !rows.iter().any(|row| !row.is_code() && row.text.ends_with(end)))
                .collect(),
        };
        for row in rows {
            let raw = row.raw.trim_end().to_owned();
            match &row.kind {
                Kind::Code { language, .. } => {
                    let signs: String = row.signs.iter().map(Sign::to_string).collect();
                    let fence = (row.signs.clone(), language.clone());
                    vocabulary.fences.entry(format!("{signs}```{language}")).or_insert(fence);
                }
                _ => drop(vocabulary.rows.entry(raw).or_insert_with(|| row.clone())),
            }
        }
        vocabulary
    }

    /// Returns whether there are numbered items.
    pub(super) fn has_numbers(&self) -> bool {
        self.has_numbers
    }

    /// Returns whether there are quotations.
    pub(super) fn has_quotes(&self) -> bool {
        self.has_quotes
    }

    /// Returns whether there are cells.
    pub(super) fn has_cells(&self) -> bool {
        self.has_cells
    }

    /// Returns whether the document has tasks.
    pub(super) fn has_tasks(&self) -> bool {
        self.has_tasks
    }

    /// Returns whether the text of an old row begins with a sign.
    pub(super) fn has_text_with(&self, sign: &str) -> bool {
        self.rows.values().any(|row| row.text.starts_with(sign))
    }

    /// Returns the old row that a line is.
    pub(super) fn known(&self, line: &str) -> Option<&ShownRow> {
        self.rows.get(line.trim_end()).filter(|_| !line.trim().is_empty())
    }

    /// Returns whether a sign in a cell is one. Where there are lists in cells, there may be tasks and nested items.
    fn is_in_cells(&self, sign: &Sign) -> bool {
        let is_in = |sign: &Sign| self.in_cells.contains(&discriminant(sign));
        let has_lists = || [Sign::Bullet, Sign::Number(1), Sign::Task { checked: false }].iter().any(is_in);
        is_in(sign) || matches!(sign, Sign::Indent | Sign::Task { .. }) && has_lists()
    }

    /// Returns whether a text is a row of a table of Markdown, and not a line of one cell.
    fn is_table_row(&self, text: &str) -> bool {
        let is_closed = text.trim_end().len() > 1 && text.trim_end().ends_with('|');
        text.starts_with('|') && (is_closed || fit::cells_in(text) > 1 && !self.has_bars)
    }
}

/// The least number of backticks of a fence.
const FENCE: usize = 3;

/// A fence that lines are in.
struct OpenFence {
    /// The signs around it.
    around: Vec<Sign>,
    language: String,
    /// The number of spaces before it.
    columns: usize,
    /// The number of its backticks.
    length: usize,
}

/// Reads content as shown rows. Fences are not rows, and a row of a table in Markdown is one row for each of its cells.
/// `is_top` is true if no item is around the content.
pub fn read(content: &[String], vocabulary: &Vocabulary, is_top: bool) -> Vec<ShownRow> {
    let mut rows: Vec<ShownRow> = Vec::new();
    let (mut levels, mut levels_in_cell) = (Levels { is_top, ..Levels::default() }, Levels::default());
    let mut open: Option<OpenFence> = None;
    let mut block = 0;
    let content = standard::as_shown(content, vocabulary);
    let content = with_breaks(&content, vocabulary);
    let has_fences = content.iter().any(|line| line.contains("```"));
    let mut lines = content.iter();
    while let Some(line) = lines.next() {
        if let Some(OpenFence { around, language, columns, length }) = &open {
            let ticks = line.trim_start_matches([' ', '>', '|']).trim_end();
            if ticks.len() >= *length && ticks.bytes().all(|byte| byte == b'`') {
                open = None;
                continue;
            }
            let kind = Kind::Code { language: language.clone(), block };
            let is_first = rows.last().is_none_or(|row| row.kind != kind);
            rows.push(code_row(line, around, *columns, kind, is_first));
            continue;
        }
        // Without fences code is told by its lines alone.
        if let Some(text) = vocabulary.code.get(line.trim_end()).filter(|_| !has_fences) {
            rows.push(ShownRow { text: text.clone(), ..literal(line) });
            continue;
        }
        let known = vocabulary.known(line).map(|row| (row, false));
        // A row that the document has is it also where a break is behind it.
        let known = known.or_else(|| {
            let before = line.strip_suffix('\\').filter(|_| vocabulary.breaks.contains(&"\\") && lines.len() > 0)?;
            vocabulary.known(before).map(|row| (row, true))
        });
        let fence = vocabulary.fences.get(line.trim_end());
        let (mut signs, mut rest) = levels.signs(line);
        match Sign::Cell.read(rest).filter(|_| !vocabulary.in_cells.is_empty() && !vocabulary.is_table_row(rest)) {
            Some((cell, inside)) => {
                let (inner, text) = levels_in_cell.signs(inside);
                if inner.iter().all(|sign| vocabulary.is_in_cells(sign)) {
                    signs.extend(std::iter::once(cell).chain(inner));
                    rest = text;
                }
            }
            None => levels_in_cell = Levels::default(),
        }
        if vocabulary.has_tasks
            && let Some((sign, text)) = (Sign::Task { checked: false }).read(rest)
        {
            signs.push(sign);
            rest = text;
        }
        if vocabulary.has_numbers
            && let Some((sign, text)) = Sign::Number(1).read(rest).filter(|_| rest.contains('、'))
        {
            signs.push(sign);
            rest = text;
        }
        if let Some(fence) = fence {
            block += 1;
            let (around, language) = fence.clone();
            let columns = columns_of(line, &around);
            open = Some(OpenFence { around, language, columns, length: FENCE });
            continue;
        }
        if let Some((known, breaks)) = known {
            rows.push(ShownRow { raw: line.clone(), breaks, ..known.clone() });
            continue;
        }
        let language = rest.trim_start_matches('`');
        let length = rest.len() - language.len();
        if length >= FENCE && !language.contains('`') {
            block += 1;
            let (columns, language) = (columns_of(line, &signs), language.trim().to_owned());
            open = Some(OpenFence { around: signs, language, columns, length });
            continue;
        }
        if let Some(begin) = rest.strip_prefix("$$").filter(|_| vocabulary.has_formulas) {
            let latex = match begin.trim_end().strip_suffix("$$").filter(|latex| !latex.trim().is_empty()) {
                Some(latex) => Some(latex.trim().to_owned()),
                None => formula_over_lines(begin, &mut lines),
            };
            if let Some(latex) = latex {
                let own = format!("$${}$$", latex.split_whitespace().collect::<Vec<_>>().join(" "));
                rows.push(ShownRow {
                    signs,
                    kind: Kind::Own(own),
                    text: String::new(),
                    raw: latex,
                    breaks: false,
                    is_apart: false,
                });
                continue;
            }
        }
        let end = vocabulary.breaks.iter().find(|end| {
            // A line of a block that is empty.
            let is_empty = rest == **end && rows.last().is_some_and(|row| row.breaks);
            lines.len() > 0 && (rest.len() > end.len() || is_empty) && rest.ends_with(**end)
        });
        let rest = end.map_or(rest, |end| rest.trim_end_matches(end));
        let row = |signs: Vec<Sign>, kind: Kind, text: &str| ShownRow {
            signs,
            kind,
            text: text.trim_end().to_owned(),
            raw: line.clone(),
            breaks: end.is_some(),
            is_apart: false,
        };
        if vocabulary.is_table_row(rest) {
            if fit::is_table_rule(rest) {
                if let Some(ShownRow { kind: Kind::Cells { is_head, .. }, .. }) = rows.last_mut() {
                    *is_head = true;
                }
                continue;
            }
            let cells = fit::markdown_cells(rest);
            rows.push(row(signs, Kind::Cells { cells: cells.clone(), is_head: false }, &cells.join(" ")));
            continue;
        }
        let (signs, rest) = match Sign::Cell.read(rest) {
            Some((sign, rest)) => ([&signs[..], &[sign]].concat(), rest),
            None if rest.trim_end() == "|" => ([&signs[..], &[Sign::Cell]].concat(), ""),
            None => (signs, rest),
        };
        let is_own =
            |own: &&String| rest.trim_end() == own.trim_end() || own.ends_with(' ') && rest.starts_with(&***own);
        rows.push(match vocabulary.owns.iter().find(is_own) {
            Some(own) => row(signs, Kind::Own(own.clone()), rest.get(own.len()..).unwrap_or_default()),
            None if vocabulary.has_rules && markdown::is_rule(rest) => row(signs, Kind::Own("---".to_owned()), ""),
            None => match markdown::heading_sign(rest) {
                Some((level, text)) => row(signs, Kind::Heading(level), text),
                None => row(signs, Kind::Text, rest),
            },
        });
    }
    rows
}

/// Returns the signs behind that of a cell.
fn signs_in_cell(signs: &[Sign]) -> &[Sign] {
    let cell = signs.iter().position(|sign| *sign == Sign::Cell);
    cell.map_or(&[], |cell| &signs[cell + 1..])
}

/// Returns lines in which each `<br>` is the end of a line with a hard break. Those in tables, in code and inside marks
/// stay.
fn with_breaks<'l>(content: &'l [String], vocabulary: &Vocabulary) -> Cow<'l, [String]> {
    if !vocabulary.breaks.contains(&"\\") || !content.iter().any(|line| line.contains("<br")) {
        return Cow::Borrowed(content);
    }
    let mut lines = Vec::with_capacity(content.len());
    let mut is_code = false;
    for line in content {
        let inside = line.trim_start_matches([' ', '>']);
        is_code ^= inside.starts_with("```");
        let parts: Vec<&str> = line.split("<br").collect();
        let rests: Option<Vec<&str>> =
            parts[1..].iter().map(|part| part.trim_start_matches([' ', '/']).strip_prefix('>')).collect();
        let is_closed = |part: &str| {
            let count = |sign: &str| part.matches(sign).count();
            count("<") == 2 * count("</") && count("**") % 2 == 0 && count("`") % 2 == 0 && count("~~") % 2 == 0
        };
        let cut = rests.map(|rests| [&parts[..1], &rests].concat());
        match cut.filter(|cut| !is_code && !inside.starts_with('|') && cut.iter().all(|part| is_closed(part))) {
            Some(cut) => {
                let around = &line[..line.len() - inside.len()];
                let last = cut.len() - 1;
                for (at, part) in cut.into_iter().enumerate() {
                    let before = if at == 0 { "" } else { around };
                    lines.push(format!("{before}{part}{}", if at < last { "\\" } else { "" }));
                }
            }
            None => lines.push(line.clone()),
        }
    }
    Cow::Owned(lines)
}

/// Returns a formula up to the line that ends with its sign, and leaves the lines behind it.
fn formula_over_lines<'l>(begin: &'l str, lines: &mut std::slice::Iter<'l, String>) -> Option<String> {
    let count = lines.clone().position(|line| line.trim_end().ends_with("$$"))?;
    let mut latex: Vec<&'l str> =
        std::iter::once(begin).chain(lines.by_ref().take(count + 1).map(String::as_str)).collect();
    let last = latex.pop()?;
    latex.push(last.trim_end().trim_end_matches("$$"));
    Some(latex.join("\n").trim().to_owned())
}

/// Returns a line without the signs around it, up to the last one of a quotation or cell.
fn inside<'l>(line: &'l str, around: &[Sign]) -> &'l str {
    let count = around.iter().rposition(|sign| matches!(sign, Sign::Quote | Sign::Cell)).map_or(0, |at| at + 1);
    let mut text = line;
    for sign in &around[..count] {
        let stripped = match sign {
            Sign::Quote => {
                text.trim_start_matches(' ').strip_prefix('>').map(|text| text.strip_prefix(' ').unwrap_or(text))
            }
            Sign::Cell => {
                text.trim_start_matches(' ').strip_prefix('|').map(|text| text.strip_prefix(' ').unwrap_or(text))
            }
            sign => text
                .strip_prefix(&*sign.to_string())
                .or_else(|| text.strip_prefix(&*" ".repeat(sign.to_string().len()))),
        };
        text = stripped.unwrap_or(text);
    }
    text
}

/// Returns the number of spaces before the text of a line, behind the signs around it.
fn columns_of(line: &str, around: &[Sign]) -> usize {
    let text = inside(line, around);
    let spaces = text.len() - text.trim_start_matches(' ').len();
    let behind = around.iter().rev().take_while(|sign| !matches!(sign, Sign::Quote | Sign::Cell));
    // An item that begins with code has its sign there.
    let is_fence = text.trim_start_matches(' ').starts_with("```");
    if is_fence { spaces } else { behind.map(|sign| sign.to_string().len()).sum() }
}

/// Reads a line of code in a fence with `columns` columns before it, and removes as many of these as the line has.
fn code_row(line: &str, around: &[Sign], columns: usize, kind: Kind, is_first: bool) -> ShownRow {
    let text = inside(line, around);
    let spaces = (text.len() - text.trim_start_matches(' ').len()).min(columns);
    let text = &text[spaces..];
    let inner = |sign: &Sign| if matches!(sign, Sign::Quote | Sign::Cell) { sign.clone() } else { Sign::Indent };
    let signs = if is_first { around.to_vec() } else { around.iter().map(inner).collect() };
    ShownRow { signs, kind, text: text.to_owned(), raw: line.to_owned(), breaks: false, is_apart: false }
}

/// The least number of columns by which an item in another one is indented.
const LEAST_INDENT: usize = 2;

/// The items that lines are in, by the columns at which they begin: models indent by two, three or four.
#[derive(Default)]
struct Levels {
    quotes: usize,
    open: Vec<(usize, usize)>,
    /// True if no item is around the lines: then a list begins at the top level, however far it is indented.
    is_top: bool,
    /// The quotation in an item at a level, and its open levels.
    inner: Option<(usize, Box<Levels>)>,
}

impl Levels {
    /// Reads the signs of containers at the beginning of a line, with one indent for each item around it.
    fn signs<'l>(&mut self, line: &'l str) -> (Vec<Sign>, &'l str) {
        let (mut signs, mut rest) = (Vec::new(), line);
        while let Some((sign, inside)) =
            Sign::Quote.read(rest).or_else(|| (rest.trim_end() == ">").then_some((Sign::Quote, "")))
        {
            signs.push(sign);
            rest = inside;
        }
        if signs.len() != self.quotes {
            (self.quotes, self.open, self.inner) = (signs.len(), Vec::new(), None);
        }
        let text = rest.trim_start_matches([' ', '\t']);
        let columns: usize = rest[..rest.len() - text.len()].chars().map(|c| if c == '\t' { 2 } else { 1 }).sum();
        let marker = marker(text);
        let opens = marker.is_some() || text.starts_with(SUMMARY);
        let level = match (opens, self.open.last()) {
            (false, _) if text.is_empty() => 0,
            (false, None) => columns / 2,
            (false, Some(_)) => {
                // Below a list, a text at its column is beside it.
                let beside = self.open.iter().find(|(column, _)| *column == columns).map(|(_, level)| *level);
                self.open.retain(|(column, _)| *column < columns);
                beside.unwrap_or_else(|| self.open.last().map_or(0, |(_, level)| level + 1))
            }
            (true, _) => {
                self.open.retain(|(column, _)| *column <= columns);
                // One more column is not one more level.
                let beside = self.open.last().filter(|(column, _)| columns < column + LEAST_INDENT);
                match (beside, self.open.last()) {
                    (Some((_, level)), _) => *level,
                    (None, last) => {
                        let first = if self.is_top { 0 } else { columns / LEAST_INDENT };
                        let level = last.map_or(first, |(_, level)| level + 1);
                        self.open.push((columns, level));
                        level
                    }
                }
            }
        };
        signs.extend(std::iter::repeat_n(Sign::Indent, level));
        if level > 0 && text.starts_with('>') {
            let inner = self.inner.take().filter(|(open, _)| *open == level);
            let (_, mut inner) = inner.unwrap_or_default();
            let (more, rest) = inner.signs(text);
            self.inner = Some((level, inner));
            signs.extend(more);
            return (signs, rest);
        }
        if !text.is_empty() {
            self.inner = None;
            self.is_top |= level == 0 && !opens;
        }
        let Some((sign, inside)) = marker else { return (signs, text) };
        signs.push(sign);
        // An item may begin with another container.
        match Levels::default().signs(inside) {
            (more, rest) if !more.is_empty() && more[0] != Sign::Indent => {
                signs.extend(more);
                (signs, rest)
            }
            _ => (signs, inside),
        }
    }
}

/// Reads the sign of an item.
fn marker(text: &str) -> Option<(Sign, &str)> {
    let task = Sign::Task { checked: false };
    match text.trim_end() {
        "-" | "*" | "+" => return Some((Sign::Bullet, "")),
        "- [ ]" => return Some((task, "")),
        "- [x]" | "- [X]" => return Some((Sign::Task { checked: true }, "")),
        _ => {}
    }
    let numbered = || Sign::Number(1).read(text).filter(|_| markdown::item(text).is_some());
    let bullet = || Sign::Bullet.read(text).filter(|_| markdown::item(text).is_some());
    task.read(text).filter(|_| !text.starts_with('[')).or_else(bullet).or_else(numbered)
}

/// Returns whether a text begins with a possible sign.
pub fn begins(text: &str) -> bool {
    !signs(text).is_empty()
}

/// Returns the signs of containers and headings at the beginning of a text.
pub fn signs(text: &str) -> Vec<Sign> {
    let (mut signs, rest) = Levels::default().signs(text);
    signs.extend(markdown::heading_sign(rest).map(|(level, _)| Sign::Heading(level)));
    if rest.starts_with("| ") {
        signs.push(Sign::Cell);
    }
    signs
}

/// Returns a row whose signs are text.
pub fn as_text(row: &ShownRow) -> ShownRow {
    ShownRow { raw: row.raw.clone(), ..literal(row.raw.trim()) }
}

/// Returns a text without the signs of containers at its beginning.
pub fn text(text: &str) -> &str {
    Levels::default().signs(text).1
}

/// Returns rows for lines without signs, in which signs state blocks only if one does so plainly: before a word, or
/// before each of two rows that follow each other.
pub fn stated(given: Vec<ShownRow>) -> Vec<ShownRow> {
    let is_marker = |row: &ShownRow| {
        row.signs.iter().any(|sign| !matches!(sign, Sign::Indent)) && !row.is_code() && !row.has_cells()
    };
    let is_plain = |row: &ShownRow| {
        let text = row.raw.trim_start();
        let rest = ["> ", "- ", "* ", "+ ", "1. ", "1) "].iter().find_map(|sign| text.strip_prefix(sign));
        let is_word = |c: char| !c.is_ascii_digit() && !c.is_whitespace() && !"-+=.,:;/%&|)]}{".contains(c);
        rest.is_some_and(|rest| rest.starts_with(is_word) || rest.starts_with("- "))
    };
    let filled: Vec<&ShownRow> = given.iter().filter(|row| !row.raw.trim().is_empty()).collect();
    let follow = |pair: &[&ShownRow]| {
        is_marker(pair[0]) && is_marker(pair[1]) && discriminant(&pair[0].signs[0]) == discriminant(&pair[1].signs[0])
    };
    let is_stated = filled.iter().any(|row| is_marker(row) && is_plain(row)) || filled.windows(2).any(follow);
    match is_stated || !given.iter().any(is_marker) {
        true => given,
        false => given.into_iter().map(|row| if is_marker(&row) { as_text(&row) } else { row }).collect(),
    }
}

//! Rows in the notation in which lines are shown to a model.

use crate::as_shown::Prefixes;
use crate::{fit, markdown};
use copydesk_document::notation::Sign;
use copydesk_document::{Document, Line, Schema};

/// The block of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A textblock without a sign of its own.
    Text,
    /// A heading of a level.
    Heading(u8),
    /// A line of code. Lines of one block have the same number.
    Code { language: String, block: usize },
    /// A block with a sign of its own; of a leaf that is all that is shown.
    Own(String),
}

/// A row as it is shown: the signs of the containers, the block, the text.
#[derive(Clone, Debug)]
pub struct ShownRow {
    /// The signs of the containers around it, the outermost first.
    pub signs: Vec<Sign>,
    /// The block.
    pub kind: Kind,
    /// The text without signs.
    pub text: String,
    /// The whole row.
    pub raw: String,
}

impl ShownRow {
    /// Returns what rows are compared by: the row with every number of an item as 1. Without fences code is not told from
    /// other text.
    pub fn key(&self, has_fences: bool) -> String {
        let sign = |sign: &Sign| match sign {
            Sign::Number(_) => Sign::Number(1).to_string(),
            sign => sign.to_string(),
        };
        let signs: String = self.signs.iter().map(sign).collect();
        match &self.kind {
            Kind::Text => format!("{signs}{}", self.text),
            Kind::Heading(level) => format!("{signs}{}{}", Sign::Heading(*level), self.text),
            Kind::Code { language, .. } if has_fences => format!("{signs}\u{0}{language}\u{0}{}", self.text),
            Kind::Code { .. } => format!("{signs}{}", self.text),
            Kind::Own(own) => format!("{signs}{own}{}", self.text),
        }
        .trim_end()
        .to_owned()
    }

    /// Returns whether it is a line of code.
    pub fn is_code(&self) -> bool {
        matches!(self.kind, Kind::Code { .. })
    }

    /// Returns whether containers are the same but for the kinds of lists.
    pub fn has_containers_of(&self, other: &ShownRow) -> bool {
        let is_marker = |sign: &Sign| matches!(sign, Sign::Bullet | Sign::Number(_) | Sign::Task { .. });
        let same = |(a, b): (&Sign, &Sign)| {
            std::mem::discriminant(a) == std::mem::discriminant(b) || is_marker(a) && is_marker(b)
        };
        self.signs.len() == other.signs.len() && self.signs.iter().zip(&other.signs).all(same)
    }

    /// Returns whether containers are of the same kinds as those of another row, whatever their numbers and states.
    pub fn has_signs_of(&self, other: &ShownRow) -> bool {
        let same = |(a, b): (&Sign, &Sign)| std::mem::discriminant(a) == std::mem::discriminant(b);
        self.signs.len() == other.signs.len() && self.signs.iter().zip(&other.signs).all(same)
    }
}

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
        rows.push(ShownRow { signs, kind, text: line.text.clone(), raw: format!("{prefix}{}", line.text) });
        last = Some(line);
    }
    rows
}

/// Returns the rows that lines are shown as.
pub fn shown_as(document: &Document, lines: &[Line]) -> Vec<String> {
    of_lines(document, lines).into_iter().map(|row| row.raw).collect()
}

/// What a document shows that content may repeat.
pub struct Vocabulary {
    /// The signs of blocks that show themselves, such as that of an image.
    pub owns: Vec<String>,
    /// The rows that look like several cells and are one.
    pub bars: Vec<String>,
    /// True if the schema has formulas that are blocks.
    pub has_formulas: bool,
}

impl Vocabulary {
    /// Returns that of some rows.
    pub fn of(schema: &Schema, rows: &[ShownRow]) -> Vocabulary {
        let own = |row: &ShownRow| if let Kind::Own(own) = &row.kind { Some(own.clone()) } else { None };
        let bars = rows.iter().filter(|row| row.text.contains('|')).map(|row| row.raw.trim().to_owned());
        let has_formulas = schema.find_node("blockMath").is_some();
        Vocabulary { owns: rows.iter().filter_map(own).collect(), bars: bars.collect(), has_formulas }
    }
}

/// Reads content as shown rows. Fences are no rows, and a row of Markdown's tables is one for each of its cells.
pub fn read(content: &[String], vocabulary: &Vocabulary) -> Vec<ShownRow> {
    let mut rows: Vec<ShownRow> = Vec::new();
    let mut levels = Levels::default();
    let mut open: Option<(Vec<Sign>, String)> = None;
    let mut block = 0;
    let mut lines = content.iter();
    while let Some(line) = lines.next() {
        if let Some((around, language)) = &open {
            if line.trim_start_matches([' ', '>']).trim_end() == "```" {
                open = None;
                continue;
            }
            let kind = Kind::Code { language: language.clone(), block };
            let is_first = rows.last().is_none_or(|row| row.kind != kind);
            rows.push(code_row(line, around, kind, is_first));
            continue;
        }
        let (signs, rest) = levels.signs(line);
        if let Some(language) = rest.strip_prefix("```").filter(|language| !language.contains('`')) {
            block += 1;
            open = Some((signs, language.trim().to_owned()));
            continue;
        }
        if let Some(begin) = rest.strip_prefix("$$").filter(|_| vocabulary.has_formulas) {
            let latex = match begin.trim_end().strip_suffix("$$").filter(|latex| !latex.trim().is_empty()) {
                Some(latex) => Some(latex.trim().to_owned()),
                None => formula_over_lines(begin, &mut lines),
            };
            if let Some(latex) = latex {
                let own = format!("$${}$$", latex.split_whitespace().collect::<Vec<_>>().join(" "));
                rows.push(ShownRow { signs, kind: Kind::Own(own), text: String::new(), raw: latex });
                continue;
            }
        }
        let row = |signs: Vec<Sign>, kind: Kind, text: &str| ShownRow {
            signs,
            kind,
            text: text.trim_end().to_owned(),
            raw: line.clone(),
        };
        let is_row = rest.starts_with('|')
            && (fit::cells_in(rest) > 1 || rest.trim_end().len() > 1 && rest.trim_end().ends_with('|'));
        if is_row && !vocabulary.bars.iter().any(|raw| raw == line.trim()) {
            if !fit::is_table_rule(rest) {
                let cells = fit::markdown_cells(rest);
                rows.extend(cells.into_iter().map(|cell| row([&signs[..], &[Sign::Cell]].concat(), Kind::Text, &cell)));
            }
            continue;
        }
        let (signs, rest) = match Sign::Cell.read(rest) {
            Some((sign, rest)) => ([&signs[..], &[sign]].concat(), rest),
            None if rest.trim_end() == "|" => ([&signs[..], &[Sign::Cell]].concat(), ""),
            None => (signs, rest),
        };
        let is_own =
            |own: &&String| rest.trim_end() == own.trim_end() || own.ends_with(' ') && rest.starts_with(&***own);
        let level = rest.bytes().take_while(|byte| *byte == b'#').count();
        rows.push(match vocabulary.owns.iter().find(is_own) {
            Some(own) => row(signs, Kind::Own(own.clone()), rest.get(own.len()..).unwrap_or_default()),
            None if (1..=6).contains(&level) && rest[level..].starts_with(' ') => {
                row(signs, Kind::Heading(level as u8), &rest[level + 1..])
            }
            None => row(signs, Kind::Text, rest),
        });
    }
    rows
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

/// Returns whether a line is a row of Markdown with several cells.
pub fn has_cells(line: &str) -> bool {
    line.trim_start_matches([' ', '>']).starts_with('|')
        && (fit::cells_in(line.trim_start_matches([' ', '>'])) > 1 || fit::is_table_rule(line))
}

fn code_row(line: &str, around: &[Sign], kind: Kind, is_first: bool) -> ShownRow {
    let mut text = line;
    for sign in around {
        let inside = match sign {
            Sign::Quote => text.strip_prefix("> ").or_else(|| text.strip_prefix('>')),
            _ => text.strip_prefix(&*" ".repeat(sign.to_string().len())),
        };
        text = inside.unwrap_or(text);
    }
    let inner = |sign: &Sign| if *sign == Sign::Quote { Sign::Quote } else { Sign::Indent };
    let signs = if is_first { around.to_vec() } else { around.iter().map(inner).collect() };
    ShownRow { signs, kind, text: text.to_owned(), raw: line.to_owned() }
}

/// The items that lines are in, by the columns at which they begin: models indent by two, three or four.
#[derive(Default)]
struct Levels {
    quotes: usize,
    open: Vec<(usize, usize)>,
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
            (self.quotes, self.open) = (signs.len(), Vec::new());
        }
        let text = rest.trim_start_matches([' ', '\t']);
        let columns: usize = rest[..rest.len() - text.len()].chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
        let marker = marker(text);
        let level = match (&marker, self.open.last()) {
            (None, _) if text.is_empty() => 0,
            (None, None) => columns / 2,
            (None, Some(_)) => {
                self.open.retain(|(column, _)| *column < columns);
                self.open.last().map_or(0, |(_, level)| level + 1)
            }
            (Some(_), _) => {
                self.open.retain(|(column, _)| *column <= columns);
                let level = match self.open.last() {
                    Some((column, level)) if *column == columns => *level,
                    Some((_, level)) => level + 1,
                    None => columns / 2,
                };
                if self.open.last().is_none_or(|(column, _)| *column < columns) {
                    self.open.push((columns, level));
                }
                level
            }
        };
        signs.extend(std::iter::repeat_n(Sign::Indent, level));
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

/// Returns whether a text begins with what could be a sign.
pub fn begins(text: &str) -> bool {
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    !Levels::default().signs(text).0.is_empty()
        || text.starts_with("| ")
        || (1..=6).contains(&level) && text[level..].starts_with(' ')
}

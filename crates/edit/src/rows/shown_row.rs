//! A row in the notation in which lines are shown to a model.

use crate::content;
use copydesk_document::notation::Sign;
use std::mem::discriminant;

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
    /// A row of a table with its cells. `is_head` is true if a rule follows it.
    Cells { cells: Vec<String>, is_head: bool },
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
    /// True if it ends with Markdown's sign of a hard break: the next row is in the same block.
    pub breaks: bool,
    /// True if a blank row is before it: it is in another block than the row before.
    pub is_apart: bool,
}

impl ShownRow {
    /// Returns a row of a table.
    pub fn of_cells(cells: Vec<String>) -> ShownRow {
        let text = cells.iter().map(|cell| plain(cell).replace('\n', " ")).collect::<Vec<_>>().join(" ");
        let kind = Kind::Cells { cells, is_head: false };
        ShownRow { signs: Vec::new(), kind, raw: text.clone(), text, breaks: false, is_apart: false }
    }

    /// Returns what rows are compared by: the row with every number of an item as 1. Without fences code is not told
    /// from other text.
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
            Kind::Cells { cells, .. } => {
                let cells: Vec<String> = cells.iter().map(|cell| plain(cell)).collect();
                format!("{signs}\u{1}{}", cells.join("\u{1}"))
            }
        }
        .trim_end()
        .to_owned()
    }

    /// Returns the text without the signs of marks.
    pub fn bare(&self) -> String {
        if self.is_code() { content::without_tags(&self.text) } else { bare(&self.text) }
    }

    /// Returns what rows are compared by where marks do not count.
    pub fn bare_key(&self) -> String {
        let cell = |text: &String| ShownRow { text: text.clone(), ..self.clone() }.bare();
        let kind = match &self.kind {
            Kind::Cells { cells, is_head } => {
                Kind::Cells { cells: cells.iter().map(cell).collect(), is_head: *is_head }
            }
            kind => kind.clone(),
        };
        ShownRow { text: self.bare(), kind, ..self.clone() }.key(true)
    }

    /// Returns the text behind the sign of the cell that it is in.
    pub fn inside_cell(&self) -> String {
        let from = self.signs.iter().position(|sign| *sign == Sign::Cell).map_or(0, |at| at + 1);
        let row = ShownRow { signs: self.signs[from..].to_vec(), ..self.clone() };
        row.key(false)
    }

    /// Returns whether it is a row of a table.
    pub fn has_cells(&self) -> bool {
        matches!(self.kind, Kind::Cells { .. })
    }

    /// Returns whether it is a line of code.
    pub fn is_code(&self) -> bool {
        matches!(self.kind, Kind::Code { .. })
    }

    /// Returns whether containers are the same but for the kinds of lists.
    pub fn has_containers_of(&self, other: &ShownRow) -> bool {
        let is_marker = |sign: &Sign| matches!(sign, Sign::Bullet | Sign::Number(_) | Sign::Task { .. });
        let same = |(a, b): (&Sign, &Sign)| discriminant(a) == discriminant(b) || is_marker(a) && is_marker(b);
        self.signs.len() == other.signs.len() && self.signs.iter().zip(&other.signs).all(same)
    }

    /// Returns whether the containers are of the same kinds as those of another row, whatever their numbers and states.
    pub fn has_signs_of(&self, other: &ShownRow) -> bool {
        let same = |(a, b): (&Sign, &Sign)| discriminant(a) == discriminant(b);
        self.signs.len() == other.signs.len() && self.signs.iter().zip(&other.signs).all(same)
    }
}

/// Returns a text without the signs of marks.
pub fn bare(text: &str) -> String {
    let text = content::without_tags(text);
    if !text.bytes().any(|byte| matches!(byte, b'*' | b'`' | b'~' | b'[')) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['*', '`', '~', '[', ']']) {
        out += &rest[..at];
        rest = match rest[at..].strip_prefix("](").and_then(|link| link.split_once(')')) {
            Some((_, behind)) => behind,
            None => &rest[at + 1..],
        };
    }
    out + rest
}

/// Returns the lines of a cell of Markdown, which has no other sign for their ends than a tag.
pub(super) fn lines_of(text: &str) -> Vec<String> {
    let text = ["<br />", "<br/>", "<BR>"].iter().fold(text.to_owned(), |text, tag| text.replace(tag, "<br>"));
    text.split("<br>").map(|line| line.trim().to_owned()).collect()
}

/// Returns a cell's text for comparison.
pub(super) fn plain(text: &str) -> String {
    lines_of(text).join("\n")
}

/// Returns a row whose signs are text.
pub fn literal(line: &str) -> ShownRow {
    ShownRow {
        signs: Vec::new(),
        kind: Kind::Text,
        text: line.to_owned(),
        raw: line.to_owned(),
        breaks: false,
        is_apart: false,
    }
}

//! Lines of content whose signs state other blocks than the lines have.
//!
//! Content with as many lines as the range, each with the sign of its own line or with none, changes these lines. Where
//! its signs state another structure (an item more or moved, a paragraph behind a list, another level), each line cannot
//! be told from its neighbours: the content is blocks of Markdown as a whole.

use super::as_shown::Prefixes;
use super::fit;
use super::markdown::{self, heading, item};
use copydesk_document::notation::{Prefix, Sign};
use copydesk_document::{Document, Line};

/// The structure that the signs of a line state.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Shape {
    quotes: usize,
    /// The indent, in columns, of an item or of a line inside one.
    indent: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Text,
    Heading(usize),
    Item,
    /// So many cells of a table that follow each other.
    Cell(usize),
    Code,
    /// A block without text.
    Leaf,
}

/// The meaning of the signs of content for lines.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Signs {
    /// There are none, or they are not on all lines that have one.
    Nothing,
    /// They state the blocks that the lines are.
    SameBlocks,
    /// They state other blocks.
    OtherBlocks,
}

/// Reads the signs of content for lines. `bare` is the content without line numbers.
pub fn signs(document: &Document, lines: &[Line], bare: &[String]) -> Signs {
    let has_sign = |line: &String| Prefix::may_begin(line);
    if lines.is_empty() || !bare.iter().any(has_sign) || !lines.iter().all(|line| has_signs_in_markdown(document, line))
    {
        return Signs::Nothing;
    }
    let mut prefixes = Prefixes::new(document);
    let leaves: Vec<String> =
        lines.iter().filter(|line| line.text.is_empty()).map(|line| prefixes.of(line).to_string()).collect();
    let old: Vec<(Shape, &str)> =
        lines.iter().map(|line| (shape_of(document, &mut prefixes, line), &*line.text)).collect();
    // A text that begins like a sign cannot be told from one.
    let is_sign = |(shape, text): &(Shape, &str)| {
        let given = written(text).0;
        shape.kind != Kind::Code && given.kind != Kind::Text && !text.is_empty()
    };
    if old.iter().any(is_sign) {
        return Signs::Nothing;
    }
    let mut new: Vec<(Shape, &str)> = Vec::new();
    let (mut is_code, mut has_code) = (false, false);
    for line in bare {
        if markdown::fence(line).is_some() {
            is_code = !is_code;
            has_code = true;
        } else if is_code {
            new.push((Shape { quotes: 0, indent: 0, kind: Kind::Code }, line));
        } else if !line.trim().is_empty() && !line.trim_matches(['>', ' ']).is_empty() {
            let is_leaf = leaves.iter().any(|leaf| !leaf.trim().is_empty() && leaf.trim() == line.trim());
            let leaf = Shape { quotes: 0, indent: 0, kind: Kind::Leaf };
            new.push(if is_leaf { (leaf, line) } else { written(line) });
        }
    }
    let signed =
        |(shape, _): &&(Shape, &str)| !matches!(shape.kind, Kind::Text | Kind::Code | Kind::Leaf) || shape.quotes > 0;
    if !has_code && new.iter().filter(signed).count() == 0 || is_code {
        return Signs::Nothing;
    }
    // Where a line is without the sign that it was shown with, the signs say nothing.
    let is_bare = |(shape, text): &(Shape, &str)| {
        let is_same = |(old, old_text): &&(Shape, &str)| old_text == text && signed(&&(*old, *old_text));
        shape.kind == Kind::Text && shape.quotes == 0 && shape.indent == 0 && old.iter().any(|one| is_same(&one))
    };
    if new.iter().any(is_bare) {
        return Signs::Nothing;
    }
    // Lines of one list or quotation are told by their own signs, and by none.
    let are = |shapes: &[(Shape, &str)], is: fn(&Shape) -> bool| shapes.iter().any(|(shape, _)| is(shape));
    let all_items = |shapes: &[(Shape, &str)]| shapes.iter().all(|(shape, _)| shape.kind == Kind::Item);
    let is_quoted = |shape: &Shape| shape.quotes > 0;
    let is_one_block = lines[0].block == lines[lines.len() - 1].block;
    let all_cells = || old.iter().all(|(shape, _)| matches!(shape.kind, Kind::Cell(_)));
    if is_one_block
        && (all_cells()
            || all_items(&old) && (all_items(&new) || !are(&new, |shape| shape.kind == Kind::Item))
            || old.iter().all(|(shape, _)| is_quoted(shape)) && !are(&new, is_quoted))
    {
        return Signs::Nothing;
    }
    let of = |shapes: &[(Shape, &str)]| levelled(&shapes.iter().map(|(shape, _)| *shape).collect::<Vec<_>>());
    match of(&old) == of(&new) {
        true => Signs::SameBlocks,
        false => Signs::OtherBlocks,
    }
}

/// Returns whether Markdown has a sign for each node around a line.
fn has_signs_in_markdown(document: &Document, line: &Line) -> bool {
    const CONTAINERS: [&str; 10] = [
        "blockquote",
        "bulletList",
        "orderedList",
        "taskList",
        "listItem",
        "taskItem",
        "table",
        "tableRow",
        "tableCell",
        "tableHeader",
    ];
    let schema = document.schema();
    let around = (1..line.path.len()).filter_map(|depth| document.node_at(&line.path[..depth]));
    around.into_iter().all(|node| CONTAINERS.contains(&node.name(schema)))
}

/// Returns content as Markdown: lines of a table get the line below its head, and items begin at the margin. `lines` are
/// the old ones.
pub fn as_markdown(document: &Document, lines: &[Line], bare: &[String]) -> String {
    let is_row = |line: &str| line.trim_start().starts_with('|');
    let mut columns = fit::columns_of(document, lines).into_iter();
    let mut out: Vec<String> = Vec::new();
    for run in bare.chunk_by(|a, b| is_row(a) && is_row(b)) {
        if !is_row(&run[0]) {
            out.extend_from_slice(run);
            continue;
        }
        let rows =
            fit::markdown_rows(run).or_else(|| columns.next().and_then(|columns| fit::cells_as_rows(run, columns)));
        match rows {
            Some(rows) if !run.get(1).is_some_and(|line| fit::is_table_rule(line)) => {
                let row = |cells: &Vec<String>| {
                    format!("| {} |", cells.iter().map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>().join(" | "))
                };
                let rule = format!("|{}", "---|".repeat(rows[0].len()));
                let mut rows = rows.iter().map(row);
                out.extend(rows.next());
                out.push(rule);
                out.extend(rows);
            }
            _ => out.extend_from_slice(run),
        }
    }
    let filled = || out.iter().filter(|line| !line.trim().is_empty());
    let indent = filled().map(|line| line.len() - line.trim_start_matches(' ').len()).min().unwrap_or(0);
    let dedented = out.iter().map(|line| line.get(indent..).unwrap_or("").to_owned());
    dedented.collect::<Vec<_>>().join("\n")
}

/// Returns shapes whose indents are levels: how many of the lines before are further out.
fn levelled(shapes: &[Shape]) -> Vec<Shape> {
    let mut open: Vec<usize> = Vec::new();
    let level = |shape: &Shape| {
        if shape.kind == Kind::Heading(0) || shape.kind == Kind::Text && shape.indent == 0 {
            open.clear();
        }
        while open.last().is_some_and(|indent| *indent > shape.indent) {
            open.pop();
        }
        if open.last().is_none_or(|indent| *indent < shape.indent) && shape.kind == Kind::Item {
            open.push(shape.indent);
        }
        let indent = open.len();
        Shape { indent, ..*shape }
    };
    let mut levels: Vec<Shape> = shapes.iter().map(level).collect();
    levels.dedup_by(|next, last| match (&next.kind, &mut last.kind) {
        (Kind::Cell(more), Kind::Cell(cells)) => {
            *cells += more;
            true
        }
        _ => false,
    });
    levels
}

/// Returns the shape of an old line as it is shown.
fn shape_of(document: &Document, prefixes: &mut Prefixes, line: &Line) -> Shape {
    let prefix = prefixes.of(line);
    let quotes = prefix.signs().iter().take_while(|sign| **sign == Sign::Quote).count();
    let indent = 2 * prefix.signs().iter().filter(|sign| **sign == Sign::Indent).count();
    let kind = match prefix.signs().last() {
        _ if line.is_code(document.schema()) => Kind::Code,
        Some(Sign::Heading(level)) => Kind::Heading(usize::from(*level)),
        Some(Sign::Bullet | Sign::Number(_) | Sign::Task { .. }) => Kind::Item,
        Some(Sign::Cell) => Kind::Cell(1),
        Some(Sign::Own(_)) if line.text.is_empty() => Kind::Leaf,
        _ => Kind::Text,
    };
    Shape { quotes, indent, kind }
}

/// Returns the shape of a line of content, and its text.
fn written(line: &str) -> (Shape, &str) {
    let (mut rest, mut quotes) = (line, 0);
    while let Some((_, inside)) = Sign::Quote.read(rest) {
        (rest, quotes) = (inside, quotes + 1);
    }
    let text = rest.trim_start_matches([' ', '\t']);
    let indent = rest[..rest.len() - text.len()].chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
    let (kind, text) = match (heading(text), item(text)) {
        _ if text.starts_with('|') => (Kind::Cell(fit::cells_in(text)), text),
        (Some((level, title)), _) => (Kind::Heading(level), title),
        (_, Some(_)) => (Kind::Item, text),
        _ if super::line_blocks::is_rule(text) => (Kind::Leaf, text),
        _ => (Kind::Text, text),
    };
    (Shape { quotes, indent, kind }, text)
}

//! The lines of a text.

use memchr::memchr_iter;

/// The longest line that a result shows, in characters.
const LONGEST_SHOWN: usize = 300;
/// The characters that a result shows before a match in a longer line.
const SHOWN_BEFORE: usize = 100;

/// The lines of a text by number.
pub(crate) struct NumberedLines<'a> {
    text: &'a str,
    /// The start of each line, in bytes.
    starts: Vec<usize>,
}

impl<'a> NumberedLines<'a> {
    pub(crate) fn of(text: &'a str) -> NumberedLines<'a> {
        let text = without_mark(text);
        let mut starts = vec![0];
        starts.extend(memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        if starts.last() == Some(&text.len()) {
            starts.pop();
        }
        NumberedLines { text, starts }
    }

    pub(crate) fn count(&self) -> usize {
        self.starts.len()
    }

    /// Returns a line without its end; an empty text for a number that no line has.
    pub(crate) fn line(&self, number: usize) -> &'a str {
        let Some(start) = number.checked_sub(1).and_then(|at| self.starts.get(at)) else { return "" };
        let end = self.starts.get(number).copied().unwrap_or(self.text.len());
        without_end(&self.text[*start..end])
    }

    /// Returns the text of these lines with their ends.
    pub(crate) fn text(&self, first: usize, last: usize) -> &'a str {
        let start = self.starts.get(first - 1).copied().unwrap_or(self.text.len());
        let end = self.starts.get(last).copied().unwrap_or(self.text.len());
        &self.text[start..end]
    }
}

/// Counts the lines up to positions that grow.
pub(crate) struct LineCounter<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> LineCounter<'a> {
    pub(crate) fn new(text: &'a str) -> LineCounter<'a> {
        LineCounter { text, at: 0, line: 1 }
    }

    /// Returns the number of the line with this position, which is not less than the last one.
    pub(crate) fn line_at(&mut self, at: usize) -> usize {
        self.line += memchr_iter(b'\n', &self.text.as_bytes()[self.at..at]).count();
        self.at = at;
        self.line
    }
}

/// Returns the line with a position as a result shows it. Only that part is read: a line may have many marks.
pub(crate) fn shown_at(text: &str, at: usize) -> String {
    let first = text.len() - without_mark(text).len();
    let before = text[first..at].char_indices().rev().take(LONGEST_SHOWN + 1).take_while(|(_, c)| *c != '\n');
    let (start, column) = before.fold((at, 0), |(_, column), (from, _)| (first + from, column + 1));
    let mut after = text[at..].char_indices().take(LONGEST_SHOWN + 1);
    let end = after.find(|(_, c)| *c == '\n').map(|(end, _)| end);
    let end = end.or_else(|| text[at..].char_indices().nth(LONGEST_SHOWN + 1).map(|(end, _)| end));
    shown_around(without_end(&text[start..end.map_or(text.len(), |end| at + end)]), column)
}

/// Returns a line as a result shows it: a long one is cut to the part around character `at`.
pub(crate) fn shown_around(line: &str, at: usize) -> String {
    let Some((longest, _)) = line.char_indices().nth(LONGEST_SHOWN) else { return line.to_owned() };
    if at < LONGEST_SHOWN - SHOWN_BEFORE {
        return format!("{}…", &line[..longest]);
    }
    let start = line.char_indices().nth(at - SHOWN_BEFORE).map_or(line.len(), |(at, _)| at);
    let rest = &line[start..];
    match rest.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("…{}…", &rest[..end]),
        None => format!("…{rest}"),
    }
}

/// Returns a text without its byte order mark.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn without_end(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

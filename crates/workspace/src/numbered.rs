//! Lines with their numbers, as a model reads a file.

use crate::Error;
use crate::lines::NumberedLines;
use crate::messages;
use copydesk_base::Locale;

/// The longest result, in characters.
pub const LONGEST_RESULT: usize = 10_000;

/// The lines that a call asks for, from 1; the whole text by default.
#[derive(Clone, Copy, Debug, Default)]
pub struct WantedLines {
    /// The first line.
    pub first: Option<i64>,
    /// The last line, included. A greater number than the text has means the last one.
    pub last: Option<i64>,
}

/// Returns lines as `12 | text` or, if `is_raw`, as they are in the file. After 10,000 characters the result is
/// truncated, and its end states the number of all lines and which ones are shown.
///
/// ```
/// use copydesk_base::Locale;
/// use copydesk_workspace::{WantedLines, numbered};
///
/// let range = WantedLines { first: Some(2), last: None };
/// assert_eq!(numbered("# Tea\n\nHot.\n", range, false, Locale::En)?, "2 | \n3 | Hot.");
/// # Ok::<(), copydesk_workspace::Error>(())
/// ```
///
/// # Errors
/// [`Error::InvalidValue`] if the text has no such lines.
pub fn numbered(text: &str, range: WantedLines, is_raw: bool, locale: Locale) -> Result<String, Error> {
    let lines = NumberedLines::of(text);
    let total = lines.count();
    if total == 0 && is_raw {
        return Ok(String::new());
    }
    if total == 0 {
        return Ok(messages::FILE_EMPTY.text(locale).to_owned());
    }
    let (first, last) = checked(range, total)?;
    let mut shown = String::new();
    let (mut length, mut next) = (0, first);
    while next <= last {
        let line = if is_raw { lines.text(next, next).to_owned() } else { format!("{next} | {}\n", lines.line(next)) };
        // The end of the last line does not count.
        let added = line.trim_end_matches(['\n', '\r']).chars().count();
        if length + added > LONGEST_RESULT {
            break;
        }
        length += line.chars().count();
        shown += &line;
        next += 1;
    }
    if next > last {
        let end = if is_raw { shown.len() } else { shown.len() - 1 };
        shown.truncate(end);
        return Ok(shown);
    }
    if next == first {
        return Ok(part_of_line(lines.line(first), first, total, is_raw, locale));
    }
    let end = next - 1;
    if !shown.ends_with('\n') {
        shown.push('\n');
    }
    shown += &messages::LinesCut { total: &total, first: &first, end: &end, next: &next }.text(locale);
    Ok(shown)
}

fn checked(range: WantedLines, total: usize) -> Result<(usize, usize), Error> {
    let (start, end) = (range.first.unwrap_or(1), range.last.unwrap_or(total as i64));
    let wrong = |name, given: i64, least: i64| Error::InvalidValue {
        name,
        given: given.to_string(),
        expected: messages::LineRange { least: &least, total: &total }.message(),
    };
    let first = usize::try_from(start).ok().filter(|first| (1..=total).contains(first));
    let first = first.ok_or_else(|| wrong("start_line", start, 1))?;
    let last = usize::try_from(end).ok().filter(|last| *last >= first);
    let last = last.ok_or_else(|| wrong("end_line", end, first as i64))?;
    Ok((first, last.min(total)))
}

/// Returns the beginning of a line that is longer than a result.
fn part_of_line(line: &str, number: usize, total: usize, is_raw: bool, locale: Locale) -> String {
    let prefix = if is_raw { String::new() } else { format!("{number} | ") };
    let most = LONGEST_RESULT - prefix.len();
    let end = line.char_indices().nth(most).map_or(line.len(), |(at, _)| at);
    let (length, part) = (line.chars().count(), &line[..end]);
    let cut = messages::LineCut { total: &total, number: &number, length: &length, most: &most }.text(locale);
    format!("{prefix}{part}\n{cut}")
}

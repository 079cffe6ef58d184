//! Comments that accept findings: `<!-- copydesk-ignore timeline: reason -->`.

use crate::finding::CheckKind;
use memchr::memmem;
use std::ops::Range;

const COMMENT: &str = "<!--";
const COMMENT_END: &str = "-->";
const NAME: &str = "copydesk-ignore";

/// The waivers of a file for one check.
#[derive(Default)]
pub(crate) struct Waivers {
    /// The lines whose findings are accepted, sorted.
    lines: Vec<usize>,
    /// The comments in their order, in bytes: marks in them do not count.
    comments: Vec<Range<usize>>,
}

impl Waivers {
    /// Reads the waivers of a text.
    pub(crate) fn of(text: &str, kind: CheckKind) -> Waivers {
        let mut waivers = Waivers::default();
        if memmem::find(text.as_bytes(), NAME.as_bytes()).is_none() {
            return waivers;
        }
        let mut start = 0;
        let mut waits = false;
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let (mut accepts, mut rest) = (false, String::new());
            let mut from = 0;
            while let Some(at) = line[from..].find(COMMENT).map(|at| from + at)
                && let Some(end) = line[at..].find(COMMENT_END).map(|end| at + end + COMMENT_END.len())
            {
                rest += &line[from..at];
                if let Some(kinds) = kinds(&line[at + COMMENT.len()..end - COMMENT_END.len()]) {
                    waivers.comments.push(start + at..start + end);
                    accepts |= kinds.split([',', ' ', '，', '、']).any(|name| name == kind.name());
                }
                from = end;
            }
            rest += &line[from..];
            let is_alone = rest.trim().is_empty();
            if accepts || (waits && !is_alone) {
                waivers.lines.push(number);
            }
            // Blank lines and further comments may be between the comment and the line.
            waits = is_alone && (accepts || waits);
            start += line.len();
        }
        waivers
    }

    /// Returns whether findings in a line are accepted.
    pub(crate) fn accept(&self, line: usize) -> bool {
        self.lines.binary_search(&line).is_ok()
    }

    /// Returns whether a position is in one of the comments.
    pub(crate) fn contain(&self, at: usize) -> bool {
        let after = self.comments.partition_point(|comment| comment.start <= at);
        self.comments[..after].last().is_some_and(|comment| comment.contains(&at))
    }
}

/// Returns the names of the checks that a comment waives.
fn kinds(comment: &str) -> Option<&str> {
    let rest = comment.trim().strip_prefix(NAME)?;
    let kinds = rest.split([':', '：']).next().unwrap_or_default();
    kinds.starts_with(char::is_whitespace).then(|| kinds.trim())
}

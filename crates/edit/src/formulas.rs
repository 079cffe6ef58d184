//! Formulas in Markdown, as the elements by which TipTap's Mathematics extension reads them.
//!
//! Dollars follow [Pandoc's rule](https://pandoc.org/MANUAL.html#math): behind the first one and before the last one
//! there is no space, and no digit follows the last one, so that prices are text.

use super::content::escape;
use copydesk_document::Schema;
use std::borrow::Cow;

/// Returns Markdown with elements for its formulas, as far as the schema has these. Code is left as it is.
pub fn as_elements<'m>(schema: &Schema, markdown: &'m str) -> Cow<'m, str> {
    let (has_blocks, has_inline) = (schema.find_node("blockMath").is_some(), schema.find_node("inlineMath").is_some());
    if !markdown.contains('$') || !has_blocks && !has_inline {
        return Cow::Borrowed(markdown);
    }
    let mut out: Vec<String> = Vec::new();
    let (mut is_code, mut lines) = (false, markdown.split('\n').peekable());
    while let Some(line) = lines.next() {
        let text = line.trim();
        is_code ^= text.starts_with("```") || text.starts_with("~~~");
        let block = text.strip_prefix("$$").filter(|_| has_blocks && !is_code);
        let latex = block.and_then(|rest| match rest.strip_suffix("$$") {
            Some(latex) if !latex.trim().is_empty() => Some(latex.trim().to_owned()),
            _ => {
                let ends = |line: &str| line.trim_end().ends_with("$$");
                let count = lines.clone().position(ends)?;
                let mut latex = vec![rest.to_owned()];
                latex.extend(lines.by_ref().take(count + 1).map(str::to_owned));
                let last = latex.pop()?;
                latex.push(last.trim_end().trim_end_matches("$$").to_owned());
                Some(latex.join("\n").trim().to_owned())
            }
        });
        match latex {
            Some(latex) => {
                out.extend([String::new(), element("div", "block-math", &latex), String::new()]);
            }
            None if is_code || !has_inline => out.push(line.to_owned()),
            None => out.push(inline(line)),
        }
    }
    Cow::Owned(out.join("\n"))
}

/// Returns whether a line has a formula.
pub fn has_inline(line: &str) -> bool {
    find(line, 0).is_some()
}

fn element(tag: &str, kind: &str, latex: &str) -> String {
    let latex = escape(latex).replace('\n', "&#10;");
    format!("<{tag} data-type=\"{kind}\" data-latex=\"{latex}\"></{tag}>")
}

fn inline(line: &str) -> String {
    let (mut out, mut done) = (String::with_capacity(line.len()), 0);
    while let Some((start, end)) = find(line, done) {
        out.push_str(&line[done..start]);
        out.push_str(&element("span", "inline-math", line[start + 1..end - 1].trim()));
        done = end;
    }
    out.push_str(&line[done..]);
    out
}

/// Returns the bytes of the first formula behind an offset, outside of code.
fn find(line: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = line.as_bytes();
    let (mut at, mut start) = (from, None);
    while at < bytes.len() {
        match (bytes[at], start) {
            (b'\\', _) => at += 1,
            (b'`', None) => {
                let ticks = bytes[at..].iter().take_while(|byte| **byte == b'`').count();
                let close = line[at + ticks..].find(&line[at..at + ticks])?;
                at += ticks + close + ticks - 1;
            }
            (b'$', None) => {
                let next = bytes.get(at + 1).copied();
                if next.is_some_and(|next| !next.is_ascii_whitespace() && next != b'$') {
                    start = Some(at);
                }
            }
            (b'$', Some(begin)) => {
                let is_space = bytes[at - 1].is_ascii_whitespace();
                let is_digit = bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
                let is_in_code = bytes[begin..at].iter().filter(|byte| **byte == b'`').count() % 2 == 1;
                if !is_space && !is_digit && !is_in_code && at > begin + 1 {
                    return Some((begin, at + 1));
                }
                if is_in_code {
                    (at, start) = (begin, None);
                } else {
                    // The second one of two prices may begin a formula.
                    start = bytes.get(at + 1).is_some_and(|next| !next.is_ascii_whitespace()).then_some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_and_code_are_no_formulas() {
        for formula in ["$x$", "a $x^2$ b", "$\\alpha$.", "(it costs $5) $x$", "$5x$"] {
            assert!(has_inline(formula), "{formula}");
        }
        for text in [
            "It costs $5 and then $10.",
            "$HOME and $PATH",
            "Set $HOME/bin. Your `$PATH` and `$X` are `x` here.",
            "`$x$`",
            "\\$x$ y",
            "$ x $",
            "$$",
            "$5, $6",
            "a$",
        ] {
            assert!(!has_inline(text), "{text}");
        }
        assert_eq!(inline("a $x<y$ b"), "a <span data-type=\"inline-math\" data-latex=\"x&lt;y\"></span> b");
    }
}

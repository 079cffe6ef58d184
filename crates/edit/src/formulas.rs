//! Formulas in content, as the elements by which TipTap's Mathematics extension reads them.
//!
//! Dollars follow [Pandoc's rule](https://pandoc.org/MANUAL.html#math): behind the first one and before the last one
//! there is no space, and no digit follows the last one, so that prices are text. The delimiters of LaTeX, `\(x\)` and
//! `\[x\]`, are equivalent if there is no prose between them: in Markdown the same characters are escaped brackets.

use super::content::{self, Format, escape};
use super::parent::holds;
use copydesk_document::{Document, Node, NodeRole, Schema};
use std::borrow::Cow;

/// The longest formula between the delimiters of LaTeX that is looked for, in characters, and the most lines of one.
const LONGEST: usize = 2_000;
const MOST_LINES: usize = 100;
/// Signs that prose does not have.
const OF_LATEX: [char; 8] = ['\\', '^', '_', '=', '{', '+', '<', '>'];

/// Returns content with dollars in place of the delimiters of LaTeX, and HTML with elements for its formulas, if the
/// schema has these. What is text in the document stays text, and so does code.
pub fn stated<'c>(document: &Document, content: &'c str, format: Option<Format>) -> Cow<'c, str> {
    let schema = document.schema();
    let (has_blocks, has_inline) =
        (schema.find_role(NodeRole::BlockMath).is_some(), schema.find_role(NodeRole::InlineMath).is_some());
    let may_have = || content.contains('$') || content.contains('\\');
    if !has_blocks && !has_inline || format == Some(Format::Text) || !may_have() {
        return Cow::Borrowed(content);
    }
    let is_text = |source: &str| {
        let has = |node: &Node| node.text().is_some_and(|text| text.contains(source));
        document.blocks().iter().any(|block| holds(block, &has))
    };
    let has_latex = ["\\(", "\\["].iter().any(|open| content.contains(open) && !is_text(open));
    let content = if has_latex { Cow::Owned(with_dollars(content, has_blocks, has_inline)) } else { content.into() };
    // Markdown around HTML reads its own.
    let is_html =
        content.trim_start().starts_with('<') && content.trim_end().ends_with('>') && !content.contains("```");
    if !content.contains('$') || !is_html || !content::is_html(&content) {
        return content;
    }
    let formula = |text: &str, is_block: bool| {
        let is_known = if is_block { has_blocks } else { has_inline };
        is_known && !is_text(text)
    };
    Cow::Owned(in_html(&content, &formula))
}

fn is_latex(text: &str) -> bool {
    let is_prose = || text.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().count() > 1);
    text.contains(char::is_alphanumeric) && (text.contains(OF_LATEX) || !is_prose())
}

fn with_dollars(content: &str, has_blocks: bool, has_inline: bool) -> String {
    let mut out: Vec<String> = Vec::new();
    let (mut is_code, mut lines) = (false, content.split('\n').peekable());
    while let Some(line) = lines.next() {
        let text = line.trim();
        is_code ^= text.starts_with("```") || text.starts_with("~~~");
        let opens = line.find("\\[").filter(|at| {
            // Signs and tags may be before it.
            has_blocks && !is_code && content::without_tags(&line[..*at]).chars().all(|c| !c.is_alphanumeric())
        });
        let close =
            |line: &str| line.find("\\]").filter(|at| content::without_tags(&line[*at + 2..]).trim().is_empty());
        let block = opens.and_then(|open| {
            let mut latex = vec![&line[open + 2..]];
            let mut following = lines.clone().take(MOST_LINES);
            while close(latex[latex.len() - 1]).is_none() {
                latex.push(following.next().filter(|line| !line.trim().is_empty())?);
            }
            let last = latex.pop()?;
            let end = close(last)?;
            latex.push(&last[..end]);
            let inside = latex.join("\n");
            is_latex(&inside)
                .then(|| (latex.len() - 1, format!("{}$${}$${}", &line[..open], inside.trim(), &last[end + 2..])))
        });
        match block {
            Some((count, written)) => {
                lines.by_ref().take(count).for_each(drop);
                out.push(written);
            }
            None if is_code || !has_inline => out.push(line.to_owned()),
            None => out.push(inline_dollars(line)),
        }
    }
    out.join("\n")
}

/// Returns a line with dollars around each formula in `\(…\)`, and in `\[…\]` within text. Code stays.
fn inline_dollars(line: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(line.len()), line);
    while let Some(at) = rest.find(['`', '\\']) {
        out += &rest[..at];
        rest = &rest[at..];
        let ticks = rest.len() - rest.trim_start_matches('`').len();
        let code = rest[ticks..].find(&rest[..ticks]).filter(|_| ticks > 0).map(|close| close + 2 * ticks);
        let formula = || {
            let close = if rest.starts_with("\\(") { "\\)" } else { "\\]" };
            let inside = rest.strip_prefix("\\(").or(rest.strip_prefix("\\["))?;
            let most = inside.char_indices().nth(LONGEST).map_or(inside.len(), |(at, _)| at);
            let end = inside[..most].find(close)?;
            let (latex, behind) = (&inside[..end], &inside[end + close.len()..]);
            // An escape in an address is beside letters.
            let is_beside = out.ends_with(|c: char| c.is_ascii_alphanumeric()) || out.ends_with("](");
            let is_followed = behind.starts_with(|c: char| c.is_ascii_digit());
            let is_one = !["$", "`", "\\(", "\\["].iter().any(|sign| latex.contains(sign));
            (is_latex(latex) && is_one && !is_beside && !is_followed).then(|| (latex.trim(), behind))
        };
        match (code, formula()) {
            (Some(end), _) => {
                out += &rest[..end];
                rest = &rest[end..];
            }
            (None, Some((latex, behind))) => {
                out += &format!("${latex}$");
                rest = behind;
            }
            (None, None) => {
                // An escaped character begins no formula.
                let end = rest.char_indices().nth(if ticks > 0 { ticks } else { 2 }).map_or(rest.len(), |(end, _)| end);
                out += &rest[..end];
                rest = &rest[end..];
            }
        }
    }
    out + rest
}

/// Returns HTML with elements for the formulas in its text. `is_formula` is called with the source of each, and with
/// whether it is the whole paragraph, and returns whether it is a formula.
fn in_html(html: &str, is_formula: &dyn Fn(&str, bool) -> bool) -> String {
    let (mut out, mut rest, mut code) = (String::with_capacity(html.len()), html, 0_usize);
    while !rest.is_empty() {
        // `x < 5` is text.
        let is_tag =
            |at: &usize| rest[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        let end = rest.match_indices('<').map(|(at, _)| at).find(is_tag).unwrap_or(rest.len());
        let (text, behind) = rest.split_at(end);
        let block = text.trim().strip_prefix("$$").and_then(|latex| latex.strip_suffix("$$")).map(str::trim);
        let block = block.filter(|latex| !latex.is_empty() && code == 0).and_then(|latex| {
            let open = out.rfind("<p").filter(|at| out[*at..].find('>') == Some(out.len() - at - 1))?;
            Some((latex, open))
        });
        match block {
            Some((latex, open)) if behind.starts_with("</p>") && is_formula(text.trim(), true) => {
                out.truncate(open);
                out += &escaped_element("div", "block-math", latex);
                rest = &behind["</p>".len()..];
                continue;
            }
            _ if code > 0 => out += text,
            _ => {
                let element = |source: &str| match is_formula(source, false) {
                    true => escaped_element("span", "inline-math", latex_of(source)),
                    false => source.to_owned(),
                };
                // A line that is a formula is read as a block, with its row.
                let is_block = |line: &str| {
                    line.len() > 4 && line.starts_with("$$") && line.ends_with("$$") && is_formula(line, true)
                };
                text.split_inclusive('\n').for_each(|line| match is_block(line.trim()) {
                    true => out += line,
                    false => out += &with_elements(line, &element),
                });
            }
        }
        let tag_end = behind.find('>').map_or(behind.len(), |end| end + 1);
        let (tag, behind) = behind.split_at(tag_end);
        for name in ["code", "pre", "script", "style", "textarea"] {
            let is = |start: &str| tag.strip_prefix(start).and_then(|tag| tag.strip_prefix(name));
            let ends = |rest: &str| rest.starts_with(|c: char| c == '>' || c == '/' || c.is_whitespace());
            code += usize::from(is("<").is_some_and(ends));
            code = code.saturating_sub(usize::from(is("</").is_some_and(ends)));
        }
        out += tag;
        rest = behind;
    }
    out
}

/// Returns an element for a formula whose special characters are character references already.
fn escaped_element(tag: &str, kind: &str, latex: &str) -> String {
    let latex = latex.replace('"', "&quot;").replace('\n', "&#10;");
    format!("<{tag} data-type=\"{kind}\" data-latex=\"{latex}\"></{tag}>")
}

/// Returns Markdown with elements for its formulas, if the schema has these. Code is not changed.
pub fn as_elements<'m>(schema: &Schema, markdown: &'m str) -> Cow<'m, str> {
    let (has_blocks, has_inline) =
        (schema.find_role(NodeRole::BlockMath).is_some(), schema.find_role(NodeRole::InlineMath).is_some());
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
    escaped_element(tag, kind, &escape(latex))
}

fn inline(line: &str) -> String {
    with_elements(line, &|source| element("span", "inline-math", latex_of(source)))
}

/// Returns a line with an element in place of each formula.
fn with_elements(line: &str, element: &dyn Fn(&str) -> String) -> String {
    let (mut out, mut done) = (String::with_capacity(line.len()), 0);
    while let Some((start, end)) = find(line, done) {
        out += &line[done..start];
        out += &element(&line[start..end]);
        done = end;
    }
    out + &line[done..]
}

/// Returns the bytes of the first formula behind an offset, outside of code. One or two dollars are its delimiters, as
/// many at its end as at its beginning.
fn find(line: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = line.as_bytes();
    let run = |at: usize, sign: u8| bytes[at..].iter().take_while(|byte| **byte == sign).count();
    let (mut at, mut start) = (from, None);
    while at < bytes.len() {
        match (bytes[at], start) {
            (b'\\', _) => at += 1,
            (b'`', None) => {
                let ticks = run(at, b'`');
                let close = line[at + ticks..].find(&line[at..at + ticks])?;
                at += ticks + close + ticks - 1;
            }
            (b'$', _) => {
                let dollars = run(at, b'$');
                let opens = dollars <= 2 && bytes.get(at + dollars).is_some_and(|next| !next.is_ascii_whitespace());
                let begin = start.filter(|(_, opened)| *opened == dollars).map(|(begin, _)| begin);
                let is_in_code = |begin: usize| bytes[begin..at].iter().filter(|byte| **byte == b'`').count() % 2 == 1;
                match begin {
                    Some(begin) if is_in_code(begin) => (at, start) = (begin + dollars - 1, None),
                    Some(begin) => {
                        let is_space = bytes[at - 1].is_ascii_whitespace();
                        let is_digit = bytes.get(at + dollars).is_some_and(u8::is_ascii_digit);
                        if !is_space && !is_digit {
                            return Some((begin, at + dollars));
                        }
                        // The second one of two prices may begin a formula.
                        start = opens.then_some((at, dollars));
                        at += dollars - 1;
                    }
                    None => {
                        start = opens.then_some((at, dollars)).or(start);
                        at += dollars - 1;
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the formula between its delimiters.
fn latex_of(source: &str) -> &str {
    source.trim_matches('$').trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
            "$x $",
            "$$",
            "$5, $6",
            "a$",
            "$$x$",
            "$x$$",
            "$$$x$$$",
        ] {
            assert!(!has_inline(text), "{text}");
        }
        assert_eq!(
            inline("a $$x$$ b $y$"),
            "a <span data-type=\"inline-math\" data-latex=\"x\"></span> b <span data-type=\"inline-math\" data-latex=\"y\"></span>"
        );
        assert_eq!(inline("a $x<y$ b"), "a <span data-type=\"inline-math\" data-latex=\"x&lt;y\"></span> b");
    }

    fn document(text: &str) -> Option<Document> {
        let mut data = Schema::tiptap_data();
        let nodes = data["nodes"].as_array_mut()?;
        nodes.push(json!({ "name": "inlineMath", "group": "inline", "inline": true, "attrs": { "latex": {} } }));
        nodes.push(json!({ "name": "blockMath", "group": "block", "attrs": { "latex": {} } }));
        let block = json!({ "type": "paragraph", "content": [{ "type": "text", "text": text }] });
        let json = json!({ "type": "doc", "content": [block] }).to_string();
        Document::from_json(&json, Schema::from_json(&data.to_string()).ok()?).ok()
    }

    #[test]
    fn the_delimiters_of_latex_are_dollars() {
        let price = document("a $literal$ price").unwrap();
        for (content, expected) in [
            ("so \\(x\\) and \\( \\alpha^2 \\).", "so $x$ and $\\alpha^2$."),
            ("- \\[x = 1\\]", "- $$x = 1$$"),
            ("\\[\nx = 1 \\\\\ny = 2\n\\]\nrest", "$$x = 1 \\\\\ny = 2$$\nrest"),
            ("with \\[x = 1\\] within", "with $x = 1$ within"),
            ("<p>\\[x < 1\\]</p>", "<div data-type=\"block-math\" data-latex=\"x < 1\"></div>"),
            ("<p>a $x\"$ b</p>", "<p>a <span data-type=\"inline-math\" data-latex=\"x&quot;\"></span> b</p>"),
        ] {
            assert_eq!(stated(&price, content, None), expected, "{content}");
        }
        for content in [
            "\\(see below\\) and \\[sic\\]",
            "\\[silence\\]",
            "[link](foo\\(a_b\\)) and [link](\\(a\\))",
            "\\(a\\(b\\)",
            "\\!\\@\\[\\\\\\]\\^\\_",
            "`\\(x\\)` and\n```\n\\(x\\)\n\\[x\\]\n```",
            "<p>a $literal$ <code>$x$</code> <pre>$x$</pre></p>",
            "\\\\(x)",
            "\\(x and no end",
            "\\(x\\)2",
            "é\\",
        ] {
            assert_eq!(stated(&price, content, None), content);
        }
        assert_eq!(stated(&price, "\\(x\\)", Some(Format::Text)), "\\(x\\)");
        let about = document("write \\(x\\) for x").unwrap();
        assert_eq!(stated(&about, "write \\(y\\) for y", None), "write \\(y\\) for y");
    }

    #[test]
    fn nothing_is_lost_of_any_content() {
        const PIECES: [&str; 20] = [
            "\\(", "\\)", "\\[", "\\]", "$", "$$", "x", "^", "é", " ", "\n", "`", "```\n", "<p>", "</p>", "<code>",
            "</code>", "<", "\\", "5",
        ];
        let plain = document("text").unwrap();
        let mut random = copydesk_test_support::random::Random::new();
        let letters = |text: &str| text.chars().filter(|c| matches!(c, 'x' | '^' | 'é' | '5')).collect::<String>();
        for _ in 0..20_000 {
            let content: String = (0..random.below(12)).map(|_| *random.pick(&PIECES)).collect();
            let read = stated(&plain, &content, None);
            let read = read.replace("data-latex", "").replace("block-math", "").replace("inline-math", "");
            assert_eq!(letters(&read), letters(&content), "{content:?}");
        }
    }
}

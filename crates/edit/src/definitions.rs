//! Links of Markdown that refer to a definition in the same content: `[a][1]` and `[1]: https://a.example`.
//!
//! Content is read row by row, so that a definition must be resolved before. Stated Markdown is parsed as a whole.

use crate::content::Format;
use crate::fence::Fences;
use copydesk_document::Line;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Returns content with the URLs of its own definitions in the links that refer to them, without these definitions. Those
/// that no link refers to are text, and so are all if one of the `old` lines, which the content replaces, reads like one.
pub fn resolved<'t>(text: &'t str, format: Option<Format>, old: impl FnOnce() -> Vec<Line>) -> Cow<'t, str> {
    let is_definition = |line: &Line| definition(&line.text).is_some();
    if format.is_some() || !text.contains("]: ") || old().iter().any(is_definition) {
        return text.into();
    }
    let mut fences = Fences::default();
    let is_code: Vec<bool> = text.split('\n').map(|line| fences.read(line)).collect();
    let lines = || text.split('\n').zip(&is_code);
    let definitions: FxHashMap<String, &str> =
        lines().filter(|(_, is_code)| !**is_code).filter_map(|(line, _)| definition(line)).collect();
    let mut used: Vec<String> = Vec::new();
    let mut out: Vec<Cow<'_, str>> = Vec::new();
    for (line, is_code) in lines() {
        out.push(match *is_code || definition(line).is_some() {
            true => line.into(),
            false => with_urls(line, &definitions, &mut used),
        });
    }
    if used.is_empty() {
        return text.into();
    }
    let is_used = |line: &str| definition(line).is_some_and(|(label, _)| used.contains(&label));
    let kept = lines().zip(out).filter(|((line, is_code), _)| **is_code || !is_used(line)).map(|(_, out)| out);
    let text = kept.collect::<Vec<_>>().join("\n");
    text.trim_end_matches('\n').to_owned().into()
}

/// Returns the label and the target of a line that is a definition.
fn definition(line: &str) -> Option<(String, &str)> {
    let (label, target) = line.trim().strip_prefix('[')?.split_once("]: ")?;
    let is_label = !label.is_empty() && !label.contains(['[', ']', '^']);
    let url = target.split_whitespace().next()?;
    (is_label && url.contains(['.', '/', '#', '<'])).then(|| (label.to_lowercase(), target.trim()))
}

/// Returns a line with the targets of references.
fn with_urls<'l>(line: &'l str, definitions: &FxHashMap<String, &str>, used: &mut Vec<String>) -> Cow<'l, str> {
    let (mut out, mut done) = (String::new(), 0);
    for (start, _) in line.match_indices('[') {
        let Some(length) = line[start..].find(']').filter(|_| start >= done) else { continue };
        let (text, behind) = (&line[start + 1..start + length], &line[start + length + 1..]);
        let full = behind.strip_prefix('[').and_then(|label| label.split_once(']'));
        let (label, end) = match full {
            Some((label, rest)) => (if label.is_empty() { text } else { label }, line.len() - rest.len()),
            None if behind.starts_with('(') => continue,
            None => (text, start + length + 1),
        };
        let Some(target) = definitions.get(&label.to_lowercase()) else { continue };
        out += &line[done..start];
        out += &format!("[{text}]({target})");
        done = end;
        used.push(label.to_lowercase());
    }
    if done == 0 { line.into() } else { (out + &line[done..]).into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_document::Document;

    #[test]
    fn references_have_the_targets_of_the_definitions_of_the_content() {
        assert_eq!(
            resolved("See [x][1] y.\n\n[1]: https://a.example", None, Vec::new),
            "See [x](https://a.example) y."
        );
        assert_eq!(
            resolved("[a] and [B][]\n\n[a]: /a \"t\"\n[b]: /b\n\nEnd", None, Vec::new),
            "[a](/a \"t\") and [B](/b)\n\n\nEnd"
        );
        // Text stays: a definition that nothing refers to, one in code, a label without a URL.
        for text in ["Hi\n\n[1]: https://a.example", "[1]\n\n```\n[1]: https://a.example\n```", "[Ann]: hello [Ann]"] {
            assert_eq!(resolved(text, None, Vec::new), text);
        }
    }

    #[test]
    fn definitions_are_text_if_the_lines_have_such_texts() {
        let document = Document::from_html("<p>See [1].</p><p>[1]: https://a.example</p>").unwrap();
        for text in ["See [1] again.\n[1]: https://a.example", "See [1].\n[1]: https://b.example"] {
            assert_eq!(resolved(text, None, || document.lines()), text);
        }
    }
}

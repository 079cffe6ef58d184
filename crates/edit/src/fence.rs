//! A fence of Markdown around the whole content.
//!
//! Models put content into fences although nobody asked for code. Which languages are such a wrapping depends on what
//! is expected: HTML, Markdown, or lines of code, whose language the fence states.

/// The languages that say that content is Markdown.
pub const MARKDOWN: &[&str] = &["markdown", "md"];
/// The language that says that content is HTML.
pub const HTML: &[&str] = &["html"];
/// The languages that say nothing but that it is content.
pub const ANY_CONTENT: &[&str] = &["", "html", "markdown", "md", "text", "txt", "plaintext"];

/// Content in a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fenced<'t> {
    /// The stated language, which may be empty.
    pub language: &'t str,
    /// The content without the fence.
    pub inside: &'t str,
}

/// Returns content that begins with a fence of backticks or tildes and ends with the same one, without these.
pub fn fenced(content: &str) -> Option<Fenced<'_>> {
    let text = content.trim();
    let sign = text.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let length = text.chars().take_while(|c| *c == sign).count();
    if length < 3 {
        return None;
    }
    let rest = text[length..].strip_suffix(&text[..length])?;
    let (stated, inside) = match rest.split_once('\n') {
        Some(parts) => parts,
        None => rest.split_at(rest.find(|c: char| !c.is_ascii_alphanumeric())?),
    };
    // The closing fence has a line of its own, unless a tag ends before it.
    let is_closed = inside.is_empty() || inside.ends_with(['\n', '>']);
    let language = stated.split_whitespace().next().unwrap_or_default();
    let inside = inside.strip_suffix('\n').unwrap_or(inside);
    (is_closed && !stated.contains(sign)).then_some(Fenced { language, inside })
}

impl Fenced<'_> {
    /// Returns whether both fences belong together: a fence inside may be the end of the first. Markdown may hold code,
    /// and so may anything if each block of code in it begins with a fence that states its language.
    fn is_one(&self, content: &str) -> bool {
        let text = content.trim();
        let sign = &text[..1];
        let length = text.len() - text.trim_start_matches(sign).len();
        let after = |line: &'_ str| -> Option<usize> {
            let rest = line.trim_start().trim_start_matches(sign);
            (line.trim_start().len() - rest.len() >= length).then(|| rest.trim().len())
        };
        let fences: Vec<usize> = self.inside.lines().filter_map(after).collect();
        let is_markdown = MARKDOWN.contains(&&*self.language.to_ascii_lowercase());
        let are_blocks = fences.chunks(2).all(|pair| matches!(pair, [first, 0] if is_markdown || *first > 0));
        fences.is_empty() || are_blocks
    }
}

/// Returns content without a fence around it whose language is one of these.
pub fn unfenced<'t>(content: &'t str, languages: &[&str]) -> &'t str {
    let is_meant = |fenced: &Fenced| languages.contains(&&*fenced.language.to_ascii_lowercase());
    let found = fenced(content).filter(|fenced| is_meant(fenced) && fenced.is_one(content));
    found.map_or(content, |fenced| fenced.inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_goes_only_where_it_is_one_around_everything() {
        assert_eq!(unfenced("```html\n<p>a</p>\n```", HTML), "<p>a</p>");
        assert_eq!(unfenced("```HTML\n<p>a</p>```", HTML), "<p>a</p>");
        assert_eq!(unfenced("```html<p>a</p>```", HTML), "<p>a</p>");
        assert_eq!(unfenced("~~~md\na\n~~~", MARKDOWN), "a");
        assert_eq!(unfenced("````md\n```\na\n```\n````", MARKDOWN), "```\na\n```");
        assert_eq!(unfenced("```\na\n```js\nb\n```\n```", ANY_CONTENT), "a\n```js\nb\n```");
        for kept in ["```\na\n```\nb\n```\nc\n```", "```js\na\n```", "```\na", "a ```", "``a``", "```"] {
            assert_eq!(unfenced(kept, ANY_CONTENT), kept);
        }
        assert_eq!(fenced("```c++\na\n\n```"), Some(Fenced { language: "c++", inside: "a\n" }));
        assert_eq!(fenced("```\n```"), Some(Fenced { language: "", inside: "" }));
    }
}

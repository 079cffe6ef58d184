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

/// Returns the sign, the length and the text behind it of a fence, which may be in a quotation, an item or a cell.
pub fn of_line(line: &str) -> Option<(char, usize, &str)> {
    let text = line.trim_start_matches([' ', '\t', '>', '|']);
    let sign = text.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let behind = text.trim_start_matches(sign);
    let length = text.len() - behind.len();
    (length >= 3 && !behind.contains(sign)).then(|| (sign, length, behind.trim()))
}

/// The fence that lines read in sequence are in.
#[derive(Default)]
pub struct Fences {
    open: Option<(char, usize)>,
}

impl Fences {
    /// Returns whether a fence is open behind the lines that have been read.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Reads the next line. Returns whether it is a fence, or code in one.
    pub fn read(&mut self, line: &str) -> bool {
        let (is_code, open) = match (self.open, of_line(line)) {
            (Some((sign, length)), Some((other, count, ""))) if sign == other && count >= length => (true, None),
            (Some(open), _) => (true, Some(open)),
            (None, Some((sign, length, _))) => (true, Some((sign, length))),
            (None, None) => (false, None),
        };
        self.open = open;
        is_code
    }
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

    #[test]
    fn code_ends_with_a_fence_of_the_same_sign_that_is_as_long() {
        let code = |lines: &[&str]| {
            let mut fences = Fences::default();
            lines.iter().map(|line| fences.read(line)).collect::<Vec<_>>()
        };
        assert_eq!(code(&["a", "```js", "x", "```", "b"]), [false, true, true, true, false]);
        assert_eq!(code(&["> ~~~", "> ```", "> ~~~", "z"]), [true, true, true, false]);
        assert_eq!(code(&["````", "```", "```` ", "z"]), [true, true, true, false]);
        assert_eq!(code(&["```a```", "z"]), [false, false]);
    }
}

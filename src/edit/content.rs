//! Content as models write it, on its way to HTML.

/// Content as HTML. Models mostly write HTML; where there is no tag at all, every line of text is a paragraph.
pub fn to_html(content: &str) -> String {
    if has_tag(content) {
        return content.to_owned();
    }
    let lines = content.lines().map(str::trim).filter(|line| !line.is_empty());
    // Entities stay as they are: text such as "&lt;b&gt;" was escaped by whoever wrote it.
    lines.map(|line| format!("<p>{}</p>", line.replace('<', "&lt;"))).collect()
}

/// A heading that holds a plain text.
pub fn heading(level: u8, title: &str) -> String {
    format!("<h{level}>{}</h{level}>", escape(&one_line(title)))
}

/// A picture.
pub fn image(url: &str, description: &str) -> String {
    format!(r#"<img src="{}" alt="{}">"#, escape(url), escape(&one_line(description)))
}

/// A text on one line, with single spaces: what titles are compared by.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Whether a text has something that an HTML parser takes as a tag or a comment.
fn has_tag(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        let rest = text[at + 1..].trim_start_matches('/');
        rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.contains('>') || rest.starts_with("!--")
    })
}

//! The tokens of plain HTML: text, and tags in the most common notation.
//!
//! html5ever's tokenizer reads tags character by character, and text byte by byte in wasm. Plain HTML is read here in
//! half of the time. html5ever reads the rest, from the first part that is not plain.

use html5ever::interface::Attribute;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink};
use html5ever::{LocalName, QualName, local_name, ns};

/// The number of bytes of HTML whose texts share one allocation.
const CHUNK: usize = 16_384;

/// The most attributes of a tag that is read here: each is compared with all before it.
const MOST_ATTRIBUTES: usize = 32;

/// Emits the tokens of HTML that begins in the data state. Returns where the tokenizer has to go on, in that state.
pub(super) fn emit<S: TokenSink>(sink: &S, html: &str) -> usize {
    // No tag that is read here changes the state.
    let emit = |token| drop(sink.process_token(token, 1));
    // The tokenizer replaces or drops these characters.
    let html = &html[..memchr::memchr2(b'\r', b'\0', html.as_bytes()).unwrap_or(html.len())];
    let mut texts = TextChunks { html, chunk: StrTendril::new(), start: 0 };
    let mut at = 0;
    while let Some(byte) = html.as_bytes().get(at) {
        match byte {
            b'<' => {
                let Some((tag, end)) = tag(html, at) else { return at };
                emit(Token::TagToken(tag));
                at = end;
            }
            b'&' => {
                let Some((character, length)) = reference(&html[at..]) else { return at };
                emit(Token::CharacterTokens(StrTendril::from_slice(character)));
                at += length;
            }
            _ => {
                let rest = &html.as_bytes()[at..];
                let end = at + memchr::memchr2(b'<', b'&', rest).unwrap_or(rest.len());
                emit(Token::CharacterTokens(texts.text(at, end)));
                at = end;
            }
        }
    }
    at
}

/// Texts that share one allocation for each chunk of HTML.
struct TextChunks<'h> {
    html: &'h str,
    chunk: StrTendril,
    /// The start of the chunk.
    start: usize,
}

impl TextChunks<'_> {
    fn text(&mut self, from: usize, to: usize) -> StrTendril {
        if to - from > CHUNK {
            return StrTendril::from_slice(&self.html[from..to]);
        }
        if to > self.start + self.chunk.len() {
            let mut end = self.html.len().min(from + CHUNK);
            while !self.html.is_char_boundary(end) {
                end -= 1;
            }
            (self.chunk, self.start) = (StrTendril::from_slice(&self.html[from..end]), from);
        }
        self.chunk.subtendril((from - self.start) as u32, (to - from) as u32)
    }
}

/// Returns the character of a reference at the beginning of a text, and the length of the reference. `None` if the
/// tokenizer has to read it.
fn reference(text: &str) -> Option<(&'static str, usize)> {
    const KNOWN: [(&str, &str); 7] = [
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&apos;", "'"),
        ("&nbsp;", "\u{A0}"),
    ];
    KNOWN.into_iter().find(|(written, _)| text.starts_with(written)).map(|(written, meant)| (meant, written.len()))
}

/// Returns the tag that begins at a byte, and its end. `None` if the tokenizer has to read it.
fn tag(html: &str, start: usize) -> Option<(Tag, usize)> {
    let bytes = html.as_bytes();
    let kind = if bytes.get(start + 1) == Some(&b'/') { TagKind::EndTag } else { TagKind::StartTag };
    let from = start + if kind == TagKind::EndTag { 2 } else { 1 };
    let mut at = end_of_name(bytes, from);
    let name = element_name(&html[from..at])?;
    let (mut attrs, mut self_closing): (Vec<Attribute>, bool) = (Vec::new(), false);
    loop {
        match (bytes.get(at)?, bytes.get(at + 1)) {
            (b'>', _) => break,
            _ if kind == TagKind::EndTag => return None,
            (b'/', Some(b'>')) => {
                self_closing = true;
                at += 1;
                break;
            }
            (b' ' | b'\n', Some(b'a'..=b'z')) => {
                let (attribute, end) = attribute(html, at + 1)?;
                if attrs.len() == MOST_ATTRIBUTES || attrs.iter().any(|other| other.name == attribute.name) {
                    return None;
                }
                attrs.push(attribute);
                at = end;
            }
            (b' ' | b'\n', Some(b' ' | b'\n' | b'/' | b'>')) => at += 1,
            _ => return None,
        }
    }
    Some((Tag { kind, name, self_closing, attrs, had_duplicate_attributes: false }, at + 1))
}

/// Returns the attribute that begins at a byte, and its end. `None` if the tokenizer has to read it.
fn attribute(html: &str, start: usize) -> Option<(Attribute, usize)> {
    let bytes = html.as_bytes();
    let end = end_of_name(bytes, start);
    let name = QualName::new(None, ns!(), LocalName::from(&html[start..end]));
    let quote = match (bytes.get(end)?, bytes.get(end + 1)?) {
        (b'=', quote @ (b'"' | b'\'')) => *quote,
        (b'>', _) | (b'/', b'>') | (b' ', b'a'..=b'z') => {
            return Some((Attribute { name, value: StrTendril::new() }, end));
        }
        _ => return None,
    };
    let from = end + 2;
    let to = from + memchr::memchr(quote, &bytes[from..])?;
    let value = attribute_value(&html[from..to])?;
    Some((Attribute { name, value }, to + 1))
}

fn attribute_value(written: &str) -> Option<StrTendril> {
    let mut length = text_end_in_value(written);
    let mut value = StrTendril::from_slice(&written[..length]);
    while length < written.len() {
        let rest = &written[length..];
        let (character, skipped) = reference(rest)?;
        let text = &rest[skipped..];
        let end = text_end_in_value(text);
        value.push_slice(character);
        value.push_slice(&text[..end]);
        length += skipped + end;
    }
    Some(value)
}

/// Returns the length of the text that a value begins with: up to `&`.
fn text_end_in_value(value: &str) -> usize {
    memchr::memchr(b'&', value.as_bytes()).unwrap_or(value.len())
}

/// Returns where a name ends that begins at a byte.
fn end_of_name(bytes: &[u8], start: usize) -> usize {
    let is_name = |byte: &&u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    start + bytes[start..].iter().take_while(is_name).count()
}

/// Returns the name of a common element behind whose tags the tokenizer is in the data state.
fn element_name(name: &str) -> Option<LocalName> {
    Some(match name {
        "p" => local_name!("p"),
        "strong" => local_name!("strong"),
        "em" => local_name!("em"),
        "code" => local_name!("code"),
        "a" => local_name!("a"),
        "li" => local_name!("li"),
        "ul" => local_name!("ul"),
        "ol" => local_name!("ol"),
        "td" => local_name!("td"),
        "th" => local_name!("th"),
        "tr" => local_name!("tr"),
        "tbody" => local_name!("tbody"),
        "thead" => local_name!("thead"),
        "tfoot" => local_name!("tfoot"),
        "table" => local_name!("table"),
        "colgroup" => local_name!("colgroup"),
        "col" => local_name!("col"),
        "h1" => local_name!("h1"),
        "h2" => local_name!("h2"),
        "h3" => local_name!("h3"),
        "h4" => local_name!("h4"),
        "h5" => local_name!("h5"),
        "h6" => local_name!("h6"),
        "img" => local_name!("img"),
        "br" => local_name!("br"),
        "hr" => local_name!("hr"),
        "pre" => local_name!("pre"),
        "blockquote" => local_name!("blockquote"),
        "span" => local_name!("span"),
        "div" => local_name!("div"),
        "b" => local_name!("b"),
        "i" => local_name!("i"),
        "u" => local_name!("u"),
        "s" => local_name!("s"),
        "mark" => local_name!("mark"),
        "sub" => local_name!("sub"),
        "sup" => local_name!("sup"),
        "label" => local_name!("label"),
        "input" => local_name!("input"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::build::{build, build_by_html5ever};
    use super::super::dom::{Dom, DomData, DomId};
    use copydesk_test_support::random::Random;

    const PARTS: [&str; 84] = [
        "<p>",
        "</p>",
        "<p>",
        "</p>",
        "<strong>",
        "</strong>",
        "<em>",
        "</em>",
        "<a href=\"x?a=1&amp;b=2\">",
        "</a>",
        "<b>",
        "</b>",
        "<ul>",
        "</ul>",
        "<ol start='3'>",
        "</ol>",
        "<li>",
        "</li>",
        "<table>",
        "</table>",
        "<tbody>",
        "<tr>",
        "</tr>",
        "<td>",
        "</td>",
        "<th colspan=\"2\" rowspan='3'>",
        "<pre>",
        "</pre>",
        "<code>",
        "</code>",
        "<pre>\n",
        "<br>",
        "<br/>",
        "<br />",
        "<hr>",
        "<img src=\"a b\" alt=''>",
        "<input disabled>",
        "<input  checked type=\"checkbox\" >",
        "<span\nclass=\"x\">",
        "</span>",
        "<div>",
        "</div>",
        "<h2>",
        "</h2>",
        "<blockquote>",
        "</blockquote>",
        "text",
        "a",
        " ",
        "\n",
        "\n\n",
        "茶叶，",
        "e\u{301}",
        "a long text of words",
        "&amp;",
        "&lt;",
        "&nbsp;",
        "&quot;",
        "&#39;",
        "&AMP;",
        "&ampx",
        "&#x41;",
        "&",
        "\r\n",
        "\0",
        "<",
        ">",
        "</",
        "<!-- a -->",
        "<P>",
        "<p class=a>",
        "<p class>",
        "<p a=\"1\" a=\"2\">",
        "</p x>",
        "<p/>",
        "<i a='&'>",
        "<script>a<p>",
        "</script>",
        "<textarea>",
        "<svg>",
        "<p x =\"1\">",
        "<p\t>",
        "<col>",
        "<td",
    ];

    #[test]
    fn plain_html_becomes_the_tree_that_html5ever_makes_of_it() {
        let mut random = Random::new();
        for _ in 0..30_000 {
            // The last parts have to be read by html5ever.
            let kinds = *random.pick(&[54, 59, PARTS.len()]);
            let html: String = (0..random.below(24)).map(|_| PARTS[random.below(kinds)]).collect();
            let trees = [build(&html), build_by_html5ever(&html)].map(|dom| dom.map(|dom| shown(&dom)));
            assert_eq!(trees[0], trees[1], "{html:?}");
        }
    }

    #[test]
    fn text_of_several_chunks_is_whole() {
        let html = format!("<p>{}</p><p>茶{}</p>", "绿茶 tea ".repeat(3_000), "a<b>b</b>".repeat(5_000));
        assert_eq!(build(&html).map(|dom| shown(&dom)), build_by_html5ever(&html).map(|dom| shown(&dom)));
    }

    fn shown(dom: &Dom) -> String {
        let mut out = String::new();
        show(dom, Dom::DOCUMENT, &mut out);
        out
    }

    fn show(dom: &Dom, id: DomId, out: &mut String) {
        match &dom.node(id).data {
            DomData::Element { name, attrs, .. } => {
                *out += &format!("<{}:{}", &*name.ns, &*name.local);
                attrs.iter().for_each(|attr| *out += &format!(" {}={:?}", &*attr.name.local, &*attr.value));
            }
            DomData::Text(text) => *out += &format!("{:?}", &**text),
            DomData::Other => *out += "<other>",
        }
        dom.children(id).for_each(|child| show(dom, child, out));
        out.push('/');
    }
}

//! Recognition of formats, compared with searches that restart at each position.

use crate::documents::for_seeds;
use crate::random::Random;
use copydesk_edit::content::{Format, Titles, same_title};
use copydesk_edit::markdown::looks_like;

fn text_of(random: &mut Random, pieces: &[&str], most: usize) -> String {
    (0..random.below(most)).map(|_| *random.pick(pieces)).collect()
}

/// The tags among the names that the test writes.
const TAGS: [&str; 3] = ["b", "p", "h1"];

fn has_tag(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        let rest = &text[at + 1..];
        let Some(inside) = rest.find('>').map(|end| &rest[..end]) else { return rest.starts_with("!--") };
        let name: String =
            inside.trim_start_matches('/').chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        let known = TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(&name));
        let ends = || inside.contains("=\"") || text.contains(&format!("</{name}>"));
        rest.starts_with("!--") || known || !name.is_empty() && ends()
    })
}

#[test]
fn a_tag_is_found_where_a_search_from_each_sign_finds_one() {
    for_seeds(5000, |random| {
        let pieces = ["<", ">", "/", "!--", "b", "x", "x-y", "P", "h1", " ", "=\"", "\"", "</x>", "<x", "é", "3"];
        let text = text_of(random, &pieces, 14);
        assert_eq!(Format::of(&text) == Format::Html, has_tag(&text), "{text:?}");
    });
}

/// Returns text without the parts between backticks.
fn without_code(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('`') {
        let ticks = rest[at..].bytes().take_while(|byte| *byte == b'`').count();
        let (open, inside) = (&rest[at..at + ticks], &rest[at + ticks..]);
        kept.push_str(&rest[..at]);
        match inside.find(open) {
            Some(end) => rest = inside[end..].trim_start_matches('`'),
            None => {
                kept.push_str(open);
                rest = inside;
            }
        }
    }
    kept + rest
}

#[test]
fn code_ends_where_a_search_from_each_backtick_finds_its_end() {
    for_seeds(20_000, |random| {
        let pieces = ["`", "``", "`````", "[a](/b)", "a", " ", "é"];
        let text = text_of(random, &pieces, 12);
        assert_eq!(looks_like(&text), has_link(without_code(&text).trim_end()), "{text:?}");
    });
}

fn has_link(line: &str) -> bool {
    let ends = |text: &str| (text.chars().next().unwrap_or(' '), text.chars().next_back().unwrap_or(' '));
    line.match_indices("](").any(|(at, _)| {
        let (Some(open), Some(end)) = (line[..at].rfind('['), line[at + 2..].find(')')) else { return false };
        let before = ends(&line[..open]).1;
        let is_call = before.is_ascii_alphanumeric() || matches!(before, '_' | ']' | ')');
        let target = &line[at + 2..at + 2 + end];
        let (address, title) = target.split_once(' ').unwrap_or((target, "\"\""));
        let is_address = matches!(ends(address).0, '/' | '#') || address.contains(':') || address.contains('.');
        let is_titled = matches!(ends(title.trim()).0, '"' | '\'' | '(');
        let says_something = before == '!' || open + 1 < at;
        !is_call && is_address && is_titled && says_something && target.chars().any(char::is_alphabetic)
    })
}

#[test]
fn a_link_is_found_where_a_search_from_each_bracket_finds_one() {
    for_seeds(20_000, |random| {
        let pieces = ["[", "](", ")", "]", "(", " ", "  ", "a", "/", ":", ".", "\"", "!", "é", "1"];
        let text = text_of(random, &pieces, 16);
        assert_eq!(looks_like(&text), has_link(text.trim_end()), "{text:?}");
    });
}

#[test]
fn titles_looked_up_are_titles_compared_with_each() {
    for_seeds(3000, |random| {
        let pieces = ["1", "12", ".", ". ", "、", "第", "章", "一", " ", "a", "b", "a b", ")"];
        let all: Vec<String> = (0..random.below(6)).map(|_| text_of(random, &pieces, 5)).collect();
        let title = text_of(random, &pieces, 5);
        let titles = Titles::of(all.iter().map(String::as_str));
        assert_eq!(titles.have(&title), all.iter().any(|other| same_title(other, &title)), "{title:?} in {all:?}");
    });
}

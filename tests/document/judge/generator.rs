//! Random HTML for trees: each input is mostly of one or two kinds, so that the rules of a kind meet often.

use super::random::Random;

const KINDS: [&str; 12] = [
    "table tbody thead tfoot tr td th caption colgroup col table tr td",
    "a b i u em font nobr code s big tt small strike strong",
    "p div address section h1 h2 h3 ul ol li dl dt dd pre center menu",
    "select option optgroup hr input keygen textarea button selectedcontent",
    "svg math mi mtext ms annotation-xml foreignObject desc title mglyph malignmark g font path script \
     math><annotation-xml annotation-xml><svg svg><desc svg><g><desc math><mi",
    "template template tr td col tbody caption div script style",
    "form form button input fieldset label table div textarea object",
    "ruby rb rt rtc rp span",
    "style script title xmp iframe noembed noframes noscript textarea plaintext listing",
    "html head body frameset frame base link meta basefont bgsound",
    "applet marquee object button param source track embed area wbr br img image",
    "custom-el span x search dialog main isindex sub sup var details summary é",
];

const TEXTS: [&str; 25] = [
    "x", " ", "\n", "\t", "\x0C", "word", " a b ", "\0", "\0 ", " \0x", "&amp;", "&#10;", "&#32;", "&nbsp;", "&notit;",
    "é", "😀", "\r\n", "\r", "<", "&", "\u{FEFF}", "  ", "y ", "\nz",
];

const OTHERS: &str = "<!-- c -->|</body><!---->|<!---->|<!doctype html>|<!DOCTYPE>|<?pi?>|</>|<![CDATA[ d ]]>|<![CDATA[|]]>|\
    <![CDATA[x\0y]]>|</br>|</p>|<!x>|</html></body>";

/// What follows the tag of an element that drops a line feed. A NUL does not: it is read as Chromium reads it, and
/// html5ever reads it otherwise.
const AFTER_PRE: [&str; 6] = ["v", "\n", "\nv", "\n\n", "&#10;v", "<b>"];

const ATTRIBUTES: &str = "||||||| id=1| id=2| class=a id=1| id=1 class=a| type=hidden| type=HIDDEN| color=red| face| size=3|\
    \u{20}encoding=text/html| encoding=Application/XHTML+xml| xlink:href=#a| xmlns=y| href=x&amp;y| A=b a=c|\
    \u{20}definitionURL=q viewBox='0 0' xml:lang=de| /";

/// A random input, in pieces of a tag or a text.
pub fn pieces(random: &mut Random) -> Vec<String> {
    let kinds = [random.below(KINDS.len()), random.below(KINDS.len()), random.below(KINDS.len())];
    let most = *random.pick(&[8, 24, 24, 24, 24, 24, 80]);
    let count = 1 + random.below(most);
    let mut pieces: Vec<String> = (0..count).map(|_| piece(random, kinds)).collect();
    // The same formatting element again and again is kept three times only.
    if random.below(6) == 0 {
        let at = random.below(pieces.len());
        let tag = format!("<{}{}>", pick(random, KINDS[1], ' '), pick(random, ATTRIBUTES, '|'));
        pieces.splice(at..at, std::iter::repeat_n(tag, 2 + random.below(4)));
        pieces.push((*random.pick(&["<p>", "</p>", "</div>", "x"])).to_owned());
    }
    if random.below(400) == 0 {
        let at = random.below(pieces.len());
        let name = *random.pick(&["<div>", "<b>", "<b><p>", "<table><tr><td>", "<svg>", "<a><div>"]);
        pieces.insert(at, name.repeat(100 + random.below(600)));
    }
    pieces
}

fn pick<'a>(random: &mut Random, of: &'a str, separator: char) -> &'a str {
    let of: Vec<&str> = of.split(separator).collect();
    of[random.below(of.len())]
}

fn piece(random: &mut Random, kinds: [usize; 3]) -> String {
    let kind = match random.below(20) {
        0..=7 => kinds[0],
        8..=12 => kinds[1],
        13..=15 => kinds[2],
        16..=17 => random.below(KINDS.len()),
        18 if random.below(3) == 0 => return pick(random, OTHERS, '|').to_owned(),
        _ => return (*random.pick(&TEXTS)).to_owned(),
    };
    let name = pick(random, KINDS[kind], ' ');
    let attributes = pick(random, ATTRIBUTES, '|');
    match (random.below(20), name) {
        (0..=13, "pre" | "listing") => format!("<{name}{attributes}>{}", random.pick(&AFTER_PRE)),
        (0..=11, _) => format!("<{name}{attributes}>"),
        (12, _) => format!("<{}/>", name.to_uppercase()),
        (13, _) => format!("<{name}>x</{name}>"),
        (14, _) => format!("</{name} id=3>"),
        _ => format!("</{name}>"),
    }
}

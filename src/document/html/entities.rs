//! Character references: `&amp;`, `&#8212;`, `&#x2014;`.
//!
//! `entities.txt` has the names of <https://html.spec.whatwg.org/entities.json> in the order of their bytes, each with
//! the code points that it stands for: `name;2242 338`, or `name C1` where the name also counts without a
//! semicolon.

pub(super) static NAMES: &[u8] = include_bytes!("entities.txt");

/// The longest name, and the longest that counts without a semicolon.
const LONGEST: usize = 31;
const LONGEST_BARE: usize = 6;

/// What a reference stands for: one character, or two.
pub(super) type Characters = (char, Option<char>);

/// What the numbers from 128 on stand for: what they are in Windows-1252.
const WINDOWS_1252: [u16; 32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
];

/// What the reference that begins `text`, which is what follows a `&`, stands for, and its length. In an attribute
/// `&copy=` and `&copying` are no references.
pub(super) fn reference(text: &[u8], in_attribute: bool) -> Option<(Characters, usize)> {
    match text {
        [b'#', b'x' | b'X', digits @ ..] => numeric(digits, 16).map(|(text, length)| (text, length + 2)),
        [b'#', digits @ ..] => numeric(digits, 10).map(|(text, length)| (text, length + 1)),
        _ => named(text, in_attribute),
    }
}

fn numeric(text: &[u8], radix: u32) -> Option<(Characters, usize)> {
    let digits = text.iter().map_while(|byte| char::from(*byte).to_digit(radix));
    let (length, code) =
        digits.fold((0, 0_u32), |(length, code), digit| (length + 1, code.saturating_mul(radix).saturating_add(digit)));
    if length == 0 {
        return None;
    }
    let code = match code.checked_sub(0x80).and_then(|at| WINDOWS_1252.get(at as usize)) {
        _ if code == 0 => 0xFFFD,
        Some(code) => u32::from(*code),
        None => code,
    };
    let semicolon = usize::from(text.get(length) == Some(&b';'));
    Some(((character(code), None), length + semicolon))
}

fn named(text: &[u8], in_attribute: bool) -> Option<(Characters, usize)> {
    let length = text.iter().take(LONGEST).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if text.get(length) == Some(&b';')
        && let Some((_, codes)) = find(&text[..length])
    {
        return Some((characters(codes), length + 1));
    }
    let (codes, length) = (1..=length.min(LONGEST_BARE)).rev().find_map(|length| match find(&text[..length]) {
        Some((b' ', codes)) => Some((codes, length)),
        _ => None,
    })?;
    let goes_on = text.get(length).is_some_and(|next| *next == b'=' || next.is_ascii_alphanumeric());
    (!in_attribute || !goes_on).then(|| (characters(codes), length))
}

/// The line of a name: what follows the name, and the code points.
fn find(name: &[u8]) -> Option<(u8, &'static [u8])> {
    let (mut low, mut high) = (0, NAMES.len());
    while low < high {
        let middle = (low + high) / 2;
        let start = NAMES[..middle].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let length = NAMES[start..].iter().position(|byte| *byte == b'\n')?;
        let line = &NAMES[start..start + length];
        let end = line.iter().position(|byte| matches!(byte, b' ' | b';'))?;
        match name.cmp(&line[..end]) {
            std::cmp::Ordering::Less => high = start,
            std::cmp::Ordering::Equal => return Some((line[end], &line[end + 1..])),
            std::cmp::Ordering::Greater => low = start + length + 1,
        }
    }
    None
}

fn characters(codes: &[u8]) -> Characters {
    let read = |code: &[u8]| {
        let digits = code.iter().filter_map(|byte| char::from(*byte).to_digit(16));
        character(digits.fold(0, |code, digit| code * 16 + digit))
    };
    let mut codes = codes.split(|byte| *byte == b' ').map(read);
    (codes.next().unwrap_or(char::REPLACEMENT_CHARACTER), codes.next())
}

fn character(code: u32) -> char {
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

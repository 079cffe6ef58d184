//! UTF-16 offsets into Rust strings: positions in a document count UTF-16 code units, strings count bytes.

/// The length of a text in UTF-16 code units.
pub fn len(text: &str) -> usize {
    // A UTF-8 sequence of n bytes is one unit for n ≤ 3 and two for n = 4: every byte that starts a sequence
    // counts one, and one that starts four bytes counts another.
    text.bytes().map(|byte| usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0)).sum()
}

/// The byte offset of a UTF-16 offset. Past the end means the end; inside a surrogate pair means before it.
pub fn byte_offset(text: &str, offset: usize) -> usize {
    let mut units = 0;
    for (at, char) in text.char_indices() {
        units += char.len_utf16();
        if units > offset {
            return at;
        }
    }
    text.len()
}

/// The part of a text between two UTF-16 offsets.
pub fn slice(text: &str, from: usize, to: usize) -> &str {
    let start = byte_offset(text, from);
    &text[start..byte_offset(text, to).max(start)]
}

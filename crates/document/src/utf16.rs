//! UTF-16 offsets into Rust strings: positions in a document count UTF-16 code units, strings count bytes.

/// The length of a text in UTF-16 code units.
pub fn len(text: &str) -> usize {
    // A UTF-8 sequence of n bytes is one unit for n ≤ 3 and two for n = 4: every byte counts one but those that go on
    // with a sequence (10…), and one that starts four bytes (1111…) counts another. Eight bytes are looked at at once.
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let extra = |word: u64| {
        let (first, second) = (word >> 7, word >> 6);
        let (continues, four) = (first & !second & LOWEST, first & second & (word >> 5) & (word >> 4) & LOWEST);
        four.count_ones() as usize + 8 - continues.count_ones() as usize
    };
    let one = |byte: &u8| usize::from(byte & 0xC0 != 0x80) + usize::from(*byte >= 0xF0);
    words.iter().map(|word| extra(u64::from_le_bytes(*word))).sum::<usize>() + rest.iter().map(one).sum::<usize>()
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

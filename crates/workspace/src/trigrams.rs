//! A filter that tells for most files without a text that they do not contain it.

/// The bits for each byte of a file. Of 100 files without a text, the filter lets a few pass.
const BITS_PER_BYTE: usize = 2;

/// The sequences of three bytes of a text, as a Bloom filter with one hash.
pub(crate) struct Trigrams {
    bits: Box<[u64]>,
}

/// Returns the number of words of a filter: a power of two.
fn words_for(text: &str) -> usize {
    (text.len() * BITS_PER_BYTE / 64).next_power_of_two()
}

impl Trigrams {
    /// Returns the size of the filter of a text.
    pub(crate) fn bytes_for(text: &str) -> usize {
        words_for(text) * size_of::<u64>()
    }

    pub(crate) fn of(text: &str) -> Trigrams {
        let words = words_for(text);
        let mut bits = vec![0; words].into_boxed_slice();
        for hash in hashes(text.as_bytes()) {
            let (word, bit) = place(hash, words);
            bits[word] |= bit;
        }
        Trigrams { bits }
    }

    /// Returns false if the text does certainly not contain this one.
    pub(crate) fn may_contain(&self, wanted: &[u8]) -> bool {
        hashes(wanted).all(|hash| {
            let (word, bit) = place(hash, self.bits.len());
            self.bits[word] & bit != 0
        })
    }
}

fn hashes(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.windows(3).map(|three| {
        let number = u32::from(three[0]) | u32::from(three[1]) << 8 | u32::from(three[2]) << 16;
        number.wrapping_mul(0x9E37_79B1)
    })
}

/// Returns the word and the bit in it for a hash. The number of words is a power of two.
fn place(hash: u32, words: usize) -> (usize, u64) {
    // The high bits of a product are the mixed ones.
    (((hash >> 12) as usize) & (words - 1), 1 << (hash >> 6 & 63))
}

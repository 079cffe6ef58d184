//! Hash maps and sets with one small hasher, and rows that are kept in order.
//!
//! The standard library compiles its hasher into every map, and its sort anew for every type and order: 4 kB each.

use std::hash::{BuildHasherDefault, Hasher};

/// The standard library's, with [`Spread`].
pub type HashMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<Spread>>;
/// The standard library's, with [`Spread`].
pub type HashSet<K> = std::collections::HashSet<K, BuildHasherDefault<Spread>>;

/// Spreads numbers and texts. It does not withstand keys that were made to collide: a page that has such a document
/// harms only itself.
#[derive(Default)]
pub struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        // The upper bits are the better ones, and a map looks at the lower ones first.
        self.0.rotate_left(26)
    }
}

/// Puts an item into a row that is in the order of a key, behind its equals. For rows that stay short.
pub fn insert_by_key<T, K: Ord>(row: &mut Vec<T>, item: T, key: impl Fn(&T) -> K) {
    let own = key(&item);
    row.insert(row.partition_point(|other| key(other) <= own), item);
}

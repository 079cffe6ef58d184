//! Hash maps and sets with one small hasher, and rows that are kept in order.
//!
//! The standard library compiles its hasher into every map, and its sort anew for every type and order: 4 kB each.

use std::collections::BinaryHeap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

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

/// Sorts items by a key. The sort is stable.
///
/// It sorts the keys in a heap, which is compiled once; the standard library's sort would be compiled for every item
/// type.
pub fn sorted_by_key<T>(items: Vec<T>, key: impl Fn(&T) -> u64) -> Vec<T> {
    let keys: Vec<(u64, usize)> = items.iter().enumerate().map(|(at, item)| (key(item), at)).collect();
    if keys.is_sorted() {
        return items;
    }
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    BinaryHeap::from(keys).into_sorted_vec().into_iter().filter_map(|(_, at)| items[at].take()).collect()
}

/// Values by a number, in its order.
pub struct Sorted<V>(Vec<(usize, V)>);

impl<V> FromIterator<(usize, V)> for Sorted<V> {
    /// If a number occurs more than once, its last value is kept.
    fn from_iter<I: IntoIterator<Item = (usize, V)>>(rows: I) -> Self {
        let mut sorted: Vec<(usize, V)> = Vec::new();
        for (number, value) in sorted_by_key(rows.into_iter().collect(), |(number, _)| *number as u64) {
            match sorted.last_mut() {
                Some((last, old)) if *last == number => *old = value,
                _ => sorted.push((number, value)),
            }
        }
        Sorted(sorted)
    }
}

impl<V> Sorted<V> {
    /// All, in order.
    pub fn rows(&self) -> &[(usize, V)] {
        &self.0
    }

    fn at(&self, number: usize) -> usize {
        self.0.partition_point(|(other, _)| *other < number)
    }

    /// Those whose numbers are in a range.
    pub fn range(&self, range: Range<usize>) -> &[(usize, V)] {
        &self.0[self.at(range.start)..self.at(range.end.max(range.start))]
    }

    /// The value of a number.
    pub fn get(&self, number: usize) -> Option<&V> {
        self.range(number..number + 1).first().map(|(_, value)| value)
    }
}

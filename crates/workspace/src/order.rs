//! The order of items by a number.

/// Returns the positions of items in the order of their keys; those with the same key stay in their order.
pub(crate) fn ordered(keys: impl Iterator<Item = u64>) -> Vec<usize> {
    // One type for all sorts: each further one takes 10 kB of the module.
    let mut keys: Vec<(u64, usize)> = keys.zip(0..).collect();
    keys.sort_unstable();
    keys.into_iter().map(|(_, at)| at).collect()
}

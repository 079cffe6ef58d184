//! The heaviest increasing subsequence: the members of a sequence that stay where they are, so that the least moves.

use std::collections::BTreeMap;

/// Returns the indexes of the members with increasing positions and the greatest total weight. A member is its position
/// and its weight; no two have the same position.
pub fn heaviest_increasing(members: &[(usize, usize)]) -> Vec<usize> {
    // In most cases nothing has moved.
    if members.is_sorted_by_key(|(position, _)| *position) {
        return (0..members.len()).collect();
    }
    // For each position at which a better subsequence ends than at any position before: its weight and last member.
    let mut best: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    let mut before = vec![None; members.len()];
    for (at, (position, weight)) in members.iter().enumerate() {
        let last = best.range(..position).next_back().map(|(_, last)| *last);
        before[at] = last.map(|(_, member)| member);
        let total = last.map_or(0, |(total, _)| total) + weight;
        let worse: Vec<usize> = best
            .range(position..)
            .take_while(|(_, (other, _))| *other <= total)
            .map(|(position, _)| *position)
            .collect();
        for position in &worse {
            best.remove(position);
        }
        best.insert(*position, (total, at));
    }
    let mut found = Vec::new();
    let mut next = best.values().next_back().map(|(_, member)| *member);
    while let Some(at) = next {
        found.push(at);
        next = before[at];
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::heaviest_increasing;

    /// Returns the greatest weight of all rising subsequences, trying each.
    fn slow(members: &[(usize, usize)]) -> usize {
        let rises = |chosen: &u32| {
            let places = (0..members.len()).filter(|at| chosen >> at & 1 == 1).map(|at| members[at].0);
            places.is_sorted_by(|a, b| a < b)
        };
        let weight = |chosen: u32| (0..members.len()).filter(|at| chosen >> at & 1 == 1).map(|at| members[at].1).sum();
        (0..1_u32 << members.len()).filter(rises).map(weight).max().unwrap_or(0)
    }

    #[test]
    fn it_rises_and_no_other_weighs_more() {
        let mut seed = 7_u64;
        let mut below = |limit: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % limit
        };
        for _ in 0..500 {
            let mut places: Vec<usize> = (0..below(9)).collect();
            (1..places.len()).for_each(|at| places.swap(at, below(at + 1)));
            let members: Vec<_> = places.into_iter().map(|place| (place, 1 + below(5))).collect();
            let found = heaviest_increasing(&members);
            assert!(found.is_sorted() && found.windows(2).all(|pair| members[pair[0]].0 < members[pair[1]].0));
            assert_eq!(found.iter().map(|at| members[*at].1).sum::<usize>(), slow(&members), "{members:?}");
        }
    }
}

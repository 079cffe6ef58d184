//! Rows of names found in a longer row, all at once: the automaton of Aho and Corasick.

use crate::map::HashMap;

/// Rows that are looked for. A place without a name is in none of them.
pub struct Patterns {
    /// Where a name leads from a state; the first state is the beginning.
    next: HashMap<(usize, u32), usize>,
    /// Of each state the one of the longest end of it that is a state too.
    shorter: Vec<usize>,
    /// All states but the first, the shorter ones first.
    order: Vec<usize>,
    /// The state that each pattern ends in and its length; none where it has a place without a name, or no place at all.
    ends: Vec<Option<(usize, usize)>>,
}

impl Patterns {
    /// An automaton of these.
    pub fn of<'p>(patterns: impl Iterator<Item = &'p [Option<u32>]>) -> Patterns {
        let (mut next, mut edges) = (HashMap::default(), vec![Vec::new()]);
        let mut add = |pattern: &[Option<u32>]| {
            let mut state = 0;
            for name in pattern {
                let name = (*name)?;
                state = *next.entry((state, name)).or_insert_with(|| {
                    edges.push(Vec::new());
                    let new = edges.len() - 1;
                    edges[state].push((name, new));
                    new
                });
            }
            (state > 0).then_some((state, pattern.len()))
        };
        let ends = patterns.map(&mut add).collect();
        let mut found = Patterns { next, shorter: vec![0; edges.len()], order: Vec::new(), ends };
        found.order.extend(edges[0].iter().map(|(_, state)| *state));
        let mut at = 0;
        while let Some(state) = found.order.get(at).copied() {
            for (name, longer) in &edges[state] {
                found.shorter[*longer] = found.step(found.shorter[state], *name);
                found.order.push(*longer);
            }
            at += 1;
        }
        found
    }

    /// Where a name leads: to the longest end of what was read that is a state.
    fn step(&self, mut state: usize, name: u32) -> usize {
        loop {
            match self.next.get(&(state, name)) {
                Some(next) => return *next,
                None if state == 0 => return 0,
                None => state = self.shorter[state],
            }
        }
    }

    /// Where each pattern begins in a row; none where it is not there, or more than once.
    pub fn find_in(&self, row: &[Option<u32>]) -> Vec<Option<usize>> {
        // How often each state is come by, and the sum of the places behind it: where that is once, the place.
        let mut seen = vec![(0_usize, 0_usize); self.shorter.len()];
        let mut state = 0;
        for (at, name) in row.iter().enumerate() {
            state = name.map_or(0, |name| self.step(state, name));
            add(&mut seen[state], (1, at + 1));
        }
        // What ends in a longer state ends in the shorter one as well.
        for state in self.order.iter().rev() {
            let longer = seen[*state];
            add(&mut seen[self.shorter[*state]], longer);
        }
        let find = |end: &Option<(usize, usize)>| {
            let (state, length) = (*end)?;
            let (count, place) = seen[state];
            (count == 1).then(|| place - length)
        };
        self.ends.iter().map(find).collect()
    }
}

/// Adds to a count and a sum, of which only the one of a single place is ever looked at.
fn add(to: &mut (usize, usize), (count, sum): (usize, usize)) {
    *to = (to.0 + count, to.1.wrapping_add(sum));
}

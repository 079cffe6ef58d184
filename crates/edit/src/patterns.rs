//! Finds several sequences in a longer one in a single pass (the Aho–Corasick automaton).

use rustc_hash::FxHashMap;

/// The sequences to find. An element of `None` matches nothing.
pub struct Patterns {
    /// The transitions: state and element to state. State 0 is the start.
    next: FxHashMap<(usize, u32), usize>,
    /// The failure link of each state: the state of its longest proper suffix.
    failure: Vec<usize>,
    /// All states but the start, in breadth-first order.
    order: Vec<usize>,
    /// The accepting state and the length of each pattern; `None` for a pattern that can match nothing.
    ends: Vec<Option<(usize, usize)>>,
}

impl Patterns {
    /// Builds the automaton, in time proportional to the total length of the patterns.
    pub fn of<'p>(patterns: impl Iterator<Item = &'p [Option<u32>]>) -> Patterns {
        let (mut next, mut edges) = (FxHashMap::default(), vec![Vec::new()]);
        let mut add = |pattern: &[Option<u32>]| {
            let mut state = 0;
            for element in pattern {
                let element = (*element)?;
                state = *next.entry((state, element)).or_insert_with(|| {
                    edges.push(Vec::new());
                    let new = edges.len() - 1;
                    edges[state].push((element, new));
                    new
                });
            }
            (state > 0).then_some((state, pattern.len()))
        };
        let ends = patterns.map(&mut add).collect();
        let mut built = Patterns { next, failure: vec![0; edges.len()], order: Vec::new(), ends };
        built.order.extend(edges[0].iter().map(|(_, state)| *state));
        let mut at = 0;
        while let Some(state) = built.order.get(at).copied() {
            for (element, child) in &edges[state] {
                built.failure[*child] = built.step(built.failure[state], *element);
                built.order.push(*child);
            }
            at += 1;
        }
        built
    }

    fn step(&self, mut state: usize, element: u32) -> usize {
        loop {
            match self.next.get(&(state, element)) {
                Some(next) => return *next,
                None if state == 0 => return 0,
                None => state = self.failure[state],
            }
        }
    }

    /// Returns for each pattern the index at which it begins in `text`, if it occurs there exactly once.
    pub fn find_unique(&self, text: &[Option<u32>]) -> Vec<Option<usize>> {
        // The number of visits of each state and the sum of the positions of these visits. For one visit the sum is the
        // position.
        let mut visits = vec![(0_usize, 0_usize); self.failure.len()];
        let mut state = 0;
        for (at, element) in text.iter().enumerate() {
            state = element.map_or(0, |element| self.step(state, element));
            add(&mut visits[state], (1, at + 1));
        }
        // A match of a state is a match of its suffixes.
        for state in self.order.iter().rev() {
            let own = visits[*state];
            add(&mut visits[self.failure[*state]], own);
        }
        let begin = |end: &Option<(usize, usize)>| {
            let (state, length) = (*end)?;
            let (count, position) = visits[state];
            (count == 1).then(|| position - length)
        };
        self.ends.iter().map(begin).collect()
    }
}

/// Adds a count and a sum. The sum may wrap around: it is only read where the count is 1.
fn add(to: &mut (usize, usize), (count, sum): (usize, usize)) {
    *to = (to.0 + count, to.1.wrapping_add(sum));
}

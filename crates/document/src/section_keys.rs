//! Keys of sections, which tell a cache of their HTML which of them have changed.

use super::node::Node;
use super::section::Section;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most blocks that are recorded as invalidated; beyond it all sections are.
const MOST_INVALIDATED: usize = 1000;

/// Gives each section a key that it keeps while its blocks are the same values.
///
/// Keys ascend and are never reused: a section whose key is less than [`SectionKeys::next`] was after an earlier call
/// has not changed since that call. A cache that was filled then needs only the sections with later keys.
#[derive(Clone, Debug, Default)]
pub struct SectionKeys {
    /// The sections of the last call. Their blocks are held, so no other value can have their address.
    known: Vec<KnownSections>,
    /// Blocks whose sections get new keys in the next call.
    invalidated: Vec<Node>,
    next: u32,
}

#[derive(Clone, Debug)]
struct KnownSections {
    key: u32,
    blocks: Vec<Node>,
}

impl SectionKeys {
    /// Returns the key of each section: that of the last call if its blocks are the same values, or else a new one.
    pub fn of(&mut self, blocks: &[Node], sections: &[Section]) -> Vec<u32> {
        let invalidated: FxHashSet<usize> = self.invalidated.drain(..).map(|node| node.address()).collect();
        let mut old = std::mem::take(&mut self.known);
        if !invalidated.is_empty() {
            old.retain(|known| !known.blocks.iter().any(|block| invalidated.contains(&block.address())));
        }
        let is_same = |known: &KnownSections, section: &Section| {
            let new = &blocks[section.blocks.clone()];
            known.blocks.len() == new.len() && known.blocks.iter().zip(new).all(|(one, other)| one.ptr_eq(other))
        };
        let start = old.iter().zip(sections).take_while(|(known, section)| is_same(known, section)).count();
        let rest = (&old[start..], &sections[start..]);
        let end = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(|(one, other)| is_same(one, other)).count();
        let tail = old.split_off(old.len() - end);
        // Sections that moved, or are between two that changed.
        let first = |blocks: &[Node]| blocks.first().map(Node::address);
        let mut moved: FxHashMap<_, KnownSections> =
            old.split_off(start).into_iter().map(|known| (first(&known.blocks), known)).collect();
        for section in &sections[start..sections.len() - end] {
            let known = moved.remove(&first(&blocks[section.blocks.clone()])).filter(|known| is_same(known, section));
            old.push(known.unwrap_or_else(|| {
                self.next += 1;
                KnownSections { key: self.next - 1, blocks: blocks[section.blocks.clone()].to_vec() }
            }));
        }
        old.extend(tail);
        self.known = old;
        self.known.iter().map(|known| known.key).collect()
    }

    /// Gives the sections with these blocks new keys in the next call, although the blocks are the same values.
    pub fn invalidate(&mut self, blocks: &[Node]) {
        if self.known.is_empty() {
            return;
        }
        self.invalidated.extend_from_slice(blocks);
        if self.invalidated.len() > MOST_INVALIDATED {
            self.invalidate_all();
        }
    }

    /// Gives every section a new key in the next call.
    pub fn invalidate_all(&mut self) {
        self.known.clear();
        self.invalidated.clear();
    }

    /// Returns the least key that was not given yet.
    pub fn next(&self) -> u32 {
        self.next
    }
}

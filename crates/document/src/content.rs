//! Content matching: the allowed content of a node, the missing nodes, and the types to wrap around one.
//!
//! A [`StateId`] is a state in the automaton of a type's content expression, like a ProseMirror `ContentMatch`.

use super::node::Node;
use super::schema::{NodeTypeId, Schema};
use std::sync::OnceLock;

/// A place in a content expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateId(u32);

impl StateId {
    /// The end of the empty expression: nothing may come.
    pub const EMPTY: StateId = StateId(0);

    pub(super) fn new(index: usize) -> StateId {
        StateId(index as u32)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The types to put around a node so that it fits, outermost first; `None` if there are none.
pub type Wrapping = Option<Box<[NodeTypeId]>>;

/// One state of a content expression: true if a node may end here, and the types that may follow.
pub(super) struct MatchState {
    pub(super) valid_end: bool,
    pub(super) next: Vec<(NodeTypeId, StateId)>,
    wrappings: OnceLock<Box<[Wrapping]>>,
}

impl MatchState {
    pub(super) fn new(valid_end: bool) -> MatchState {
        MatchState { valid_end, next: Vec::new(), wrappings: OnceLock::new() }
    }
}

/// The states of every content expression of a schema.
pub(super) type States = Vec<MatchState>;

impl Schema {
    /// Returns the state after a node of a type, or `None` if it is not allowed here.
    pub fn match_type(&self, state: StateId, kind: NodeTypeId) -> Option<StateId> {
        let next = &self.states[state.index()].next;
        next.iter().find(|(edge, _)| *edge == kind).map(|(_, next)| *next)
    }

    /// Returns the state after several nodes, or `None` if one of them is not allowed.
    pub fn match_types(&self, state: StateId, kinds: impl IntoIterator<Item = NodeTypeId>) -> Option<StateId> {
        kinds.into_iter().try_fold(state, |state, kind| self.match_type(state, kind))
    }

    /// Returns whether a node may end here.
    pub fn valid_end(&self, state: StateId) -> bool {
        self.states[state.index()].valid_end
    }

    /// The types that may come here, each with where it leads.
    pub fn edges(&self, state: StateId) -> &[(NodeTypeId, StateId)] {
        &self.states[state.index()].next
    }

    /// Returns the first type that is allowed here and can be created without attributes or content given.
    pub fn default_type(&self, state: StateId) -> Option<NodeTypeId> {
        self.edges(state).iter().map(|(kind, _)| *kind).find(|kind| self.can_be_generated(*kind))
    }

    /// Returns the types to insert here so that `after` may follow; with `to_end`, so that the node may also end then.
    /// Empty if nothing is missing, `None` if no insertion helps.
    pub fn fill_before(&self, state: StateId, after: &[NodeTypeId], to_end: bool) -> Option<Vec<NodeTypeId>> {
        let fits = |state| {
            let end = self.match_types(state, after.iter().copied());
            end.is_some_and(|end| !to_end || self.valid_end(end))
        };
        let mut path: Vec<NodeTypeId> = Vec::new();
        if fits(state) {
            return Some(path);
        }
        let mut seen = vec![state];
        // Depth first with the edges still to try, one entry for each type on the path and one for the start.
        let mut open = vec![(state, 0)];
        while let Some((state, edge)) = open.last_mut() {
            let Some(&(kind, next)) = self.edges(*state).get(*edge) else {
                open.pop();
                path.pop();
                continue;
            };
            *edge += 1;
            if !self.can_be_generated(kind) || seen.contains(&next) {
                continue;
            }
            seen.push(next);
            path.push(kind);
            if fits(next) {
                return Some(path);
            }
            open.push((next, 0));
        }
        None
    }

    /// Returns the types to put around a node of type `target` so that it fits here: empty if it fits already.
    pub fn find_wrapping(&self, state: StateId, target: NodeTypeId) -> Option<&[NodeTypeId]> {
        let wrappings = self.states[state.index()].wrappings.get_or_init(|| {
            let types = (0..self.node_types().len()).map(NodeTypeId::new);
            types.map(|target| self.compute_wrapping(state, target)).collect()
        });
        wrappings[target.index()].as_deref()
    }

    /// Breadth first, so that the shortest wrapping wins, and among those the first in schema order.
    fn compute_wrapping(&self, state: StateId, target: NodeTypeId) -> Wrapping {
        let mut seen = vec![false; self.node_types().len()];
        let mut work: Vec<(StateId, Vec<NodeTypeId>)> = vec![(state, vec![])];
        let mut done = 0;
        while let Some((state, around)) = work.get(done).cloned() {
            done += 1;
            if self.match_type(state, target).is_some() {
                return Some(around.into());
            }
            for &(kind, next) in self.edges(state) {
                let opens = !self.is_leaf(kind) && !self.node_type(kind).has_required_attrs();
                if opens && !seen[kind.index()] && (around.is_empty() || self.valid_end(next)) {
                    seen[kind.index()] = true;
                    let mut around = around.clone();
                    around.push(kind);
                    work.push((self.node_type(kind).content_match, around));
                }
            }
        }
        None
    }

    fn can_be_generated(&self, kind: NodeTypeId) -> bool {
        kind != self.text_type() && !self.node_type(kind).has_required_attrs()
    }

    /// Checks that a node's own content is allowed by its type's content expression and marks. The children's content
    /// is not checked.
    ///
    /// # Errors
    /// A description of what is wrong.
    pub fn check(&self, node: &Node) -> Result<(), String> {
        if node.is_text() {
            return Ok(());
        }
        let kind = self.node_type(node.kind());
        let end = self.match_types(kind.content_match, node.children().iter().map(Node::kind));
        if !end.is_some_and(|end| self.valid_end(end)) {
            let found: Vec<&str> = node.children().iter().take(8).map(|child| child.name(self)).collect();
            let more = if node.children().len() > 8 { ", …" } else { "" };
            return Err(format!("a {} holds \"{}\", not ({}{more})", kind.name, kind.content, found.join(", ")));
        }
        let refused = node.children().iter().flat_map(Node::marks).find(|mark| !kind.allows_mark(mark.kind));
        match refused.and_then(|mark| self.mark(mark.kind)) {
            Some(mark) => Err(format!("the content of a {} takes no mark \"{}\"", kind.name, mark.name)),
            None => Ok(()),
        }
    }
}

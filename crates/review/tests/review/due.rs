//! Changes of the user's that are taken over later, compared with changes that are taken over at once.

use super::cell;
use super::deciding::{rounds, typed};
use super::documents::for_seeds;
use super::random::Random;
use super::review::person_blocks;
use copydesk_base::Locale;
use copydesk_document::{BlockId, Document, Node};
use copydesk_edit::{DocUpdate, EditContext, Origin, apply};
use copydesk_review::decide::{Reviewed, accept, reject, set_mode, undo_turn};
use copydesk_review::undo_decision::undo_decision;
use copydesk_review::{Due, HistoryMove, Mode, ReviewCell, Which};
use serde_json::json;

const HTML: &str = "<h2>Tea</h2><p>One two three.</p><p>Four five.</p><ul><li><p>Six</p></li><li><p>Seven</p></li></ul>\
    <h2>Cups</h2><p>One two three.</p><p>Eight nine.</p>";

/// The editor, and the changes that its document has not been told.
struct Side {
    cell: ReviewCell,
    waiting: Vec<(usize, Node)>,
    later: usize,
}

impl Side {
    fn new() -> Side {
        Side { cell: cell(HTML), waiting: Vec::new(), later: 0 }
    }

    fn sync(&self, index: usize, block: &Node) {
        let review = &mut *self.cell.review().borrow_mut();
        let blocks = json!([block.to_value(review.base().schema())]).to_string();
        review.sync(&[[index, 1, 1]], &blocks).unwrap();
    }

    /// Types into a block: applies it at once, or at the time that `due` states.
    fn types(&mut self, index: usize, block: Node, is_lazy: bool) {
        let due = self.cell.review().borrow().due();
        match due {
            _ if !is_lazy => return self.sync(index, &block),
            Due::Now => {
                assert!(self.waiting.is_empty(), "nothing that changes what is due comes before what waits");
                return self.sync(index, &block);
            }
            Due::Joined if self.waiting.last().is_some_and(|(last, _)| *last == index) => {
                self.waiting.pop();
            }
            Due::Joined | Due::Later => {}
        }
        self.waiting.push((index, block));
        self.later += 1;
    }

    fn catch_up(&mut self) {
        std::mem::take(&mut self.waiting).into_iter().for_each(|(index, block)| self.sync(index, &block));
    }

    /// The blocks of the editor.
    fn blocks(&self) -> Vec<Node> {
        let mut blocks = self.cell.base().blocks().to_vec();
        self.waiting.iter().for_each(|(index, block)| blocks[*index] = block.clone());
        blocks
    }

    fn state(&self) -> (String, Vec<BlockId>, String, Vec<BlockId>, String) {
        let parts = |document: &Document| (document.to_json(), document.block_ids().to_vec());
        let ((base, ids), (proposed, proposed_ids)) = (parts(&self.cell.base()), parts(&self.cell.document()));
        (base, ids, proposed, proposed_ids, format!("{:?}", self.cell.review().borrow().hunks()))
    }
}

/// Does the same to both, after the waiting changes were applied. Returns the result.
fn act(cell: &ReviewCell, random: &mut Random, undone: &mut Vec<Vec<Node>>, turn: usize) -> String {
    let document = cell.document();
    let line = 1 + random.below(document.line_count());
    let edit = |content: &str| -> String {
        let edits = json!([{ "start_line": line, "end_line": line, "content": content }]);
        let update = DocUpdate::from_value(&json!({ "operation": "replace_lines", "edits": edits })).unwrap();
        let origin = Origin { turn: Some(format!("t{turn}")), ..Origin::default() };
        let context = EditContext { locale: Locale::En, origin, ..EditContext::default() };
        let applied = apply(cell, &update, &context);
        format!("{:?}", applied.map(|applied| applied.changes).map_err(|error| format!("{error:?}")))
    };
    let first = || cell.review().borrow().hunks().first().map(|hunk| Which::Hunk(hunk.id.clone()));
    match random.below(11) {
        0 | 1 => edit("By the agent."),
        2 => edit("One two three.\nAnd more."),
        3 => edit(""),
        4 => {
            set_mode(cell, if random.below(2) == 0 { Mode::Review } else { Mode::Auto });
            String::new()
        }
        5 => format!("{:?}", first().map(|which| accept(cell, &which))),
        6 => format!("{:?}", first().map(|which| reject(cell, &which))),
        7 => format!("{:?}", undo_decision(cell, None)),
        8 => format!("{:?}", undo_turn(cell, &format!("t{}", random.below(turn + 1)))),
        9 => {
            let mut blocks = cell.base().blocks().to_vec();
            let at = random.below(blocks.len());
            let moved = blocks.remove(at);
            blocks.insert(random.below(blocks.len() + 1), moved);
            person_blocks(cell, blocks);
            String::new()
        }
        _ => match undone.pop() {
            Some(blocks) => {
                cell.review().borrow_mut().expect_history(HistoryMove::Undo);
                person_blocks(cell, blocks);
                "undone".into()
            }
            None => String::new(),
        },
    }
}

#[test]
fn what_is_taken_over_later_leads_to_what_it_leads_to_at_once() {
    let later = std::cell::Cell::new(0);
    for_seeds(rounds(400) as u64, |random| {
        let (mut eager, mut lazy) = (Side::new(), Side::new());
        let mut moments: Vec<Vec<Node>> = Vec::new();
        for step in 0..20 {
            let seed = random.next();
            if random.below(3) > 0 {
                let blocks = eager.blocks();
                assert_eq!(blocks, lazy.blocks());
                // Values of its own: values shared with the document of one side would be aligned by identity there.
                let schema = eager.cell.base().schema().clone();
                let fresh = |block: &Node| Node::from_value(&schema, &block.to_value(&schema)).unwrap();
                moments.push(blocks.iter().map(fresh).collect());
                let index = random.below(blocks.len().min(4));
                let schema = eager.cell.base().schema().clone();
                let block = match random.below(4) {
                    // The content that another block of its type has.
                    0 => blocks.iter().find(|other| other.kind() == blocks[index].kind()).unwrap().clone(),
                    _ => {
                        let text = Node::text_node(&schema, "x", Default::default());
                        typed(random, &schema, &blocks[index], &text)
                    }
                };
                eager.types(index, block.clone(), false);
                lazy.types(index, block, true);
                continue;
            }
            lazy.catch_up();
            let made = [&eager, &lazy].map(|side| {
                let mut moments = moments.clone();
                act(&side.cell, &mut Random::from_seed(seed), &mut moments, step)
            });
            assert_eq!(made[0], made[1]);
            if made[0] == "undone" {
                moments.pop();
            }
            assert_eq!(eager.state(), lazy.state());
        }
        lazy.catch_up();
        assert_eq!(eager.state(), lazy.state());
        for turn in 0..20 {
            let made = [&eager, &lazy].map(|side| format!("{:?}", undo_turn(&side.cell, &format!("t{turn}"))));
            assert_eq!(made[0], made[1]);
            assert_eq!(eager.state(), lazy.state());
        }
        later.set(later.get() + lazy.later);
    });
    assert!(later.get() > 500, "only {} changes were taken over later", later.get());
}

//! What the model last saw of the document, so that its edits mean that and not what has become of it since.
//!
//! A model points at sections by index. While it thinks, the person goes on typing: sections come, go and change. So
//! an index is looked up in the outline that the model was shown, and the section is found again by the lasting id of
//! its heading block. If it is gone, or if an edit would overwrite or delete text that the model never saw, the edit
//! is refused as *stale*, with the section as it is now, so that the model can try again. Nothing is guessed.

use super::apply::{DocumentHost, outline};
use super::section;
use super::update::DocUpdate;
use crate::document::{BlockId, Document, Node, Section};
use crate::error::{Error, Now};
use std::collections::{HashMap, HashSet};

/// The document as a model saw it.
#[derive(Clone, Default)]
pub struct Seen {
    /// The outline that this answer of the model was written with: the blocks of each section.
    meant: Vec<Vec<BlockId>>,
    /// The outline of the last result, which the next answer will be written with.
    shown: Vec<Vec<BlockId>>,
    /// Each block as it was last shown, or as the model itself wrote it.
    blocks: HashMap<BlockId, Node>,
}

impl Seen {
    /// The model was shown the whole document.
    pub fn read(&mut self, document: &Document) {
        self.shown = sections(document);
        self.blocks = document.block_ids().iter().copied().zip(document.blocks().iter().cloned()).collect();
    }

    /// A new answer begins: from now on indexes are those of the last outline that was shown. Within one answer they
    /// all mean the same outline, because the model had not seen the results of its first calls when it wrote the next.
    pub fn turn(&mut self) {
        self.meant.clone_from(&self.shown);
    }

    /// The update as it must be stated for the document of this moment.
    ///
    /// # Errors
    /// [`Error::Stale`], after which the model has seen what the error shows.
    pub fn carry(&mut self, host: &dyn DocumentHost, update: &DocUpdate) -> Result<DocUpdate, Error> {
        let document = host.document()?;
        let Some(index) = update.section_index().and_then(|index| usize::try_from(index).ok()) else {
            return Ok(update.clone());
        };
        // An index that the model was never shown can only mean the outline of now.
        let Some(meant) = self.meant.get(index) else { return Ok(update.clone()) };
        let now = document.sections();
        let begins_with = |section: &&Section, heading| {
            section.blocks.clone().next().is_some_and(|first| document.block_ids()[first] == heading)
        };
        let found = match meant.first().filter(|_| index > 0) {
            Some(heading) => now.iter().find(|section| begins_with(section, *heading)),
            None => now.first(),
        };
        let Some(section) = found else {
            self.read_outline(&document);
            return Err(stale(index, None, &document));
        };
        if update.overwrites() && !self.knows(&document, section, meant) {
            let content = section::html(host, &document, section)?;
            self.read_outline(&document);
            self.learn(&document, section);
            let fresh = Some((section.index, section.title.clone(), content));
            return Err(stale(index, fresh, &document));
        }
        Ok(update.with_section_index(section.index))
    }

    /// An update of the model was applied: it has seen what it wrote, and the new outline.
    pub fn wrote(&mut self, update: &DocUpdate, before: &Document, after: &Document) {
        let left: HashSet<_> = after.block_ids().iter().copied().collect();
        for gone in before.block_ids().iter().filter(|id| !left.contains(id)) {
            self.blocks.remove(gone);
        }
        if let (DocUpdate::Replace { .. }, Some(index)) = (update, update.section_index()) {
            // A section with another heading is the same section to the calls that are still to come.
            let ids =
                |document| usize::try_from(index).ok().and_then(|index| sections(document).into_iter().nth(index));
            if let (Some(old), Some(new)) = (ids(before), ids(after)) {
                self.meant
                    .iter_mut()
                    .filter(|meant| meant.first() == old.first())
                    .for_each(|meant| meant.clone_from(&new));
            }
        }
        let old: HashMap<_, _> = before.block_ids().iter().zip(before.blocks()).collect();
        for (id, block) in after.block_ids().iter().zip(after.blocks()) {
            if old.get(id) != Some(&block) {
                self.blocks.insert(*id, block.clone());
            }
        }
        self.read_outline(after);
    }

    fn read_outline(&mut self, document: &Document) {
        self.shown = sections(document);
        // Whoever never read the document edits what is there now.
        if self.meant.is_empty() {
            self.meant.clone_from(&self.shown);
        }
    }

    fn learn(&mut self, document: &Document, section: &Section) {
        for index in section.blocks.clone() {
            self.blocks.insert(document.block_ids()[index], document.blocks()[index].clone());
        }
    }

    /// Whether everything in a section is as the model saw it, and nothing that it saw there is missing.
    fn knows(&self, document: &Document, section: &Section, meant: &[BlockId]) -> bool {
        let there: HashSet<_> = document.block_ids().iter().copied().collect();
        let mut now = section.blocks.clone();
        now.all(|index| self.blocks.get(&document.block_ids()[index]) == Some(&document.blocks()[index]))
            && meant.iter().all(|id| !self.blocks.contains_key(id) || there.contains(id))
    }
}

fn sections(document: &Document) -> Vec<Vec<BlockId>> {
    let ids = document.block_ids();
    document.sections().iter().map(|section| ids[section.blocks.clone()].to_vec()).collect()
}

fn stale(index: usize, section: Option<(usize, String, String)>, document: &Document) -> Error {
    Error::Stale { index, now: Box::new(Now { section, outline: outline(document) }) }
}

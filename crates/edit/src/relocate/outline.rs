//! The sections of a document by the lasting ids of their blocks.

use copydesk_document::{BlockId, Document, Section};

/// An outline as a model was shown it.
#[derive(Clone, Default)]
pub(super) struct Outline {
    /// When the document was read.
    pub(super) at: u64,
    /// The blocks of each section; `None` if its entry was not shown.
    pub(super) sections: Vec<Option<Vec<BlockId>>>,
    /// The number of sections, also of those whose entries were not shown.
    pub(super) total: usize,
    /// True if it was the outline of a document without sections.
    pub(super) blank: bool,
}

impl Outline {
    /// Returns the blocks of a section; `None` if its entry was not shown.
    pub(super) fn section(&self, index: usize) -> Option<&Vec<BlockId>> {
        self.sections.get(index)?.as_ref()
    }

    /// Records that the entry of a section with these blocks was shown.
    pub(super) fn put(&mut self, index: usize, blocks: Vec<BlockId>) {
        let length = self.sections.len().max(index + 1);
        self.sections.resize(length, None);
        self.sections[index] = Some(blocks);
        self.total = self.total.max(length);
    }
}

/// Returns the section that begins with a block.
pub(super) fn headed(document: &Document, heading: BlockId) -> Option<Section> {
    let begins = |section: &Section| section.blocks.clone().next().map(|first| document.block_ids()[first]);
    document.sections().iter().find(|section| begins(section) == Some(heading)).cloned()
}

/// Returns the blocks of each section.
pub(super) fn section_blocks(document: &Document) -> Vec<Vec<BlockId>> {
    let ids = document.block_ids();
    document.sections().iter().map(|section| ids[section.blocks.clone()].to_vec()).collect()
}

//! The kinds of nodes that code treats differently.

/// The kind of node that a type is, by whichever name a schema knows it. Code that treats kinds differently asks for
/// these, never for names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeRole {
    /// `paragraph`
    Paragraph,
    /// `heading`
    Heading,
    /// `codeBlock`
    CodeBlock,
    /// `blockquote`
    Quote,
    /// `bulletList`
    BulletList,
    /// `orderedList`
    OrderedList,
    /// `taskList`
    TaskList,
    /// `listItem`
    ListItem,
    /// `taskItem`
    TaskItem,
    /// `table`
    Table,
    /// `tableRow`
    Row,
    /// `tableCell`
    Cell,
    /// `tableHeader`
    HeaderCell,
    /// `details`
    Details,
    /// `detailsSummary`
    Summary,
    /// `detailsContent`
    DetailsContent,
    /// `horizontalRule`
    Rule,
    /// `image`
    Image,
    /// `hardBreak`
    LineBreak,
    /// `inlineMath`
    InlineMath,
    /// `blockMath`
    BlockMath,
}

impl NodeRole {
    /// Returns whether it is a list of any kind.
    pub fn is_list(self) -> bool {
        matches!(self, NodeRole::BulletList | NodeRole::OrderedList | NodeRole::TaskList)
    }

    /// Returns whether it is an item of a list.
    pub fn is_item(self) -> bool {
        matches!(self, NodeRole::ListItem | NodeRole::TaskItem)
    }

    /// Returns whether it is a cell of a table.
    pub fn is_cell(self) -> bool {
        matches!(self, NodeRole::Cell | NodeRole::HeaderCell)
    }
}

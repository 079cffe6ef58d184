//! Defines how calls of a tool are run.

/// States how calls of a tool are run and how far their results are trusted.
///
/// The default is the most careful policy: a tool that declares nothing runs alone, for a limited time, is never
/// assumed to have done nothing, and its results are redacted and given to the model as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExecutionPolicy {
    /// Runs its calls one after another, in the order of the answer, together with those of all other sequential
    /// tools; otherwise beside them.
    pub sequential: bool,
    /// States that a call that was stopped before it returned a result has done nothing.
    pub atomic: bool,
    /// The longest that a call may take, in milliseconds; `None` for the agent's `toolTimeout`.
    pub timeout: Option<u64>,
    /// States that strangers may have written its results: the model gets them between data marks.
    pub untrusted: bool,
    /// States that its results come from outside the document: they are redacted, and a summary lists their URLs.
    pub external: bool,
    /// States that its calls may change the document: they are sequential, and may confirm what is dropped.
    pub edits: bool,
    /// States that its results are pages of earlier results: they are not paged again, and are as trusted as the
    /// result that the page belongs to.
    pub reads_pages: bool,
}

impl ExecutionPolicy {
    /// The most careful policy.
    pub const CAREFUL: ExecutionPolicy = ExecutionPolicy {
        sequential: true,
        atomic: false,
        timeout: Some(30_000),
        untrusted: true,
        external: true,
        edits: true,
        reads_pages: false,
    };

    /// The policy of a built-in tool that only reads the document.
    pub(super) const READS_DOCUMENT: ExecutionPolicy =
        ExecutionPolicy { edits: false, ..ExecutionPolicy::EDITS_DOCUMENT };

    /// The policy of a built-in tool that edits the document. It takes no time limit of its own: an edit happens at
    /// once, or waits for the Markdown parser.
    pub(super) const EDITS_DOCUMENT: ExecutionPolicy =
        ExecutionPolicy { atomic: true, timeout: None, untrusted: false, external: false, ..ExecutionPolicy::CAREFUL };

    /// The policy of a built-in tool that reads files: anyone may have written them.
    pub(super) const READS_FILES: ExecutionPolicy =
        ExecutionPolicy { atomic: true, edits: false, ..ExecutionPolicy::CAREFUL };

    /// The policy of a built-in tool that writes files. A write that was begun may have happened.
    pub(super) const WRITES_FILES: ExecutionPolicy =
        ExecutionPolicy { atomic: false, edits: false, ..ExecutionPolicy::CAREFUL };

    /// Returns whether calls only read the document: between two edits they may run side by side.
    pub fn is_reading(&self) -> bool {
        self.sequential && self.atomic && !self.edits && !self.external
    }

    /// Returns whether calls run one after another with those of other sequential tools.
    pub fn is_sequential(&self) -> bool {
        self.sequential || self.edits
    }
}

impl Default for ExecutionPolicy {
    fn default() -> ExecutionPolicy {
        ExecutionPolicy::CAREFUL
    }
}

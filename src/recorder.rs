//! The interface between an agent of the page and its recorder, which only the full build has ([`super::recording`]).
//! The recorder wraps the agent's host and observes events; the agent asks it for the recording and calls nothing
//! else of it.

#[cfg(not(feature = "full"))]
use crate::error::Error;
#[cfg(not(feature = "full"))]
use crate::page_document::PageDocument;
use copydesk_agent::AgentHost;
use copydesk_agent::tools::app::ToolFunctions;
use copydesk_document::Document;
#[cfg(not(feature = "full"))]
use copydesk_review::Observers;
use copydesk_review::ReviewHost;
#[cfg(not(feature = "full"))]
use serde_json::Value;
use std::rc::Rc;

/// The parts of the page that an agent uses.
pub struct PageHost {
    /// The document.
    pub document: Rc<dyn ReviewHost>,
    /// Network, clock, hooks, log and listener.
    pub host: AgentHost,
    /// The functions of the app's tools.
    pub functions: Rc<dyn ToolFunctions>,
}

/// A recording in progress.
pub trait RecordingSource {
    /// Returns the recording so far, as JSON text; `after` is the current document.
    fn recording(&self, after: &Document) -> String;
}

/// Fails: this build has no recorder.
#[cfg(not(feature = "full"))]
pub fn record(
    _: &Rc<PageDocument>,
    _: &Observers,
    _: Value,
    _: PageHost,
) -> Result<(PageHost, Rc<dyn RecordingSource>), Error> {
    Err(copydesk_document::Error::FullBuildNeeded.into())
}

//! The way from an agent of the page to its recorder.
//!
//! Only the full build has a recorder ([`super::recording`]). The agent knows it as something that has wrapped its host
//! and observes events: it asks it for the recording, and calls it for nothing else.

#[cfg(not(feature = "full"))]
use crate::error::Error;
#[cfg(not(feature = "full"))]
use crate::page_document::PageDocument;
use copydesk_agent::Outside;
use copydesk_agent::tools::app::ToolFunctions;
use copydesk_document::Document;
use copydesk_edit::DocumentHost;
#[cfg(not(feature = "full"))]
use copydesk_edit::Observers;
#[cfg(not(feature = "full"))]
use serde_json::Value;
use std::rc::Rc;

/// Everything that an agent gets from the page.
pub struct AgentHost {
    /// The document.
    pub document: Rc<dyn DocumentHost>,
    /// Network, time, hooks, log and listener.
    pub outside: Outside,
    /// The functions of the app's tools.
    pub functions: Rc<dyn ToolFunctions>,
}

/// A recording that is being made.
pub trait RecordingSource {
    /// Returns what has been recorded so far, as JSON text; `after` is the current document.
    fn recording(&self, after: &Document) -> String;
}

/// Fails: this build has no recorder.
#[cfg(not(feature = "full"))]
pub fn record(
    _: &Rc<PageDocument>,
    _: &Observers,
    _: Value,
    _: AgentHost,
) -> Result<(AgentHost, Rc<dyn RecordingSource>), Error> {
    Err(copydesk_document::Error::FullBuildNeeded.into())
}

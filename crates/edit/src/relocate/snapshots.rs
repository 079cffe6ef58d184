//! The last documents that somebody was shown.

use crate::Error;
use copydesk_document::Document;

/// Number of documents that are kept.
const REMEMBERED: usize = 8;

/// The last documents that somebody was shown, by their versions; the newest is the last.
#[derive(Clone, Default)]
pub struct Snapshots(Vec<Document>);

impl Snapshots {
    /// Remembers a document.
    pub fn remember(&mut self, document: &Document) {
        if self.0.last().is_none_or(|last| last.version() != document.version()) {
            self.0.push(document.clone());
        }
        while self.0.len() > REMEMBERED {
            self.0.remove(0);
        }
    }

    /// The last one.
    pub fn last(&self) -> Option<&Document> {
        self.0.last()
    }

    /// The one with a version.
    ///
    /// # Errors
    /// [`Error::UnknownVersion`] with those that are remembered.
    pub fn get(&self, version: &str) -> Result<&Document, Error> {
        self.0.iter().rev().find(|document| document.version() == version).ok_or_else(|| Error::UnknownVersion {
            given: copydesk_base::error::excerpt(version),
            valid: self.0.iter().map(Document::version).collect(),
        })
    }
}

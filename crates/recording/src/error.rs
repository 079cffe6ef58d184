//! The errors of recordings.

use crate::messages;
use copydesk_base::error::HostError;

copydesk_base::errors! {
    /// A failure to read or to play a recording.
    pub enum Error {
        /// A file that is not a recording, or one that cannot be read.
        InvalidRecording {
            /// The problem, and its path.
            reason: String,
        } = "invalid_recording" {
            message: |locale| messages::InvalidRecording { reason }.text(locale),
        }
        /// A replayed run differs from the recorded one.
        ReplayDiffers {
            /// The number of the request, counted from 1.
            request: usize,
            /// The difference: `method`, `url`, `body`; `count` if there is one request more, `answer` if this tool or
            /// hook was not called, `end` if the replay ended early.
            what: &'static str,
            /// The first byte that differs.
            at: usize,
            /// The recorded text from there on, cut to a readable length.
            recorded: String,
            /// The replayed text from there on, cut to a readable length.
            given: String,
        } = "replay_differs" {
            message: |locale| messages::ReplayDiffers { request, what, at, recorded, given }.text(locale),
            details: { "request": request, "what": what, "at": at, "recorded": recorded, "given": given },
        }
    }
    wraps {
        /// A failure of the host.
        Base(copydesk_base),
        /// A document that cannot be read.
        Document(copydesk_document: Base),
        /// An edit that cannot be made.
        Edit(copydesk_edit: Base, Document),
        /// A decision that cannot be made.
        Review(copydesk_review: Base, Document, Edit),
        /// A failure to get an answer from the model.
        Llm(copydesk_llm: Base),
        /// A failure of the run.
        Agent(copydesk_agent: Base, Document, Edit, Llm),
    }
}

/// To the agent, a replay is a host.
impl From<Error> for copydesk_base::Error {
    fn from(error: Error) -> copydesk_base::Error {
        match error {
            Error::Base(error) => error,
            error => copydesk_base::Error::Host { error: HostError::new(error) },
        }
    }
}

impl From<Error> for copydesk_agent::Error {
    fn from(error: Error) -> copydesk_agent::Error {
        copydesk_base::Error::from(error).into()
    }
}

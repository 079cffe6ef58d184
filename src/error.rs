//! The errors of the JavaScript interface itself.

use crate::messages;

copydesk_base::errors! {
    /// A failure of a call from JavaScript.
    pub enum Error {
        /// The agent was made without a recorder.
        NotRecording = "not_recording" {
            message: |locale| messages::NOT_RECORDING.text(locale),
        }
        /// The call needs the later part of the module.
        NotLoaded = "not_loaded" {
            message: |locale| messages::NOT_LOADED.text(locale),
        }
    }
    wraps {
        /// A wrong parameter or setting, or a failure of the host.
        Base(copydesk_base),
        /// A document that cannot be read.
        Document(copydesk_document: Base),
        /// An edit that cannot be made.
        Edit(copydesk_edit: Base, Document),
    }
}

#[cfg(feature = "full")]
impl From<copydesk_recording::Error> for Error {
    fn from(error: copydesk_recording::Error) -> Error {
        copydesk_base::Error::from(error).into()
    }
}

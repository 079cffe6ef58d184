//! The errors of documents.

use crate::messages;

copydesk_base::errors! {
    /// A failure to read a document or its schema.
    pub enum Error {
        /// HTML or JSON nests deeper than is accepted.
        TooDeep {
            /// The greatest accepted depth, in nodes.
            limit: usize,
        } = "too_deep" {
            message: |locale| messages::TooDeep { limit }.text(locale),
            details: { "limit": limit },
        }
        /// A tag in HTML has more attributes than are accepted.
        TooManyAttributes {
            /// The most attributes that a tag may have.
            limit: usize,
        } = "too_many_attributes" {
            message: |locale| messages::TooManyAttributes { limit }.text(locale),
            details: { "limit": limit },
        }
        /// HTML was to be parsed, or a run to be recorded, by the page build, which has no parser and no recorder.
        FullBuildNeeded = "full_build_needed" {
            message: |locale| messages::FULL_BUILD_NEEDED.text(locale),
        }
        /// JSON that is not a document of the schema.
        InvalidDocument {
            /// The fault and its place.
            reason: String,
        } = "invalid_document" {
            shorten: reason,
            message: |locale| messages::InvalidDocument { reason }.text(locale),
        }
        /// A node or mark type that the schema does not have.
        UnknownType {
            /// The name of the type.
            name: String,
        } = "unknown_type" {
            shorten: name,
            message: |locale| messages::UnknownType { name }.text(locale),
        }
        /// A schema that cannot be read.
        InvalidSchema {
            /// The fault and its place.
            reason: String,
        } = "invalid_schema" {
            shorten: reason,
            message: |locale| messages::InvalidSchema { reason }.text(locale),
        }
    }
    wraps {
        /// A wrong parameter, or an input that is too large.
        Base(copydesk_base),
    }
}

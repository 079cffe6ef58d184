//! The errors of documents.

copydesk_base::errors! {
    /// A failure to read a document or its schema.
    pub enum Error {
        /// HTML or JSON nests deeper than is accepted.
        TooDeep {
            /// The greatest accepted depth, in nodes.
            limit: usize,
        } = "too_deep" {
            en: format!("The content nests deeper than {limit} levels. Flatten it and try again."),
            zh: format!("内容嵌套超过 {limit} 层，请减少嵌套后重试。"),
            details: { "limit": limit },
        }
        /// A tag in HTML has more attributes than are accepted.
        TooManyAttributes {
            /// The most attributes that a tag may have.
            limit: usize,
        } = "too_many_attributes" {
            en: format!("A tag in the HTML has more than {limit} attributes. Give it fewer and try again."),
            zh: format!("HTML 中有标签的属性超过 {limit} 个，请减少属性后重试。"),
            details: { "limit": limit },
        }
        /// HTML was to be parsed, or a run to be recorded, by the page build, which has no parser and no recorder.
        FullBuildNeeded = "full_build_needed" {
            en: "This needs the full build: call init(undefined, full) with full from \"copydesk/full\".",
            zh: "此操作需要完整构建：请用 copydesk/full 中的 full 调用 init(undefined, full)。",
        }
        /// JSON that is not a document of the schema.
        InvalidDocument {
            /// The fault and its place.
            reason: String,
        } = "invalid_document" {
            shorten: reason,
            en: format!("This is not a document of the schema: {reason}."),
            zh: format!("这不是符合 schema 的文档：{reason}。"),
        }
        /// A node or mark type that the schema does not have.
        UnknownType {
            /// The name of the type.
            name: String,
        } = "unknown_type" {
            shorten: name,
            en: format!(
                "The schema has no node or mark named \"{name}\". Pass the editor's schema along with the document."
            ),
            zh: format!("schema 中没有名为“{name}”的节点或标记，请连同编辑器的 schema 一起传入。"),
        }
        /// A schema that cannot be read.
        InvalidSchema {
            /// The fault and its place.
            reason: String,
        } = "invalid_schema" {
            shorten: reason,
            en: format!("The schema cannot be read: {reason}."),
            zh: format!("无法读取 schema：{reason}。"),
        }
    }
    wraps {
        /// A wrong parameter, or an input that is too large.
        Base(copydesk_base),
    }
}

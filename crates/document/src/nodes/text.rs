//! `text`.

use super::*;

pub(super) const NODES: &[NodeSpec] =
    &[NodeSpec { name: "text", schema: r#"{"group": "inline"}"#, is_plain: true, ..NodeSpec::DEFAULT }];

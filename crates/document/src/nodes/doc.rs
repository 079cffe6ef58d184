//! `doc`: the document itself.

use super::*;

pub(super) const NODES: &[NodeSpec] =
    &[NodeSpec { name: "doc", schema: r#"{"content": "block+"}"#, ..NodeSpec::DEFAULT }];

//! The origin of an edit.

use crate::relocate::FoundBy;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The origin of an edit: the turn and the tool call that made it, and the reason for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Origin {
    /// The turn, as [`DocumentHolder::new_turn`](crate::apply::DocumentHolder::new_turn) named it; `None` for an edit
    /// that no model asked for.
    pub turn: Option<String>,
    /// The tool call.
    pub tool_id: Option<String>,
    /// The reason in the model's own words.
    pub instruction: Option<String>,
    /// The way in which the named lines were found.
    pub found_by: Option<FoundBy>,
    /// The author, as the app describes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<Value>,
}

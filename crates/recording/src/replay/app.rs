//! The app's functions in a replay: none of them is called.

use super::Replay;
use crate::answer::{NEEDS_APPROVAL, TOOL, WORKSPACE, read_file_value, read_output, read_value};
use crate::recorder::app::tool_id;
use copydesk_agent::Error;
use copydesk_agent::hooks::{Given, Hook, Hooks};
use copydesk_agent::tools::app::ToolFunctions;
use copydesk_agent::tools::{ToolContext, ToolFuture};
use copydesk_agent::workspace::WorkspaceHost;
use copydesk_base::host::LocalFuture;
use copydesk_workspace::Error as FileError;
use serde_json::{Map, Value};

impl ToolFunctions for Replay {
    fn run(&self, _: &str, _: Map<String, Value>, context: ToolContext) -> ToolFuture {
        let replay = self.clone();
        Box::pin(async move {
            let id = context.origin.tool_id.clone().unwrap_or_default();
            read_output(replay.ask(TOOL, &id, context.progress.as_ref()).await?)
        })
    }

    fn needs_approval(&self, tool: &str, _: &Map<String, Value>) -> bool {
        // A call that was not decided in the recording waits for the user.
        self.decided(NEEDS_APPROVAL, tool).and_then(|decided| decided.as_bool()).unwrap_or(true)
    }
}

impl WorkspaceHost for Replay {
    fn call(&self, method: &'static str, _: Vec<Value>) -> LocalFuture<'static, Result<Value, FileError>> {
        let replay = self.clone();
        Box::pin(async move {
            let answer = replay.ask(WORKSPACE, method, &|_| {}).await;
            read_file_value(answer.map_err(copydesk_base::Error::from)?)
        })
    }
}

impl Hooks for Replay {
    fn call(&self, hook: Hook, given: Given<'_>) -> Option<LocalFuture<'static, Result<Value, Error>>> {
        let id = tool_id(hook, given);
        if !self.is_answered(hook.name(), &id) {
            return None;
        }
        let replay = self.clone();
        Some(Box::pin(async move { read_value(replay.ask(hook.name(), &id, &|_| {}).await?) }))
    }
}

//! The app's functions while they are recorded: hooks, tools, and the decision whether a call needs approval.

use super::Recorder;
use crate::answer::{HAS_FILES, NEEDS_APPROVAL, TOOL, WORKSPACE};
use crate::answer::{read_file_value, read_output, read_value, write_file_value, write_output, write_value};
use copydesk_agent::hooks::{Given, Hook, Hooks};
use copydesk_agent::tools::app::{Execute, ToolFunctions};
use copydesk_agent::tools::{NeedsApproval, ToolContext, ToolFuture};
use copydesk_agent::workspace::WorkspaceHost;
use copydesk_agent::{AgentHost, Error};
use copydesk_base::host::LocalFuture;
use copydesk_workspace::Error as FileError;
use serde_json::{Map, Value};
use std::rc::Rc;

impl Recorder {
    /// Records everything that an agent gets from its host.
    pub fn host(&self, host: AgentHost) -> AgentHost {
        AgentHost {
            fetch: self.fetch(host.fetch),
            clock: self.clock(host.clock),
            hooks: Rc::new(RecordedHooks { recorder: self.clone(), hooks: host.hooks }),
            listener: self.listener(host.listener),
            workspace: host.workspace.map(|host| self.workspace(host)),
            ..host
        }
    }

    /// Records the calls of a workspace.
    fn workspace(&self, host: Rc<dyn WorkspaceHost>) -> Rc<dyn WorkspaceHost> {
        self.write(0, |recording| {
            if let Some(settings) = recording.settings.as_object_mut() {
                settings.insert(HAS_FILES.to_owned(), true.into());
            }
        });
        Rc::new(RecordedWorkspace { recorder: self.clone(), host })
    }

    /// Records the functions of the app's tools.
    pub fn tool_functions(&self, functions: Rc<dyn ToolFunctions>) -> Rc<dyn ToolFunctions> {
        Rc::new(RecordedFunctions { recorder: self.clone(), functions })
    }

    /// Records the function of a tool.
    pub fn execute(&self, execute: Execute) -> Execute {
        let recorder = self.clone();
        Rc::new(move |arguments, mut context: ToolContext| {
            let (recorder, execute) = (recorder.clone(), execute.clone());
            let id = context.origin.tool_id.clone().unwrap_or_default();
            // A replay does not run the tool, so that its own requests are not recorded.
            recorder.bypass(&mut context);
            let progress = context.progress.clone();
            context.progress = {
                let (recorder, id) = (recorder.clone(), id.clone());
                Rc::new(move |partial: Value| {
                    recorder.update(TOOL, &id, partial.clone());
                    progress(partial);
                })
            };
            Box::pin(async move {
                let running = async { write_output(execute(arguments, context).await) };
                read_output(recorder.ask(TOOL, &id, Box::pin(running)).await)
            })
        })
    }

    /// Records the function that decides whether a call of a tool needs approval.
    pub fn needs_approval(&self, tool: &str, needs: NeedsApproval) -> NeedsApproval {
        let (recorder, tool) = (self.clone(), tool.to_owned());
        Rc::new(move |arguments: &Map<String, Value>| recorder.decide(&tool, || needs(arguments)))
    }

    fn decide(&self, tool: &str, needs: impl FnOnce() -> bool) -> bool {
        let at = self.begin_call(NEEDS_APPROVAL, tool);
        let needed = self.during(at, needs);
        self.record_answer(at, true, &needed.into());
        needed
    }
}

struct RecordedFunctions {
    recorder: Recorder,
    functions: Rc<dyn ToolFunctions>,
}

impl ToolFunctions for RecordedFunctions {
    fn run(&self, tool: &str, arguments: Map<String, Value>, context: ToolContext) -> ToolFuture {
        let (functions, tool) = (self.functions.clone(), tool.to_owned());
        let execute = Rc::new(move |arguments, context| functions.run(&tool, arguments, context));
        self.recorder.execute(execute)(arguments, context)
    }

    fn needs_approval(&self, tool: &str, arguments: &Map<String, Value>) -> bool {
        self.recorder.decide(tool, || self.functions.needs_approval(tool, arguments))
    }
}

struct RecordedWorkspace {
    recorder: Recorder,
    host: Rc<dyn WorkspaceHost>,
}

impl WorkspaceHost for RecordedWorkspace {
    fn call(&self, method: &'static str, arguments: Vec<Value>) -> LocalFuture<'static, Result<Value, FileError>> {
        let (recorder, host) = (self.recorder.clone(), self.host.clone());
        Box::pin(async move {
            let running = async { write_file_value(host.call(method, arguments).await) };
            read_file_value(recorder.ask(WORKSPACE, method, Box::pin(running)).await)
        })
    }
}

struct RecordedHooks {
    recorder: Recorder,
    hooks: Rc<dyn Hooks>,
}

impl Hooks for RecordedHooks {
    fn call(&self, hook: Hook, given: Given<'_>) -> Option<LocalFuture<'static, Result<Value, Error>>> {
        let recorder = self.recorder.clone();
        let call = recorder.begin_call(hook.name(), &tool_id(hook, given));
        let Some(called) = recorder.during(call, || self.hooks.call(hook, given)) else {
            recorder.remove_call(call);
            return None;
        };
        Some(Box::pin(async move {
            let running = async {
                let result = called.await;
                if let (Hook::GetApiKey, Ok(Value::String(key))) = (hook, &result) {
                    recorder.add_key(key);
                }
                write_value(result)
            };
            read_value(recorder.answer(call, Box::pin(running)).await)
        }))
    }
}

/// Returns the id of the call that a hook is called for, or an empty text.
pub(crate) fn tool_id(hook: Hook, given: Given<'_>) -> String {
    match hook {
        Hook::BeforeToolCall | Hook::AfterToolCall => given()["toolCall"]["id"].as_str().unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}

//! Redacts values that an agent gets from the network and from the app's hooks and tools.
//!
//! Answers of models are redacted where they are decoded ([`copydesk_llm`]), because a key may be split over their
//! events. Everything else is redacted here, before it is used. Results of built-in tools about the document are not
//! redacted: the user wrote the document, and an edit must find its text unchanged.

use super::hooks::{Given, Hook, Hooks};
use crate::Error;
use crate::tools::{Tool, ToolFuture, ToolOutput};
use copydesk_base::host::{Body, Fetch, LocalFuture, Request, Response};
use copydesk_base::secrets::Secrets;
use serde_json::Value;
use std::rc::Rc;

/// Redacts errors and content types of responses, and registers the keys of each request. Browsers quote invalid
/// header values and whole URLs; an app's own function may return anything.
pub(super) struct RedactingFetch {
    pub(super) inner: Rc<dyn Fetch>,
    pub(super) secrets: Secrets,
}

impl Fetch for RedactingFetch {
    fn fetch(&self, request: Request) -> LocalFuture<'_, Result<Response, copydesk_base::Error>> {
        self.secrets.add_request(&request);
        let secrets = self.secrets.clone();
        Box::pin(async move {
            let answer = self.inner.fetch(request).await.map_err(|error| redacted_host_error(error, &secrets))?;
            let content_type = secrets.redact(&answer.content_type);
            let body = Box::new(RedactingBody { body: answer.body, secrets });
            Ok(Response { content_type, body, ..answer })
        })
    }
}

struct RedactingBody {
    body: Box<dyn Body>,
    secrets: Secrets,
}

impl Body for RedactingBody {
    fn chunk(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, copydesk_base::Error>> {
        Box::pin(async { self.body.chunk().await.map_err(|error| redacted_host_error(error, &self.secrets)) })
    }
}

/// Redacts the results of the app's hooks, and registers the keys that they return.
pub(super) struct RedactingHooks {
    pub(super) inner: Rc<dyn Hooks>,
    pub(super) secrets: Secrets,
}

impl Hooks for RedactingHooks {
    fn call(&self, hook: Hook, given: Given<'_>) -> Option<LocalFuture<'static, Result<Value, Error>>> {
        let called = self.inner.call(hook, given)?;
        let secrets = self.secrets.clone();
        Some(Box::pin(async move {
            let mut value = called.await.map_err(|error| redacted(error, &secrets))?;
            match (hook, &mut value) {
                (Hook::GetApiKey, Value::String(key)) => secrets.add(key),
                (Hook::BeforeToolCall | Hook::AfterToolCall, value) => secrets.redact_value(value),
                // Messages for the model are sent as the app returns them.
                _ => {}
            }
            Ok(value)
        }))
    }
}

/// Returns the tool with its results and progress reports redacted.
pub(super) fn redacted_tool(mut tool: Tool, secrets: &Secrets) -> Tool {
    let (run, secrets) = (tool.run.clone(), secrets.clone());
    tool.run = Rc::new(move |arguments, mut context| -> ToolFuture {
        let (progress, of_progress) = (context.progress.clone(), secrets.clone());
        context.progress = Rc::new(move |mut partial| {
            of_progress.redact_value(&mut partial);
            progress(partial);
        });
        let (running, secrets) = (run(arguments, context), secrets.clone());
        Box::pin(async move {
            let ToolOutput { mut content, mut details, doc_update, images, is_error } =
                running.await.map_err(|error| redacted(error, &secrets))?;
            secrets.redact_value(&mut content);
            details.iter_mut().for_each(|details| secrets.redact_value(details));
            Ok(ToolOutput { content, details, doc_update, images, is_error })
        })
    });
    tool
}

/// Returns the error with text from outside redacted.
fn redacted(error: Error, secrets: &Secrets) -> Error {
    let redact = |text: String| secrets.redact(&text);
    match error {
        Error::ToolFailed { tool, message } => Error::ToolFailed { tool, message: redact(message) },
        Error::ToolBlocked { tool, reason } => Error::ToolBlocked { tool, reason: redact(reason) },
        Error::HookFailed { hook, message } => Error::HookFailed { hook, message: redact(message) },
        Error::Service { service, status, message } => Error::Service { service, status, message: redact(message) },
        Error::Base(error) => Error::Base(redacted_host_error(error, secrets)),
        other => other,
    }
}

/// Returns an error of the host with text from outside redacted.
fn redacted_host_error(error: copydesk_base::Error, secrets: &Secrets) -> copydesk_base::Error {
    use copydesk_base::Error;
    match error {
        Error::FetchFailed { reason } => Error::FetchFailed { reason: secrets.redact(&reason) },
        Error::Unreachable { origin, reason } => Error::Unreachable { origin, reason: secrets.redact(&reason) },
        Error::Redirected { origin, target } => {
            Error::Redirected { origin, target: target.map(|target| secrets.redact(&target)) }
        }
        other => other,
    }
}

//! Calls of the last answer that have no result.
//!
//! A run that waits for approval consists of its messages only: the answer with its calls, the results so far, and an
//! `approval` message for each call whose approval was requested. They can be stored as JSON and continued by another
//! agent.

use super::Agent;
use crate::Error;
use crate::tools::ResultEvidence;
use copydesk_edit::DocUpdate;
use copydesk_edit::relocate::persist::{keep, restore};
use copydesk_llm::history::is_left_out;
use copydesk_llm::{Arguments, AssistantPart, Decision, Message, ToolCall};
use serde_json::{Value, json};
use std::cell::RefCell;

impl Agent {
    /// Adds an approval request for `call`, with the targets of those of `calls` that have no result yet, in their
    /// current form. A stored target stays if it cannot be computed now.
    pub(super) fn request_approval(
        &self,
        call: &ToolCall,
        calls: &[ToolCall],
        update: impl Fn(&ToolCall) -> Option<DocUpdate>,
    ) {
        let open = self.open_calls();
        let open = calls.iter().filter(|call| open.iter().any(|open| open.id == call.id));
        let asked = open.filter_map(|call| Some((call.id.as_str(), update(call)?)));
        let shown = self.0.shown.borrow();
        let kept = keep(&shown, self.0.document.as_ref(), asked);
        let mut is_noted = false;
        for message in self.0.messages.borrow_mut().iter_mut() {
            let Message::Approval { tool_call_id, shown, .. } = message else { continue };
            if *tool_call_id == call.id {
                is_noted = true;
                if !kept.is_empty() {
                    shown.get_or_insert_default().extend(kept.clone());
                }
            } else if let Some(shown) = shown {
                kept.iter().for_each(|(id, kept)| shown.get_mut(id).into_iter().for_each(|old| old.clone_from(kept)));
            }
        }
        if is_noted {
            return;
        }
        self.push(Message::Approval {
            tool_call_id: call.id.clone(),
            tool_name: call.name.clone(),
            decision: Decision::Pending,
            reason: None,
            shown: Some(kept).filter(|kept| !kept.is_empty()),
        });
    }

    /// Restores the target that a call had before the page was reloaded, if it was stored. Fails if the target no
    /// longer exists; `shows` then gets the current content.
    pub(super) fn restore(
        &self,
        call: &mut ToolCall,
        asked: &DocUpdate,
        shows: &RefCell<Option<ResultEvidence>>,
    ) -> Result<(), Error> {
        let kept = self.0.messages.borrow().iter().rev().find_map(|message| match message {
            Message::Approval { shown: Some(shown), .. } => shown.get(&call.id).cloned(),
            _ => None,
        });
        let (Some(kept), Arguments::Whole(arguments)) = (kept, &mut call.arguments) else { return Ok(()) };
        let mut shown = self.0.shown.borrow_mut();
        restore(&mut shown, self.0.document.as_ref(), asked, &kept, arguments).map_err(|stale| {
            shows.replace(stale.evidence.map(Into::into));
            stale.error.into()
        })
    }

    /// Stores the user's decision about a call.
    pub(super) fn store_decision(&self, id: &str, approved: bool, said: &str) {
        for message in self.0.messages.borrow_mut().iter_mut() {
            if let Message::Approval { tool_call_id, decision, reason, .. } = message
                && tool_call_id == id
            {
                *decision = if approved { Decision::Approved } else { Decision::Rejected };
                *reason = Some(said.to_owned()).filter(|said| !said.is_empty());
            }
        }
    }

    /// Returns the ids of the calls that wait for approval.
    pub(super) fn awaiting_approval(&self) -> Vec<String> {
        let ids = self.open_calls().into_iter().map(|call| call.id);
        ids.filter(|id| self.decision(id) == Some(Decision::Pending)).collect()
    }

    /// Returns the state of the approval of a call, if it was requested.
    pub(super) fn decision(&self, id: &str) -> Option<Decision> {
        self.0.messages.borrow().iter().find_map(|message| match message {
            Message::Approval { tool_call_id, decision, .. } if tool_call_id == id => Some(*decision),
            _ => None,
        })
    }

    /// Returns the calls of the last answer that have no result and can still run. A call that may have run before the
    /// page was closed gets a result that states this. `atomic` returns whether a call of a tool without a result had
    /// no effect.
    pub(super) fn resumable_calls(
        &self,
        describe: impl Fn(&Error) -> Value,
        atomic: impl Fn(&str) -> bool,
    ) -> Vec<ToolCall> {
        let mut waiting = Vec::new();
        for call in self.open_calls() {
            let lost = match self.decision(&call.id) {
                Some(Decision::Pending) => None,
                Some(Decision::Rejected) => Some(Error::Rejected { tool: call.name.clone(), reason: String::new() }),
                _ if atomic(&call.name) => None,
                _ => Some(Error::MaybeRan { tool: call.name.clone() }),
            };
            match lost {
                None => waiting.push(call),
                Some(error) => self.push(Message::ToolResult {
                    tool_call_id: call.id,
                    tool_name: call.name,
                    content: json!({ "error": describe(&error) }),
                    is_error: true,
                    untrusted: false,
                    images: Vec::new(),
                }),
            }
        }
        waiting
    }

    /// Returns the calls of the last answer without a result, unless the user has written since.
    fn open_calls(&self) -> Vec<ToolCall> {
        let messages = self.0.messages.borrow();
        let Some(at) = messages.iter().rposition(|message| matches!(message, Message::Assistant { .. })) else {
            return Vec::new();
        };
        let (Message::Assistant { content, stop_reason, .. }, after) = (&messages[at], &messages[at + 1..]) else {
            return Vec::new();
        };
        // Answers that ended early are not sent to the model, and their calls do not run.
        if is_left_out(stop_reason) {
            return Vec::new();
        }
        let has_result = |id: &str| {
            after
                .iter()
                .any(|message| matches!(message, Message::ToolResult { tool_call_id, .. } if tool_call_id == id))
        };
        let call = |part: &AssistantPart| match part {
            AssistantPart::ToolCall { id, name, arguments, signature } if !has_result(id) => Some(ToolCall {
                id: id.clone(),
                name: name.clone(),
                arguments: Arguments::Whole(arguments.clone()),
                signature: signature.clone(),
            }),
            _ => None,
        };
        if after.iter().any(|message| matches!(message, Message::User { .. })) {
            return Vec::new();
        }
        content.iter().filter_map(call).collect()
    }

    /// Returns whether there is something to continue: the last message is not an answer, or its calls have no
    /// results, or messages are queued.
    pub(super) fn can_continue(&self) -> bool {
        let queued = || !self.0.steering.borrow().is_empty() || !self.0.follow_up.borrow().is_empty();
        self.awaits_answer() || !self.open_calls().is_empty() || queued()
    }

    /// Returns whether the last message that the model gets is not an answer of its own.
    pub(super) fn awaits_answer(&self) -> bool {
        let said = |message: &&Message| match message {
            Message::Custom(_) | Message::Approval { .. } | Message::Document { .. } | Message::Note { .. } => false,
            Message::Assistant { stop_reason, .. } => !is_left_out(stop_reason),
            _ => true,
        };
        let messages = self.0.messages.borrow();
        messages.iter().rfind(said).is_some_and(|message| !matches!(message, Message::Assistant { .. }))
    }
}

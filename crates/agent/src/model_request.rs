//! One answer of the model: sends the request, reads the response, and repeats a request that failed.

use super::answer_reporter::AnswerReporter;
use super::event::EventKind;
use super::hooks::Hook;
use super::run::Run;
use super::{hooks, retry};
use crate::Error;
use copydesk_base::ErrorInfo;
use copydesk_base::host::{Body, Request, Response, origin_of, read_to_end, within};
use copydesk_llm::http_error::{retry_delay, status_error};
use copydesk_llm::{self as llm, AssistantMessage, Decoder, Delta, LlmConfig, Prompt, Usage};

/// The longest wait for the token counts after the model has finished, in milliseconds.
const USAGE_WAIT_MS: u64 = 3_000;
/// The longest wait for the server to close the connection after the answer, in milliseconds.
const CLOSE_WAIT_MS: u64 = 200;
/// The longest error body that is read, in bytes.
const LONGEST_ERROR_BODY: usize = 100_000;

/// A request that brought no answer.
pub(super) struct RequestFailure {
    pub(super) error: Error,
    /// The delay that the server asks for before the next request, in milliseconds.
    retry_after: Option<u64>,
}

impl<E: Into<Error>> From<E> for RequestFailure {
    fn from(error: E) -> RequestFailure {
        RequestFailure { error: error.into(), retry_after: None }
    }
}

impl Run<'_> {
    /// Requests an answer and reads all of it. Retries errors that are retryable, and shortens the request as long as
    /// the model refuses it as too long.
    pub(super) async fn request_answer(&self) -> Result<AssistantMessage, Error> {
        let mut attempt = 0;
        // True if the request was repeated because the announced call was missing.
        let mut is_repeated = false;
        let document = &self.agent.0.document;
        self.update_settings().await?;
        document.synced().await;
        self.show_document();
        self.check_window()?;
        self.compact().await?;
        loop {
            self.update_settings().await?;
            // The message that later ones build on may have been summarized, and the user keeps writing while the run
            // waits.
            document.synced().await;
            self.show_document();
            let failure = match self.request_once().await {
                Ok(answer) if answer.lacks_call() && !is_repeated => {
                    is_repeated = true;
                    let usage = answer.usage.unwrap_or_default();
                    if self.wait_to_retry(&mut attempt, copydesk_llm::Error::CallMissing.into()).await.is_err() {
                        return Ok(answer);
                    }
                    self.spend_outside_turns(&usage);
                    continue;
                }
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            if matches!(failure.error, Error::Llm(copydesk_llm::Error::ContextOverflow { .. })) {
                if self.shrink().await? {
                    continue;
                }
                return Err(failure.error);
            }
            self.wait_to_retry(&mut attempt, failure).await?;
        }
    }

    /// Waits before the next attempt. Fails with the error of the last attempt if another one cannot help.
    pub(super) async fn wait_to_retry(&self, attempt: &mut usize, failure: RequestFailure) -> Result<(), Error> {
        let RequestFailure { error, retry_after } = failure;
        *attempt += 1;
        let tried = *attempt > self.options().max_retries || !error.is_retryable();
        let delay = if tried { None } else { retry::delay(*attempt, retry_after, self.agent.0.clock.random()) };
        // A run that would time out during the wait fails with the real cause instead.
        let Some(delay_ms) = delay.filter(|delay| self.left() > *delay as f64) else { return Err(error) };
        self.agent.0.log.retry(*attempt, delay_ms, error.code());
        let message = error.message(self.options().locale);
        self.agent.emit(EventKind::Retry { attempt: *attempt, delay_ms, reason: error.code(), message });
        self.agent.0.clock.sleep(delay_ms).await;
        Ok(())
    }

    async fn request_once(&self) -> Result<AssistantMessage, RequestFailure> {
        let state = &self.agent.0;
        let config = self.config().await?;
        let system = self.system_prompt();
        let messages = hooks::messages(state.hooks.as_ref(), self.agent.messages());
        let messages = self.in_run(Hook::TransformContext.name(), messages).await?;
        let (specs, reminder) = (self.specs(), self.reminder(&messages));
        let prompt = Prompt { system: &system, messages: &messages, tools: &specs, reminder: &reminder };
        let request = llm::request(&config, prompt)?;
        let (locale, form) = (self.options().locale, self.options().tool_args);
        let delivered = || self.delivered(&messages);
        let mut report = AnswerReporter::new(self.agent, &self.thinking, locale, form, delivered);
        let answer = self.exchange(request, &config, Some(&mut report)).await;
        report.thought();
        let mut answer = answer?;
        report.begins();
        for (at, call) in answer.tool_calls.iter_mut().enumerate() {
            call.id = report.id_of(at, &call.id);
            if let Some(name) = self.known_name(&call.name) {
                call.name = name;
            }
        }
        Ok(answer)
    }

    /// Sends a request and reads the answer; `report` passes its deltas to listeners.
    pub(super) async fn exchange(
        &self,
        request: Request,
        config: &LlmConfig,
        mut report: Option<&mut AnswerReporter<'_>>,
    ) -> Result<AssistantMessage, RequestFailure> {
        let state = &self.agent.0;
        let url = request.url.clone();
        let request = {
            // Waiting for requests of other agents does not count towards the run's time.
            let _paused = self.pause();
            state.fetch.admit(request).await
        };
        let answer = self.answer(request, &url, config, &mut report);
        let Some(limit) = config.stream_options.total_timeout else { return answer.await };
        let answer = async { Ok::<_, Error>(answer.await) };
        let named = |error| match error {
            Error::Base(copydesk_base::Error::Timeout { what, ms }) => {
                Error::Base(copydesk_base::Error::Timeout { what: format!("{what} (totalTimeout)"), ms })
            }
            error => error,
        };
        self.within(limit, &config.model.model_id, answer).await.map_err(named)?
    }

    /// Sends a request that may be sent, and reads the answer.
    async fn answer(
        &self,
        request: Request,
        url: &str,
        config: &LlmConfig,
        report: &mut Option<&mut AnswerReporter<'_>>,
    ) -> Result<AssistantMessage, RequestFailure> {
        let (state, secrets) = (&self.agent.0, self.agent.secrets());
        let response = self.in_time(state.fetch.fetch(request)).await?;
        if !(200..300).contains(&response.status) {
            // The body of an error is optional: the status alone is enough.
            let body = self.in_time(read_to_end(response.body, LONGEST_ERROR_BODY)).await.unwrap_or_default();
            let body = String::from_utf8_lossy(&body);
            let retry_after = response.retry_after.or_else(|| retry_delay(&body));
            let model = &config.model.model_id;
            let error = status_error(response.status, url, &response.content_type, &body, model, secrets).into();
            return Err(RequestFailure { error, retry_after });
        }
        let mut tell = |delta| {
            if let Some(report) = report.as_mut() {
                report.delta(delta);
            }
        };
        Ok(self.read(response, &mut tell).await?)
    }

    /// Returns the settings with the current API key.
    pub(super) async fn config(&self) -> Result<LlmConfig, Error> {
        let mut config = self.options().llm_config.clone();
        let provider = origin_of(&config.stream_options.base_url);
        let provider = provider.split_once("://").map_or(provider.as_str(), |(_, host)| host);
        let key = hooks::api_key(self.agent.0.hooks.as_ref(), provider, &config.model.model_id);
        if let Some(key) = self.in_run(Hook::GetApiKey.name(), key).await? {
            config.stream_options.api_key = Some(key);
            config.check()?;
        }
        config.stream_options.add_secrets(self.agent.secrets());
        self.options().services.add_secrets(self.agent.secrets());
        Ok(config)
    }

    /// Reads an answer to its end. If the model has finished, the answer counts even if the connection then stays
    /// open or breaks.
    async fn read(&self, mut response: Response, tell: &mut dyn FnMut(Delta)) -> Result<AssistantMessage, Error> {
        let mut uncounted = UncountedUsage { run: self, usage: None };
        let model = self.options().llm_config.model.clone();
        let tools = self.tools().iter().map(|tool| tool.spec.name.clone()).collect();
        let mut decoder = Decoder::new(model.api, &response.content_type, self.agent.secrets())
            .recognizing_calls(tools, model.compat.text_tool_calls == Some(true));
        while !decoder.is_done() {
            let patience = if decoder.is_finished() { USAGE_WAIT_MS } else { u64::MAX };
            let bytes = match self.next(&mut response.body, patience).await {
                Ok(Some(bytes)) => bytes,
                Ok(None) => break,
                Err(error) if !decoder.is_finished() => return Err(error),
                Err(_) => break,
            };
            let deltas = decoder.push(&bytes);
            uncounted.usage = decoder.usage();
            deltas?.into_iter().for_each(&mut *tell);
        }
        let deltas = decoder.end();
        uncounted.usage = decoder.usage();
        deltas?.into_iter().for_each(&mut *tell);
        // A server that has finished closes the connection, which then needs no abort. If it does not close soon, it
        // is aborted.
        let closed = async {
            while let Ok(Some(_)) = response.body.chunk().await {}
            Ok::<_, Error>(())
        };
        let _ = within(self.agent.0.clock.as_ref(), CLOSE_WAIT_MS, "", closed).await;
        let answer = decoder.finish()?;
        // The caller counts the usage of a complete answer.
        uncounted.usage = None;
        Ok(answer)
    }

    /// Returns the next bytes of the answer. A connection that breaks is a cut stream.
    async fn next(&self, body: &mut Box<dyn Body>, patience: u64) -> Result<Option<Vec<u8>>, Error> {
        self.in_time_of(patience, body.chunk()).await.map_err(|error| match error {
            Error::Base(copydesk_base::Error::Unreachable { .. } | copydesk_base::Error::Blocked { .. }) => {
                copydesk_llm::Error::StreamCut.into()
            }
            other => other,
        })
    }

    /// Waits for a function of the app, at most until the run's time is over.
    pub(super) async fn in_run<T>(
        &self,
        what: &str,
        future: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        self.within(u64::MAX, what, future).await
    }

    /// Waits for the server, at most for the idle timeout and until the run's time is over.
    async fn in_time<T>(&self, future: impl Future<Output = Result<T, copydesk_base::Error>>) -> Result<T, Error> {
        self.in_time_of(u64::MAX, future).await
    }

    /// Waits as [`Self::in_time`] does, and at most `most` milliseconds.
    async fn in_time_of<T>(
        &self,
        most: u64,
        future: impl Future<Output = Result<T, copydesk_base::Error>>,
    ) -> Result<T, Error> {
        let options = &self.options().llm_config;
        self.within(options.stream_options.timeout().min(most), &options.model.model_id, future).await
    }
}

/// Usage of an answer that is not complete. The provider charges for it, so it is counted when this is dropped.
struct UncountedUsage<'a> {
    run: &'a Run<'a>,
    usage: Option<Usage>,
}

impl Drop for UncountedUsage<'_> {
    fn drop(&mut self) {
        if let Some(usage) = self.usage {
            self.run.spend_outside_turns(&usage);
        }
    }
}

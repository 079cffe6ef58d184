//! Logs requests.

use super::log::Log;
use copydesk_base::Error;
use copydesk_base::host::{Clock, Fetch, LocalFuture, Request, Response};
use std::cell::Cell;
use std::rc::Rc;

/// Logs each request and the head of its response.
pub(super) struct LoggingFetch {
    inner: Rc<dyn Fetch>,
    clock: Rc<dyn Clock>,
    log: Log,
    last: Cell<u64>,
}

impl LoggingFetch {
    pub(super) fn new(inner: Rc<dyn Fetch>, clock: Rc<dyn Clock>, log: Log) -> LoggingFetch {
        LoggingFetch { inner, clock, log, last: Cell::new(0) }
    }
}

impl Fetch for LoggingFetch {
    fn fetch(&self, request: Request) -> LocalFuture<'_, Result<Response, Error>> {
        if self.log.is_silent() {
            return self.inner.fetch(request);
        }
        let id = self.last.get() + 1;
        self.last.set(id);
        self.log.request_started(id, &request);
        self.log.debug("request body", &|| request.body.clone().into());
        let began = self.clock.now();
        Box::pin(async move {
            let answer = self.inner.fetch(request).await;
            let ms = self.clock.now() - began;
            match &answer {
                Ok(response) => self.log.request_answered(id, response.status, ms),
                Err(error) => self.log.request_failed(id, error, ms),
            }
            answer
        })
    }
}

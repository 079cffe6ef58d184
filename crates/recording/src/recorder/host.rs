//! Records the network and the time.

use super::Recorder;
use crate::{During, Failed, Failure, RecordedChunk, ResponseEnd, TimeMark, Timer};
use copydesk_base::Error;
use copydesk_base::host::{Body, Clock, Fetch, LocalFuture, Request, Response};
use std::rc::Rc;

pub(super) struct RecordedFetch {
    pub(super) recorder: Recorder,
    pub(super) inner: Rc<dyn Fetch>,
}

impl Fetch for RecordedFetch {
    fn fetch(&self, request: Request) -> LocalFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            let recorder = self.recorder.clone();
            let at = recorder.begin_request(&request);
            // The app's own `fetch` is called when the future is first polled.
            let (answer, ready) =
                recorder.wait_for(at.map(During::Request), async { self.inner.fetch(request).await }).await;
            recorder.answered(at, ready, |exchange, TimeMark { order, at, ready }| match &answer {
                Ok(Response { status, content_type, retry_after, .. }) => {
                    exchange.response = Some(crate::RecordedResponse {
                        status: *status,
                        content_type: content_type.clone(),
                        retry_after: *retry_after,
                        chunks: Vec::new(),
                        end: None,
                        order,
                        at,
                        ready,
                    });
                }
                Err(error) => exchange.failed = Some(Failed { error: Failure::from(error), order, at, ready }),
            });
            let Response { status, content_type, retry_after, body } = answer?;
            let body = Box::new(RecordedBody { recorder, at, body, is_over: false });
            Ok(Response { status, content_type, retry_after, body })
        })
    }
}

struct RecordedBody {
    recorder: Recorder,
    at: Option<usize>,
    body: Box<dyn Body>,
    is_over: bool,
}

impl Body for RecordedBody {
    fn chunk(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, Error>> {
        Box::pin(async move {
            // After the end the answer is ready at once, as in a replay: a caller that waits sets a timer, and timers
            // are counted.
            if self.is_over {
                return Ok(None);
            }
            let during = self.at.map(During::Request);
            let (chunk, ready) = self.recorder.wait_for(during, async { self.body.chunk().await }).await;
            let length = chunk.as_ref().ok().and_then(Option::as_ref).map_or(0, Vec::len);
            self.recorder.received(
                self.at,
                ready,
                length,
                |response, TimeMark { order, at: ms, ready }| match &chunk {
                    Ok(Some(bytes)) => response.chunks.push(RecordedChunk { bytes: bytes.clone(), order, ms, ready }),
                    ended => {
                        let error = ended.as_ref().err().map(Failure::from);
                        response.end = Some(ResponseEnd { error, order, ms, ready });
                    }
                },
            );
            self.is_over = !matches!(chunk, Ok(Some(_)));
            chunk
        })
    }
}

pub(super) struct RecordedClock {
    pub(super) recorder: Recorder,
    pub(super) inner: Rc<dyn Clock>,
}

impl Clock for RecordedClock {
    fn now(&self) -> f64 {
        self.inner.now()
    }

    fn sleep(&self, ms: u64) -> LocalFuture<'static, ()> {
        let recorder = self.recorder.clone();
        let number = recorder.0.timers.get();
        recorder.0.timers.set(number + 1);
        let sleep = self.inner.sleep(ms);
        Box::pin(async move {
            let ((), ready) = recorder.wait_for(None, sleep).await;
            if let Some(TimeMark { order, at, ready }) = recorder.mark(ready) {
                recorder.write(0, |recording| recording.timers.push(Timer { number, ms, order, at, ready }));
            }
        })
    }

    fn random(&self) -> f64 {
        let number = self.inner.random();
        self.recorder.write(0, |recording| recording.random.push(number));
        number
    }
}

//! The network and the time while they are recorded.

use super::Recorder;
use crate::{Chunk, During, Failure, Head, Timer};
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
            let at = recorder.sent(&request);
            // An app that brings its own is called when the future is first asked.
            let (answer, ready) =
                recorder.watched(at.map(During::Request), async { self.inner.fetch(request).await }).await;
            let came = match &answer {
                Ok(Response { status, content_type, retry_after, .. }) => {
                    Ok(Head { status: *status, content_type: content_type.clone(), retry_after: *retry_after })
                }
                Err(error) => Err(Failure::of(error)),
            };
            recorder.came(at, ready, 0, |exchange, mark| exchange.came = Some((mark, came)));
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
            // Beyond the end nothing comes, and at once, as in a replay: who waits for it sets a timer, and timers are counted.
            if self.is_over {
                return Ok(None);
            }
            let during = self.at.map(During::Request);
            let (chunk, ready) = self.recorder.watched(during, async { self.body.chunk().await }).await;
            let length = chunk.as_ref().ok().and_then(Option::as_ref).map_or(0, Vec::len);
            self.recorder.came(self.at, ready, length, |exchange, came| match &chunk {
                Ok(Some(bytes)) => exchange.chunks.push(Chunk { came, bytes: bytes.clone() }),
                Ok(None) => exchange.end = Some((came, None)),
                Err(error) => exchange.end = Some((came, Some(Failure::of(error)))),
            });
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
            let ((), ready) = recorder.watched(None, sleep).await;
            if let Some(came) = recorder.mark(ready) {
                recorder.write(0, |tape| tape.timers.push(Timer { came, number, ms }));
            }
        })
    }

    fn random(&self) -> f64 {
        let number = self.inner.random();
        self.recorder.write(0, |tape| tape.random.push(number));
        number
    }
}

//! The network and the time of a replay.

use super::{Replay, order_of};
use crate::{During, Exchange, Failure, never};
use copydesk_base::Error;
use copydesk_base::host::{Body, Clock, Fetch, LocalFuture, Request, Response};

impl Fetch for Replay {
    fn fetch(&self, request: Request) -> LocalFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            let at = self.find(&request)?;
            self.0.sent.borrow_mut()[at] = true;
            let Exchange { sent, came, .. } = &self.0.recording.requests[at];
            self.came(*sent);
            self.do_during(During::Request(at), order_of(came)).await;
            let Some((mark, head)) = came else { return never().await };
            self.turn(*mark, 0).await;
            let head = head.as_ref().map_err(Failure::error)?;
            let body = Box::new(ReplayedBody { replay: self.clone(), at, chunk: 0, is_over: false });
            let (status, content_type, retry_after) = (head.status, head.content_type.clone(), head.retry_after);
            Ok(Response { status, content_type, retry_after, body })
        })
    }
}

struct ReplayedBody {
    replay: Replay,
    at: usize,
    chunk: usize,
    is_over: bool,
}

impl Body for ReplayedBody {
    fn chunk(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, Error>> {
        Box::pin(async move {
            if self.is_over {
                return Ok(None);
            }
            let Exchange { chunks, end, .. } = &self.replay.0.recording.requests[self.at];
            if let Some(chunk) = chunks.get(self.chunk) {
                self.replay.do_during(During::Request(self.at), chunk.came.order).await;
                self.replay.turn(chunk.came, 0).await;
                self.chunk += 1;
                return Ok(Some(chunk.bytes.clone()));
            }
            self.replay.do_during(During::Request(self.at), order_of(end)).await;
            let Some((mark, failure)) = end else { return never().await };
            self.replay.turn(*mark, 0).await;
            self.is_over = true;
            failure.as_ref().map_or(Ok(None), |failure| Err(failure.error()))
        })
    }
}

impl Clock for Replay {
    fn now(&self) -> f64 {
        self.0.now.get()
    }

    fn sleep(&self, _: u64) -> LocalFuture<'static, ()> {
        let number = self.0.timers.get();
        self.0.timers.set(number + 1);
        let went_off = self.0.recording.timers.iter().find(|timer| timer.number == number).map(|timer| timer.came);
        let Some(mark) = went_off else { return never() };
        let replay = self.clone();
        Box::pin(async move {
            replay.turn(mark, 0).await;
        })
    }

    fn random(&self) -> f64 {
        let at = self.0.random.get();
        self.0.random.set(at + 1);
        self.0.recording.random.get(at).copied().unwrap_or(0.5)
    }
}

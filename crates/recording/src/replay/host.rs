//! The network and the time of a replay.

use super::Replay;
use crate::file::Arrival;
use crate::{During, Exchange, never};
use copydesk_base::Error;
use copydesk_base::host::{Body, Clock, Fetch, LocalFuture, Request, Response};

impl Fetch for Replay {
    fn fetch(&self, request: Request) -> LocalFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            let at = self.find(&request)?;
            self.0.sent.borrow_mut()[at] = true;
            let exchange = &self.0.recording.requests[at];
            self.take(exchange.mark());
            self.play_inputs_during(During::Request(at), exchange.answered()).await;
            match exchange {
                Exchange { response: Some(response), .. } => {
                    self.turn(response.mark(), 0).await;
                    let body = Box::new(ReplayedBody { replay: self.clone(), at, chunk: 0, is_over: false });
                    let (status, retry_after) = (response.status, response.retry_after);
                    Ok(Response { status, content_type: response.content_type.clone(), retry_after, body })
                }
                Exchange { failed: Some(failed), .. } => {
                    self.turn(failed.mark(), 0).await;
                    Err(failed.error.error())
                }
                _ => never().await,
            }
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
            let Some(response) = &self.replay.0.recording.requests[self.at].response else { return never().await };
            if let Some(chunk) = response.chunks.get(self.chunk) {
                self.replay.play_inputs_during(During::Request(self.at), Some(chunk.order)).await;
                self.replay.turn(response.mark_of(chunk.order, chunk.ms, chunk.ready), 0).await;
                self.chunk += 1;
                return Ok(Some(chunk.bytes.clone()));
            }
            self.replay.play_inputs_during(During::Request(self.at), response.end.as_ref().map(|end| end.order)).await;
            let Some(end) = &response.end else { return never().await };
            self.replay.turn(response.mark_of(end.order, end.ms, end.ready), 0).await;
            self.is_over = true;
            end.error.as_ref().map_or(Ok(None), |failure| Err(failure.error()))
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
        let went_off = self.0.recording.timers.iter().find(|timer| timer.number == number).map(Arrival::mark);
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

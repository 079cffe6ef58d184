//! What a failed `fetch` says, without what was sent.
//!
//! Browsers quote the value of a header that they do not take, and whole addresses; an app's own function may say
//! anything. The words of both stand in events and errors.

use super::recording::keys::Keys;
use crate::error::Error;
use crate::host::{Body, Fetch, LocalFuture, Request, Response};
use std::rc::Rc;

/// Takes the keys of a request out of what is said when it fails.
pub(super) struct Discreet(pub(super) Rc<dyn Fetch>);

impl Fetch for Discreet {
    fn fetch(&self, request: Request) -> LocalFuture<'_, Result<Response, Error>> {
        let mut keys = Keys::default();
        keys.add_url(&request.url);
        request.headers.iter().for_each(|(name, value)| keys.add_header(name, value));
        Box::pin(async move {
            match self.0.fetch(request).await {
                Ok(Response { status, content_type, retry_after, body }) => {
                    Ok(Response { status, content_type, retry_after, body: Box::new(Blotted { body, keys }) })
                }
                Err(error) => Err(blotted(error, &keys)),
            }
        })
    }
}

struct Blotted {
    body: Box<dyn Body>,
    keys: Keys,
}

impl Body for Blotted {
    fn chunk(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, Error>> {
        Box::pin(async { self.body.chunk().await.map_err(|error| blotted(error, &self.keys)) })
    }
}

fn blotted(error: Error, keys: &Keys) -> Error {
    match error {
        Error::FetchFailed { reason } => Error::FetchFailed { reason: keys.blot(&reason) },
        other => other,
    }
}

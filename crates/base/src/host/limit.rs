//! A limit for the number of simultaneous requests to one origin.
//!
//! A model may ask for twenty searches in one answer. Services count that as an attack, and a browser queues them
//! anyway, in an unspecified order. Here they wait in order of arrival, without timers: a request that ends lets the
//! next one start. [`Limited`] is a [`Fetch`] around another one, so callers do not know about it.
//!
//! The requests of all agents of a page are counted together ([`Limited::of_page`]), those of models and of tools
//! alike.

use super::{Body, Fetch, LocalFuture, Request, Response, origin_of};
use crate::error::Error;
use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// The maximum number of simultaneous requests to one origin.
pub const MOST_PER_ORIGIN: usize = 4;

/// Limits the simultaneous requests to each origin; further ones wait in order. A request lasts until its body has
/// ended, has failed, or is dropped. Dropping a waiting future leaves the queue.
#[derive(Clone)]
pub struct Limited {
    inner: Rc<dyn Fetch>,
    gates: Rc<RefCell<Gates>>,
}

thread_local! {
    /// The limits of the page, which has one thread.
    static GATES: Rc<RefCell<Gates>> = Gates::new(MOST_PER_ORIGIN);
}

impl Limited {
    /// Admits [`MOST_PER_ORIGIN`] requests, counted together for all values made by this function.
    pub fn of_page(inner: Rc<dyn Fetch>) -> Limited {
        Limited { inner, gates: GATES.with(Rc::clone) }
    }

    /// Admits `most` requests, at least one, counted for this value alone.
    pub fn with_most(inner: Rc<dyn Fetch>, most: usize) -> Limited {
        Limited { inner, gates: Gates::new(most) }
    }
}

impl Fetch for Limited {
    fn admit(&self, mut request: Request) -> LocalFuture<'_, Request> {
        Box::pin(async move {
            if request.place.is_none() {
                let place = RequestSlot::take(self.gates.clone(), &request.url);
                poll_fn(|cx| place.turn(cx)).await;
                request.place = Some(Rc::new(place));
            }
            request
        })
    }

    fn fetch(&self, request: Request) -> LocalFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            let mut request = self.admit(request).await;
            let place = request.place.take();
            let Response { status, content_type, retry_after, body } = self.inner.fetch(request).await?;
            Ok(Response { status, content_type, retry_after, body: Box::new(Held { body, place }) })
        })
    }
}

/// One gate for each origin with requests.
struct Gates {
    most: usize,
    /// The number of the next request.
    next: u64,
    gates: Vec<Gate>,
}

impl Gates {
    fn new(most: usize) -> Rc<RefCell<Gates>> {
        Rc::new(RefCell::new(Gates { most: most.max(1), next: 0, gates: Vec::new() }))
    }
}

struct Gate {
    origin: String,
    under_way: Vec<u64>,
    /// The waiting requests, in order of arrival.
    waiting: Vec<(u64, Waker)>,
}

/// A request's slot among those to its origin. Dropping it lets the next one start.
pub struct RequestSlot {
    gates: Rc<RefCell<Gates>>,
    origin: String,
    number: u64,
}

impl RequestSlot {
    fn take(gates: Rc<RefCell<Gates>>, url: &str) -> RequestSlot {
        // A relative URL is one of the page's own origin, whatever its path is.
        let origin = if url.contains("://") { origin_of(url).to_ascii_lowercase() } else { String::new() };
        let number = {
            let mut gates = gates.borrow_mut();
            gates.next += 1;
            gates.next
        };
        RequestSlot { gates, origin, number }
    }

    /// Returns `Ready` when this request may start.
    fn turn(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut gates = self.gates.borrow_mut();
        let most = gates.most;
        let at = gates.gates.iter().position(|gate| gate.origin == self.origin).unwrap_or_else(|| {
            let origin = self.origin.clone();
            gates.gates.push(Gate { origin, under_way: Vec::new(), waiting: Vec::new() });
            gates.gates.len() - 1
        });
        let gate = &mut gates.gates[at];
        if gate.under_way.contains(&self.number) {
            return Poll::Ready(());
        }
        if let Some((_, waker)) = gate.waiting.iter_mut().find(|(number, _)| *number == self.number) {
            waker.clone_from(cx.waker());
        } else if gate.under_way.len() < most {
            gate.under_way.push(self.number);
            return Poll::Ready(());
        } else {
            gate.waiting.push((self.number, cx.waker().clone()));
        }
        Poll::Pending
    }

    /// Leaves the queue and returns the waker of the next request.
    fn leave(&self) -> Option<Waker> {
        let mut gates = self.gates.borrow_mut();
        let most = gates.most;
        let at = gates.gates.iter().position(|gate| gate.origin == self.origin)?;
        let gate = &mut gates.gates[at];
        gate.under_way.retain(|number| *number != self.number);
        gate.waiting.retain(|(number, _)| *number != self.number);
        // The free place is the next one's from here on, so that nobody slips in before it is polled.
        let free = gate.under_way.len() < most;
        let next = if free && !gate.waiting.is_empty() { Some(gate.waiting.remove(0)) } else { None };
        if let Some((number, _)) = &next {
            gate.under_way.push(*number);
        }
        if gate.under_way.is_empty() {
            gates.gates.swap_remove(at);
        }
        next.map(|(_, waker)| waker)
    }
}

// Requests are compared by their content.
impl PartialEq for RequestSlot {
    fn eq(&self, _: &RequestSlot) -> bool {
        true
    }
}

impl Drop for RequestSlot {
    fn drop(&mut self) {
        // A waker may run anything, so nothing is borrowed when it is called.
        if let Some(waker) = self.leave() {
            waker.wake();
        }
    }
}

/// A body whose request still counts.
struct Held {
    // Dropped before the place: the connection is closed when the next request is sent.
    body: Box<dyn Body>,
    place: Option<Rc<RequestSlot>>,
}

impl Body for Held {
    fn chunk(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, Error>> {
        Box::pin(async move {
            let chunk = self.body.chunk().await;
            if !matches!(chunk, Ok(Some(_))) {
                self.place = None;
            }
            chunk
        })
    }
}

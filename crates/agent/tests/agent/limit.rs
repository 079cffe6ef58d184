use super::harness::{Harness, says};
use super::random::Random;
use copydesk_agent::Outcome;
use copydesk_base::Error;
use copydesk_base::host::limit::{Limited, MOST_PER_ORIGIN};
use copydesk_base::host::{Body, Fetch, LocalFuture, Request, Response};
use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// A server that responds on demand.
#[derive(Default)]
struct Server {
    /// The URLs that arrived, in order.
    arrived: RefCell<Vec<String>>,
    /// Those that are answered.
    answered: RefCell<Vec<String>>,
    /// The open connections: from the arrival of a request to the end of its body.
    open: RefCell<Vec<String>>,
    refuses: Cell<bool>,
    breaks: Cell<bool>,
}

struct Door(Rc<Server>);

impl Fetch for Door {
    fn fetch(&self, request: Request) -> LocalFuture<'_, Result<Response, Error>> {
        let (server, url) = (self.0.clone(), request.url);
        server.arrived.borrow_mut().push(url.clone());
        server.open.borrow_mut().push(url.clone());
        let connection = Connection { server, url, chunks: 1 };
        Box::pin(poll_fn(move |_| {
            let Connection { server, url, .. } = &connection;
            if !server.answered.borrow().contains(url) {
                return Poll::Pending;
            }
            if server.refuses.get() {
                return Poll::Ready(Err(Error::Offline));
            }
            let body = Box::new(Connection { server: server.clone(), url: url.clone(), chunks: 1 });
            server.open.borrow_mut().push(url.clone());
            Poll::Ready(Ok(Response { status: 200, content_type: "text/plain".into(), retry_after: None, body }))
        }))
    }
}

struct Connection {
    server: Rc<Server>,
    url: String,
    chunks: usize,
}

fn broken() -> Error {
    Error::Unreachable { origin: "https://a.example".into(), reason: String::new() }
}

impl Body for Connection {
    fn chunk(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, Error>> {
        let next = match self.chunks {
            0 if self.server.breaks.get() => Err(broken()),
            0 => Ok(None),
            _ => Ok(Some(b"x".to_vec())),
        };
        self.chunks = self.chunks.saturating_sub(1);
        Box::pin(std::future::ready(next))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut open = self.server.open.borrow_mut();
        let at = open.iter().position(|url| *url == self.url).unwrap();
        open.remove(at);
    }
}

impl Server {
    fn answer(&self, url: &str) {
        self.answered.borrow_mut().push(url.to_owned());
    }

    fn arrived(&self) -> Vec<String> {
        self.arrived.borrow().clone()
    }
}

fn harness() -> (Rc<Server>, Limited) {
    let server = Rc::new(Server::default());
    (server.clone(), Limited::of_page(Rc::new(Door(server))))
}

fn url(number: usize) -> String {
    format!("https://a.example/{number}")
}

type Asking<'a> = LocalFuture<'a, Result<Response, Error>>;

/// Polls once.
fn poll<T>(future: &mut LocalFuture<'_, T>) -> Option<T> {
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

/// `count` requests to one origin, each polled once, in order.
fn ask(limited: &Limited, count: usize) -> Vec<Asking<'_>> {
    let mut asking: Vec<Asking<'_>> = (0..count).map(|number| limited.fetch(Request::get(url(number)))).collect();
    asking.iter_mut().for_each(|future| assert!(poll(future).is_none()));
    asking
}

#[test]
fn the_fifth_request_to_an_origin_waits_for_the_end_of_a_body() {
    let (server, limited) = harness();
    let mut asking = ask(&limited, 5);
    assert_eq!(server.arrived().len(), MOST_PER_ORIGIN);
    server.answer(&url(2));
    let mut response = poll(&mut asking[2]).unwrap().unwrap();
    assert!(poll(&mut asking[4]).is_none());
    assert_eq!(server.arrived().len(), 4, "its body is still being read");
    assert_eq!(poll(&mut response.body.chunk()), Some(Ok(Some(b"x".to_vec()))));
    assert!(poll(&mut asking[4]).is_none());
    assert_eq!(server.arrived().len(), 4, "its body is still being read");
    assert_eq!(poll(&mut response.body.chunk()), Some(Ok(None)));
    assert!(poll(&mut asking[4]).is_none());
    assert_eq!(server.arrived().last(), Some(&url(4)), "although whoever read the body still holds it");
    assert_eq!(poll(&mut response.body.chunk()), Some(Ok(None)));
}

#[test]
fn dropped_and_failed_requests_release_their_slot() {
    let (server, limited) = harness();
    let mut asking = ask(&limited, 7);
    server.answer(&url(0));
    drop(poll(&mut asking[0]).unwrap().unwrap());
    poll(&mut asking[4]);
    assert_eq!(server.arrived().len(), 5);

    server.answer(&url(1));
    let mut response = poll(&mut asking[1]).unwrap().unwrap();
    server.breaks.set(true);
    poll(&mut response.body.chunk());
    assert_eq!(poll(&mut response.body.chunk()), Some(Err(broken())));
    poll(&mut asking[5]);
    assert_eq!(server.arrived().len(), 6);

    server.refuses.set(true);
    server.answer(&url(2));
    assert_eq!(poll(&mut asking[2]).unwrap().err(), Some(Error::Offline));
    poll(&mut asking[6]);
    assert_eq!(server.arrived().len(), 7);
}

#[test]
fn all_agents_of_a_page_are_counted_together() {
    let server = Rc::new(Server::default());
    let agents: Vec<Limited> = (0..60).map(|_| Limited::of_page(Rc::new(Door(server.clone())))).collect();
    let ask = |(number, agent): (usize, &Limited)| -> Asking<'static> {
        let agent = Limited::clone(agent);
        Box::pin(async move { agent.fetch(Request::get(url(number))).await })
    };
    let mut asking: Vec<Asking<'_>> = agents.iter().enumerate().map(ask).collect();
    asking.iter_mut().for_each(|future| assert!(poll(future).is_none()));
    assert_eq!(server.arrived().len(), MOST_PER_ORIGIN);
    // An agent that is stopped frees its place, whether its request was sent or waits.
    drop(asking.remove(10));
    drop(asking.remove(0));
    asking.iter_mut().for_each(|future| assert!(poll(future).is_none()));
    assert_eq!(server.arrived().len(), MOST_PER_ORIGIN + 1);
    assert_eq!(server.open.borrow().len(), MOST_PER_ORIGIN);
}

#[test]
fn waiting_for_a_slot_does_not_count_as_run_time() {
    let (_, others) = harness();
    let long: Vec<_> = (0..4).map(|number| Request::get(format!("https://llm.example/{number}"))).collect();
    let mut asking: Vec<_> = long.into_iter().map(|request| others.fetch(request)).collect();
    asking.iter_mut().for_each(|future| assert!(poll(future).is_none()));
    let harness = Harness::new("<p>Tea.</p>", vec![says("Done.")]);
    let mut run: LocalFuture<'_, _> = Box::pin(harness.agent.prompt("Go").unwrap());
    assert!(harness.poll(&mut run).is_pending());
    harness.pass(3_600_000.0);
    assert!(harness.poll(&mut run).is_pending(), "it waits, and no timeout ends it");
    asking.pop();
    let result = harness.wait(run);
    assert_eq!((result.status, result.text.as_str()), (Outcome::Complete, "Done."));
}

#[test]
fn dropping_a_request_before_its_response_releases_its_slot() {
    let (server, limited) = harness();
    let mut asking = ask(&limited, 5);
    drop(asking.remove(0));
    assert_eq!(server.open.borrow().len(), 3, "the connection is closed at once");
    poll(&mut asking[3]);
    assert_eq!(server.arrived().last(), Some(&url(4)));
}

#[test]
fn waiting_requests_are_served_in_order() {
    let (server, limited) = harness();
    let mut asking = ask(&limited, 6);
    drop(asking.remove(0));
    // The free place is the fifth's, though it was not polled yet; who comes now waits behind the sixth.
    let mut late = limited.fetch(Request::get(url(9)));
    assert!(poll(&mut late).is_none());
    assert!(poll(&mut asking[4]).is_none());
    assert_eq!(server.arrived().len(), 4);
    poll(&mut asking[3]);
    drop(asking.remove(0));
    poll(&mut late);
    assert_eq!(server.arrived().len(), 5);
    poll(&mut asking[3]);
    assert_eq!(server.arrived()[4..], [url(4), url(5)]);
}

#[test]
fn dropping_a_waiting_request_passes_on_its_slot() {
    let (server, limited) = harness();
    let mut asking = ask(&limited, 7);
    drop(asking.remove(5));
    drop(asking.remove(0));
    // The fifth request got the place; before it is polled it is dropped.
    drop(asking.remove(3));
    poll(&mut asking[3]);
    assert_eq!(server.arrived()[4..], [url(6)]);
}

#[test]
fn origins_do_not_wait_for_each_other() {
    let (server, limited) = harness();
    let _first = ask(&limited, 5);
    let mut others: Vec<_> = ["https://b.example/0", "http://a.example/0", "https://a.example:8080/0", "/own/0"]
        .map(|url| limited.fetch(Request::get(url.into())))
        .into();
    others.iter_mut().for_each(|future| assert!(poll(future).is_none()));
    assert_eq!(server.arrived().len(), 8);
    // One origin in another spelling.
    let mut same = limited.fetch(Request::get("https://me:secret@A.example/x".into()));
    assert!(poll(&mut same).is_none());
    assert_eq!(server.arrived().len(), 8);
}

#[test]
fn relative_urls_are_one_origin() {
    let (server, limited) = harness();
    let mut asking: Vec<_> = (0..6).map(|number| limited.fetch(Request::get(format!("/api/{number}")))).collect();
    asking.iter_mut().for_each(|future| assert!(poll(future).is_none()));
    assert_eq!(server.arrived().len(), 4);
}

#[test]
fn a_waiting_request_is_woken_once() {
    struct Count(AtomicUsize);
    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let (server, limited) = harness();
    let mut asking = ask(&limited, 6);
    let count = Arc::new(Count(AtomicUsize::new(0)));
    let waker = Waker::from(count.clone());
    // The waker of the last poll counts.
    assert!(asking[4].as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    drop(asking.pop());
    assert_eq!(count.0.load(Ordering::Relaxed), 0);
    drop(asking.remove(0));
    drop(asking.remove(0));
    assert_eq!(count.0.load(Ordering::Relaxed), 1);
    assert_eq!(server.arrived().len(), 4);
}

#[test]
fn at_most_four_requests_run_and_all_are_served() {
    let mut random = Random::new();
    for _ in 0..200 {
        let (server, limited) = harness();
        let mut asking: Vec<(String, Asking<'_>)> = Vec::new();
        let mut reading: Vec<Response> = Vec::new();
        for number in 0..40 {
            let url = format!("https://{}.example/{number}", random.pick(&["a", "b"]));
            let mut future = limited.fetch(Request::get(url.clone()));
            assert!(poll(&mut future).is_none());
            asking.push((url, future));
            for _ in 0..random.below(3) {
                if asking.is_empty() {
                    break;
                }
                let at = random.below(asking.len());
                match random.below(4) {
                    0 => drop(asking.remove(at)),
                    1 => drop((!reading.is_empty()).then(|| reading.remove(0))),
                    _ => {
                        server.answer(&asking[at].0);
                        if let Some(response) = poll(&mut asking[at].1) {
                            reading.push(response.unwrap());
                            drop(asking.remove(at));
                        }
                    }
                }
                for origin in ["https://a.", "https://b."] {
                    let open = server.open.borrow().iter().filter(|url| url.starts_with(origin)).count();
                    assert!(open <= MOST_PER_ORIGIN, "{open} are under way");
                }
            }
        }
        // The remaining ones finish once all bodies are read.
        drop(reading);
        while !asking.is_empty() {
            let before = asking.len();
            asking.iter().for_each(|(url, _)| server.answer(url));
            asking.retain_mut(|(_, future)| poll(future).is_none());
            assert!(asking.len() < before, "a place was lost");
        }
        assert!(server.open.borrow().is_empty());
    }
}

//! Replays a recording: delivers to an agent what it received, in the same order.

use super::body::first_difference;
use super::file::Arrival;
use super::redact::redact_url;
use super::{AppAnswer, During, Input, Recording, TimeMark, event_value};
use crate::Error;
use copydesk_agent::event::Event;
use copydesk_base::error::excerpt;
use copydesk_base::host::{Clock, Fetch, LocalFuture, Request};
use copydesk_base::secrets::Secrets;
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::future::{pending, poll_fn};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

mod app;
pub mod document;
mod host;

/// The number of parallel requests that may come in another order.
const BESIDE: usize = 8;

/// Plays a recording. Clones are the same one.
#[derive(Clone)]
pub struct Replay(Rc<ReplayState>);

/// Takes recorded inputs.
pub trait InputPlayer {
    /// Repeats an action of the user. Returns the future of the run that begins with it, if one does.
    fn play(&self, input: &Input) -> Option<LocalFuture<'static, ()>>;
}

struct ReplayState {
    recording: Recording,
    /// For each position, true if its item is still to come.
    places: RefCell<Vec<bool>>,
    /// The first such position.
    next: Cell<usize>,
    /// The wakers, by the position for which they wait.
    waiting: RefCell<Vec<(u64, Waker)>>,
    /// For each request, true if it was sent again.
    sent: RefCell<Vec<bool>>,
    /// For each call, true if it was made again.
    asked: RefCell<Vec<bool>>,
    /// The request that was compared last, and its body.
    body: RefCell<Option<(usize, String)>>,
    timers: Cell<u64>,
    random: Cell<usize>,
    /// The recorded time of the last item.
    now: Cell<f64>,
    seq: Cell<u64>,
    player: RefCell<Option<Rc<dyn InputPlayer>>>,
    /// Runs that began and are not polled yet.
    begun: RefCell<Vec<LocalFuture<'static, ()>>>,
    /// The first difference of a request or a call.
    differs: RefCell<Option<Error>>,
    /// The first event that differs: recorded and replayed.
    event: RefCell<Option<(Value, Value)>>,
    /// The clock and the start of a replay that takes as long as the run.
    real: Option<(Rc<dyn Clock>, f64)>,
}

impl Replay {
    /// Returns a replay that runs as fast as it can.
    pub fn new(recording: Recording) -> Replay {
        Replay::with(recording, None)
    }

    /// Returns a replay that takes as long as the run took.
    pub fn in_time(recording: Recording, clock: Rc<dyn Clock>) -> Replay {
        let now = clock.now();
        Replay::with(recording, Some((clock, now)))
    }

    fn with(recording: Recording, real: Option<(Rc<dyn Clock>, f64)>) -> Replay {
        let marks = marks(&recording);
        // Gaps are rare. A file with huge numbers must not fill the memory.
        let mut places = vec![false; 2 * marks.len() + 64];
        for mark in marks {
            if let Some(place) = usize::try_from(mark.order).ok().and_then(|order| places.get_mut(order)) {
                *place = true;
            }
        }
        let next = first(&places, 0);
        let (sent, asked) = (vec![false; recording.requests.len()], vec![false; recording.answers.len()]);
        Replay(Rc::new(ReplayState {
            recording,
            places: RefCell::new(places),
            next: Cell::new(next),
            waiting: RefCell::default(),
            sent: RefCell::new(sent),
            asked: RefCell::new(asked),
            body: RefCell::default(),
            timers: Cell::new(0),
            random: Cell::new(0),
            now: Cell::new(0.0),
            seq: Cell::new(0),
            player: RefCell::default(),
            begun: RefCell::default(),
            differs: RefCell::default(),
            event: RefCell::default(),
            real,
        }))
    }

    /// Returns the recording.
    pub fn recording(&self) -> &Recording {
        &self.0.recording
    }

    /// Returns the first event that differs, recorded and replayed; null if there is none.
    pub fn different_event(&self) -> Option<(Value, Value)> {
        let found = self.0.event.borrow().clone();
        let missing = || self.0.recording.events.get(self.0.seq.get() as usize).cloned();
        found.or_else(|| missing().map(|event| (event, Value::Null)))
    }

    /// Returns the recorded network.
    pub fn fetch(&self) -> Rc<dyn Fetch> {
        Rc::new(self.clone())
    }

    /// Returns the recorded time.
    pub fn clock(&self) -> Rc<dyn Clock> {
        Rc::new(self.clone())
    }

    /// Returns a listener that compares each event, calls `inner`, and takes the inputs that followed it at once.
    pub fn listener(&self, inner: Rc<dyn Fn(Event)>) -> Rc<dyn Fn(Event)> {
        let replay = self.clone();
        Rc::new(move |event: Event| {
            let ReplayState { seq, recording, event: different, .. } = &*replay.0;
            seq.set(seq.get() + 1);
            let is = event_value(event.clone(), seq.get());
            let was = recording.events.get(seq.get() as usize - 1).cloned().unwrap_or_default();
            if was != is && different.borrow().is_none() && !(recording.is_cut && was.is_null()) {
                *different.borrow_mut() = Some((was, is));
            }
            inner(event);
            replay.catch_up();
        })
    }

    /// Takes all recorded inputs when they are due, and waits for the runs that begin with them.
    ///
    /// # Errors
    /// The first [`Error::ReplayDiffers`]: a request or a call differs, or is missing.
    pub async fn play(&self, player: Rc<dyn InputPlayer>) -> Result<(), Error> {
        *self.0.player.borrow_mut() = Some(player);
        let mut inputs: LocalFuture<'_, ()> = Box::pin(self.inputs());
        let mut has_inputs = true;
        let mut runs: Vec<LocalFuture<'static, ()>> = Vec::new();
        poll_fn(|cx| {
            loop {
                has_inputs = has_inputs && inputs.as_mut().poll(cx).is_pending();
                runs.append(&mut self.0.begun.borrow_mut());
                // An event may make an input due.
                let before = (runs.len(), self.progress());
                runs.retain_mut(|run| run.as_mut().poll(cx).is_pending());
                let has_begun = !self.0.begun.borrow().is_empty();
                if !has_begun && before == (runs.len(), self.progress()) {
                    break;
                }
            }
            // Without a run only the time is polled; and items beyond the end of a truncated recording never come.
            let waits = has_inputs && self.0.real.is_some() && self.is_input(self.at());
            let is_over = self.0.recording.is_cut && self.has_all();
            if (runs.is_empty() && !waits) || is_over { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        drop(inputs);
        *self.0.player.borrow_mut() = None;
        let differs = self.0.differs.borrow().clone();
        match differs {
            Some(error) => Err(error),
            None if !self.has_all() => Err(self.stuck()),
            None => Ok(()),
        }
    }

    /// Returns the progress: the position of the next item, and the number of events so far.
    pub fn progress(&self) -> (u64, u64) {
        (self.at(), self.0.seq.get())
    }

    /// Returns whether everything has come again.
    pub fn has_all(&self) -> bool {
        self.0.next.get() == self.0.places.borrow().len()
    }

    /// Returns whether the next item is not due yet, in a replay with recorded timing.
    pub fn waits(&self) -> bool {
        let Some((clock, began)) = &self.0.real else { return false };
        let next = marks(&self.0.recording).into_iter().find(|mark| mark.order == self.at());
        next.is_some_and(|mark| began + mark.at > clock.now())
    }

    /// Returns the error of a replay that stops although more was recorded.
    pub fn stuck(&self) -> Error {
        let left = self.0.places.borrow().iter().filter(|is_to_come| **is_to_come).count();
        self.differs("end", 0, &format!("{left} more"), "")
    }

    async fn inputs(&self) {
        // Actions inside a function of the app are repeated inside the call of that function.
        for input in self.0.recording.inputs.iter().filter(|input| input.during().is_none()) {
            // A listener may have done it already.
            if self.turn(input.mark(), input.after).await {
                self.play_input(input);
            }
        }
    }

    fn play_input(&self, input: &Input) {
        let player = self.0.player.borrow().clone();
        if let Some(run) = player.and_then(|player| player.play(input)) {
            self.0.begun.borrow_mut().push(run);
        }
    }

    /// Takes the inputs of a function of the app that arrived before a position.
    async fn play_inputs_during(&self, during: During, before: Option<u64>) {
        for input in self.0.recording.inputs.iter().filter(|input| input.during() == Some(during)) {
            if before.is_none_or(|before| input.order < before) && self.turn(input.mark(), 0).await {
                self.play_input(input);
            }
        }
    }

    /// Takes the inputs that arrived before the current listener or host function returned.
    pub(super) fn catch_up(&self) {
        while let Some(input) = self.due_inside() {
            self.take(input.mark());
            self.play_input(input);
        }
    }

    /// Returns the input to take before the function that was called, or the listener of the last event, returns.
    fn due_inside(&self) -> Option<&Input> {
        let due = |input: &&Input| input.inside && input.after == self.0.seq.get() && input.order == self.at();
        self.0.recording.inputs.iter().find(due)
    }

    /// Returns the position of the next item.
    fn at(&self) -> u64 {
        self.0.next.get() as u64
    }

    fn is_input(&self, place: u64) -> bool {
        self.0.recording.inputs.iter().any(|input| input.order == place)
    }

    /// Waits until something is due, and takes it. Returns false if it was taken already.
    async fn turn(&self, mark: TimeMark, after: u64) -> bool {
        let mut is_first = true;
        let mut sleep: Option<LocalFuture<'static, ()>> = None;
        let is_due = poll_fn(|cx| {
            let was_first = std::mem::replace(&mut is_first, false);
            if self.at() > mark.order {
                return Poll::Ready(false);
            }
            if self.at() != mark.order || self.0.seq.get() < after {
                self.wait(mark.order, cx);
                return Poll::Pending;
            }
            // A function that was pending has to be pending again, because the caller may do something else
            // meanwhile.
            if was_first && !mark.ready {
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            match &self.0.real {
                Some((clock, began)) => {
                    let left = began + mark.at - clock.now();
                    let sleep = sleep.get_or_insert_with(|| clock.sleep(left.max(0.0) as u64));
                    sleep.as_mut().poll(cx).map(|()| true)
                }
                None => Poll::Ready(true),
            }
        })
        .await;
        if is_due {
            self.take(mark);
        }
        is_due
    }

    fn wait(&self, place: u64, cx: &Context<'_>) {
        let mut waiting = self.0.waiting.borrow_mut();
        waiting.retain(|(other, _)| *other != place);
        waiting.push((place, cx.waker().clone()));
    }

    /// Marks an item as taken and wakes the next one.
    fn take(&self, mark: TimeMark) {
        {
            let mut places = self.0.places.borrow_mut();
            if let Some(place) = usize::try_from(mark.order).ok().and_then(|order| places.get_mut(order)) {
                *place = false;
            }
            self.0.next.set(first(&places, self.0.next.get()));
        }
        self.0.now.set(self.0.now.get().max(mark.at));
        let mut waiting = self.0.waiting.borrow_mut();
        let woken = waiting.iter().position(|(place, _)| *place == self.at()).map(|at| waiting.swap_remove(at).1);
        drop(waiting);
        if let Some(waker) = woken {
            waker.wake();
        }
    }

    fn differs(&self, what: &'static str, at: usize, recorded: &str, given: &str) -> Error {
        let request = self.0.sent.borrow().iter().take_while(|sent| **sent).count() + 1;
        let (recorded, given) = (excerpt(recorded), excerpt(given));
        let error = Error::ReplayDiffers { request, what, at, recorded, given };
        self.0.differs.borrow_mut().get_or_insert(error).clone()
    }

    /// Returns the index of the recorded request that equals a request.
    fn find(&self, request: &Request) -> Result<usize, Error> {
        let sent = self.0.sent.borrow().clone();
        let mut left = (0..sent.len()).filter(|at| !sent[*at]).take(BESIDE);
        let Some(first) = left.next() else {
            return Err(self.differs("count", 0, "", &request.url));
        };
        let Some((what, at, recorded, given)) = self.difference(first, request) else { return Ok(first) };
        left.find(|at| self.difference(*at, request).is_none()).ok_or_else(|| self.differs(what, at, &recorded, &given))
    }

    /// Returns the first difference of a request: the part, the byte, the recorded and the given text from there on.
    fn difference(&self, at: usize, request: &Request) -> Option<(&'static str, usize, String, String)> {
        let recorded = &self.0.recording.requests[at];
        if recorded.method != request.method {
            return Some(("method", 0, recorded.method.clone(), request.method.to_owned()));
        }
        let url = redact_url(&Secrets::default(), &request.url);
        let body = self.body(at);
        let pairs =
            [("url", &recorded.url, url.as_str()), ("body", &body, request.body.as_deref().unwrap_or_default())];
        for (what, recorded, given) in pairs {
            if let Some((at, there)) = first_difference(recorded, given) {
                return Some((what, at, recorded[at..].to_owned(), given[there..].to_owned()));
            }
        }
        None
    }

    /// Returns the body of a recorded request, built from that of the last one.
    fn body(&self, at: usize) -> String {
        let mut last = self.0.body.borrow_mut();
        let text = self.0.recording.requests[at].body.as_ref();
        let known = last.as_ref().and_then(|(known, body)| match text.and_then(|text| text.like) {
            _ if *known == at => Some(body.clone()),
            Some(like) if like.request == *known => text?.whole(body),
            _ => None,
        });
        let body = known.or_else(|| self.0.recording.body_of(at)).unwrap_or_default();
        *last = Some((at, body.clone()));
        body
    }

    /// Returns the index of the first recorded call of this name and id that was not made again.
    fn find_call(&self, what: &str, id: &str) -> Option<usize> {
        let (answers, asked) = (&self.0.recording.answers, self.0.asked.borrow());
        (0..asked.len()).find(|at| !asked[*at] && answers[*at].what == what && answers[*at].id == id)
    }

    /// Returns true if a call was recorded and was not made again yet.
    pub(super) fn is_answered(&self, what: &str, id: &str) -> bool {
        self.find_call(what, id).is_some()
    }

    /// Returns the recorded answer that the app gave at once.
    pub(super) fn decided(&self, what: &str, id: &str) -> Option<Value> {
        let at = self.find_call(what, id)?;
        self.0.asked.borrow_mut()[at] = true;
        for input in self.0.recording.inputs.iter().filter(|input| input.during() == Some(During::Answer(at))) {
            self.take(input.mark());
            self.play_input(input);
        }
        let said = self.0.recording.answers[at].said.as_ref()?;
        self.take(said.mark());
        Some(said.value.clone())
    }

    /// Returns the recorded answer of a tool or a hook; `update` gets the progress that it reported before.
    pub async fn ask(&self, what: &str, id: &str, update: &dyn Fn(Value)) -> Result<Value, Error> {
        let answers = &self.0.recording.answers;
        let at = self.find_call(what, id);
        at.into_iter().for_each(|at| self.0.asked.borrow_mut()[at] = true);
        let Some((at, AppAnswer { updates, said, .. })) = at.map(|at| (at, &answers[at])) else {
            return Err(self.differs("answer", 0, "", &[what, id].join(" ")));
        };
        for reported in updates {
            self.play_inputs_during(During::Answer(at), Some(reported.order)).await;
            self.turn(reported.mark(), 0).await;
            update(reported.value.clone());
        }
        self.play_inputs_during(During::Answer(at), said.as_ref().map(|said| said.order)).await;
        let Some(said) = said else { return pending().await };
        self.turn(said.mark(), 0).await;
        Ok(said.value.clone())
    }
}

/// Returns the first position from `from` on whose item is still to come.
fn first(places: &[bool], from: usize) -> usize {
    places[from..].iter().position(|is_to_come| *is_to_come).map_or(places.len(), |at| from + at)
}

/// Returns the time of arrival of each item.
fn marks(recording: &Recording) -> Vec<TimeMark> {
    let mut marks: Vec<TimeMark> = recording.timers.iter().map(Arrival::mark).collect();
    marks.extend(recording.inputs.iter().map(Arrival::mark));
    for exchange in &recording.requests {
        marks.push(exchange.mark());
        marks.extend(exchange.failed.iter().map(Arrival::mark));
        if let Some(response) = &exchange.response {
            marks.push(response.mark());
            marks.extend(response.chunks.iter().map(|chunk| response.mark_of(chunk.order, chunk.ms, chunk.ready)));
            marks.extend(response.end.iter().map(|end| response.mark_of(end.order, end.ms, end.ready)));
        }
    }
    for AppAnswer { updates, said, .. } in &recording.answers {
        marks.extend(updates.iter().chain(said).map(Arrival::mark));
    }
    marks
}

use super::harness::contains_text;
use super::random::Random;
use copydesk_agent::log::{Level, Log, LogEntry, Logger};
use copydesk_base::Error;
use copydesk_base::host::Request;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

#[derive(Default)]
struct LogCollector(RefCell<Vec<LogEntry>>);

impl Logger for LogCollector {
    fn log(&self, entry: LogEntry) {
        self.0.borrow_mut().push(entry);
    }
}

fn log() -> (Rc<LogCollector>, Log) {
    let collector = Rc::new(LogCollector::default());
    (collector.clone(), Log::new(collector))
}

fn entries(collector: &LogCollector) -> Vec<Value> {
    collector.0.borrow().iter().map(LogEntry::to_value).collect()
}

/// Returns a request with a key in each of its parts.
fn request(key: &str) -> Request {
    let body = json!({ "messages": ["My secret plan", key] });
    Request::post_json(format!("https://me:{key}@llm.example/v1/chat?key={key}"), &body)
        .with_header("authorization", format!("Bearer {key}"))
}

/// Writes an entry of every kind.
fn write_all(log: &Log, key: &str) {
    log.request_started(1, &request(key));
    log.request_started(2, &Request::get(format!("/own?key={key}")));
    log.request_answered(1, 200, 12.5);
    log.request_answered(1, 429, 12.5);
    log.request_failed(1, &Error::FetchFailed { reason: format!("My secret plan {key}") }, 3.0);
    log.retry(1, 500, "rate_limited");
    log.tool_started(key, "search_web", "t1");
    log.tool_finished("c1", &format!("{}{key}", "x".repeat(190)), 30.0, None);
    log.tool_finished("c1", "search_web", 30.0, Some("timeout"));
    log.compacted(9_000, 2_000, 80.0);
    log.run_finished("error", 3, 900.0, Some("unauthorized"));
    log.debug("request body", &|| json!({ key: ["My secret plan", key, { "x": key }] }));
}

#[test]
fn without_a_logger_no_entry_is_created() {
    let asked = Cell::new(false);
    let log = Log::silent();
    log.debug("x", &|| {
        asked.set(true);
        Value::Null
    });
    write_all(&log, "sk-secret");
    assert!(log.is_silent() && !asked.get());
}

#[test]
fn entries_have_ids_and_durations() {
    let (collector, log) = log();
    write_all(&log, "sk-secret");
    let entries = entries(&collector);
    let bytes = request("sk-secret").body.unwrap().len();
    assert_eq!(
        entries[0],
        json!({ "level": "info", "message": "request started", "fields": {
            "requestId": 1, "method": "POST", "origin": "https://llm.example", "bytes": bytes } })
    );
    assert_eq!(
        entries[8],
        json!({ "level": "error", "message": "tool finished", "fields": {
            "toolId": "c1", "tool": "search_web", "ms": 30.0, "code": "timeout" } })
    );
    let levels: Vec<_> = entries.iter().map(|entry| entry["level"].as_str().unwrap()).collect();
    let expected = "info info info warning warning warning info info error info error debug";
    assert_eq!(levels.join(" "), expected);
}

#[test]
fn entries_above_debug_contain_no_text() {
    let (collector, log) = log();
    write_all(&log, "sk-secret");
    for entry in collector.0.borrow().iter() {
        let tells = entry.to_value().to_string().contains("secret plan");
        assert_eq!(tells, entry.level == Level::Debug, "{entry:?}");
    }
}

#[test]
fn long_names_are_truncated() {
    let (collector, log) = log();
    log.tool_started(&"i".repeat(100_000), &"n".repeat(100_000), "t1");
    assert!(collector.0.borrow()[0].to_value().to_string().len() < 1_000);
}

#[test]
fn a_logger_may_write_and_add_keys_while_it_is_called() {
    struct Again(RefCell<Option<Log>>, Cell<u32>);
    impl Logger for Again {
        fn log(&self, _: LogEntry) {
            self.1.set(self.1.get() + 1);
            if self.1.get() < 5 {
                let log = self.0.borrow().clone().unwrap();
                log.secrets().add("another");
                log.retry(1, 1, "timeout");
            }
        }
    }
    let again = Rc::new(Again(RefCell::default(), Cell::default()));
    let log = Log::new(again.clone());
    *again.0.borrow_mut() = Some(log.clone());
    log.retry(1, 1, "timeout");
    assert_eq!(again.1.get(), 5);
}

#[test]
fn no_key_is_written_at_any_level() {
    let mut random = Random::new();
    for _ in 0..200 {
        let (collector, log) = log();
        let letters: Vec<char> = "abcXYZ019-_.:/\"\\é茶 ".chars().collect();
        let mut key = "sk-".to_owned();
        (0..8 + random.below(40)).for_each(|_| key.push(*random.pick(&letters)));
        let key = key.trim();
        // One key may be the beginning of another.
        let longer = format!("{key}longer");
        log.secrets().add(&format!(" {key}\n"));
        log.secrets().add(&longer);
        write_all(&log, key);
        write_all(&log, &longer);
        for entry in collector.0.borrow().iter() {
            // Within JSON text a quote in a key is written otherwise: each text is looked at by itself.
            assert!(!contains_text(&entry.to_value(), key), "{key}: {entry:?}");
            assert!(!entry.to_value().to_string().contains("longer"), "the end of the longer key: {entry:?}");
            assert!(!entry.to_value().to_string().contains("sk-"), "half a key: {entry:?}");
        }
    }
}

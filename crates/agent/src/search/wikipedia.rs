//! Wikipedia's search, asked through the MediaWiki API: <https://www.mediawiki.org/wiki/API:Search>.
//! `origin=*` lets any page ask; `extracts` brings the beginning of each article as plain text.

use super::{WebResult, address, text};
use copydesk_base::host::{Request, percent_encode};
use copydesk_base::locale::Locale;
use copydesk_base::map::insert_by_key;
use serde_json::Value;

pub const NAME: &str = "Wikipedia";

pub fn request(base_url: Option<&str>, query: &str, count: usize, locale: Locale) -> Request {
    let own = locale.pick("https://en.wikipedia.org", "https://zh.wikipedia.org");
    let rest = format!(
        "/w/api.php?action=query&generator=search&gsrsearch={}&gsrlimit={count}\
         &prop=extracts%7Cinfo&exintro=1&explaintext=1&exchars=600&exlimit={count}&inprop=url\
         &format=json&formatversion=2&origin=*",
        percent_encode(query),
    );
    Request::get(address(base_url, own, &rest))
}

/// Pages come in no order; `index` is their rank. Where nothing is found there is no `query` at all.
pub fn results(answer: &Value) -> Option<Vec<WebResult>> {
    let Some(query) = answer.get("query") else {
        return answer.is_object().then(Vec::new);
    };
    let mut pages: Vec<&Value> = Vec::new();
    for page in query["pages"].as_array()? {
        insert_by_key(&mut pages, page, |page| page["index"].as_u64().unwrap_or(u64::MAX));
    }
    let read = |(rank, page): (usize, &Value)| WebResult {
        title: text(&page["title"]),
        url: text(&page["fullurl"]),
        content: text(&page["extract"]),
        score: 1.0 / (rank + 1) as f64,
    };
    Some(pages.into_iter().enumerate().map(read).collect())
}

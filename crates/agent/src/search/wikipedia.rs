//! Wikipedia's search, asked through the MediaWiki API: <https://www.mediawiki.org/wiki/API:Search>.
//! `origin=*` lets any page ask; `extracts` brings the beginning of each article as plain text.

use super::service::{Query, SearchService, WebResult, text};
use crate::messages;
use copydesk_base::host::{Request, percent_encode};
use serde_json::Value;

/// Wikipedia, in the language of the locale.
pub const SERVICE: SearchService<WebResult> = SearchService {
    provider: "wikipedia",
    name: "Wikipedia",
    needs_key: false,
    default_url: Some(|locale| messages::WIKIPEDIA_URL.text(locale)),
    request,
    results,
};

fn request(query: &Query<'_>) -> Request {
    let (words, count) = (percent_encode(query.words), query.count);
    Request::get(query.url(&format!(
        "/w/api.php?action=query&generator=search&gsrsearch={words}&gsrlimit={count}\
         &prop=extracts%7Cinfo&exintro=1&explaintext=1&exchars=600&exlimit={count}&inprop=url\
         &format=json&formatversion=2&origin=*",
    )))
}

/// Pages are in no order; `index` is their rank. If nothing is found, there is no `query` at all.
fn results(answer: &Value) -> Option<Vec<WebResult>> {
    let Some(query) = answer.get("query") else {
        return answer.is_object().then(Vec::new);
    };
    let pages = query["pages"].as_array()?;
    let index = |page: &Value| page["index"].as_u64().and_then(|index| usize::try_from(index).ok());
    let mut order: Vec<_> = pages.iter().map(|page| index(page).unwrap_or(usize::MAX)).zip(0_usize..).collect();
    order.sort_unstable();
    let read = |(rank, page): (usize, &Value)| WebResult {
        title: text(&page["title"]),
        url: text(&page["fullurl"]),
        content: text(&page["extract"]),
        score: 1.0 / (rank + 1) as f64,
    };
    Some(order.into_iter().map(|(_, at)| &pages[at]).enumerate().map(read).collect())
}

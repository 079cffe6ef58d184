use super::harness::{Answer, Harness, calls, page, says};
use serde_json::{Value, json};

const JSON: &str = "application/json";

/// The result of one search call, and the request that it sent.
fn search(name: &str, arguments: Value, services: Value, answer: Vec<Answer>) -> (Value, Value) {
    let mut answers = vec![calls(&[("c1", name, arguments)])];
    answers.extend(answer);
    answers.push(says("Done."));
    let harness = Harness::with("<p>x</p>", answers, json!({ "services": services }), |_, _| {});
    harness.prompt("x");
    assert!(!harness.events().iter().any(|event| event.to_string().contains("key-secret")), "a key is shown");
    (harness.event("tool_result")["content"].clone(), harness.requests()[1].clone())
}

#[test]
fn wikipedia_is_the_default_web_service() {
    let answer = json!({ "query": { "pages": [
        { "index": 2, "title": "Teapot", "fullurl": "https://en.wikipedia.org/wiki/Teapot", "extract": "A pot." },
        { "index": 1, "title": "Tea", "fullurl": "https://en.wikipedia.org/wiki/Tea", "extract": "A drink." },
    ] } });
    let (result, request) =
        search("search_web", json!({ "query": "tea & milk" }), json!({}), vec![page(200, JSON, &answer.to_string())]);
    assert_eq!(
        result,
        json!({
            "results": [
                { "title": "Tea", "url": "https://en.wikipedia.org/wiki/Tea", "content": "A drink.", "score": 1.0 },
                { "title": "Teapot", "url": "https://en.wikipedia.org/wiki/Teapot", "content": "A pot.", "score": 0.5 },
            ],
            "totalResults": 2, "query": "tea & milk"
        })
    );
    let url = request.as_str().unwrap();
    assert!(url.starts_with("https://en.wikipedia.org/w/api.php?"), "{url}");
    assert!(url.contains("gsrsearch=tea%20%26%20milk&gsrlimit=5&") && url.ends_with("&origin=*"), "{url}");
}

#[test]
fn wikipedia_returns_no_results_without_a_query() {
    let (result, _) =
        search("search_web", json!({ "query": "x" }), json!({}), vec![page(200, JSON, r#"{"batchcomplete":true}"#)]);
    assert_eq!(result, json!({ "results": [], "totalResults": 0, "query": "x" }));
}

#[test]
fn tavily_is_requested_by_post_with_its_key() {
    let services =
        json!({ "web": { "provider": "tavily", "apiKey": "key-secret", "baseUrl": "https://proxy.example/tavily/" } });
    let answer = json!({ "results": [{ "title": "T", "url": "https://a.example", "content": "c", "score": 0.9, "raw_content": null }] });
    let (result, request) = search(
        "search_web",
        json!({ "query": "tea", "maxResults": "2" }),
        services,
        vec![page(200, JSON, &answer.to_string())],
    );
    assert_eq!(result["results"], json!([{ "title": "T", "url": "https://a.example", "content": "c", "score": 0.9 }]));
    assert_eq!(request, json!({ "query": "tea", "max_results": 2 }));
}

#[test]
fn openverse_is_the_default_image_service_and_returns_author_and_licence() {
    let answer = json!({ "results": [
        { "title": "Cup", "url": "https://pics.example/cup.jpg", "thumbnail": "https://api.openverse.org/t/1", "creator": "Ann",
          "creator_url": "https://pics.example/ann", "license": "by-sa", "license_version": "4.0",
          "license_url": "https://creativecommons.org/licenses/by-sa/4.0/", "foreign_landing_url": "https://pics.example/1" },
        { "title": "Bad", "url": "javascript:alert(1)" },
    ] });
    let (result, request) =
        search("search_image", json!({ "keywords": "tea cup" }), json!({}), vec![page(200, JSON, &answer.to_string())]);
    assert_eq!(
        result,
        json!({
            "images": [{
                "url": "https://pics.example/cup.jpg", "thumbnailUrl": "https://api.openverse.org/t/1", "description": "Cup",
                "author": "Ann", "authorUrl": "https://pics.example/ann", "license": "CC BY-SA 4.0",
                "licenseUrl": "https://creativecommons.org/licenses/by-sa/4.0/", "sourceUrl": "https://pics.example/1"
            }],
            "totalImages": 1, "keywords": "tea cup"
        })
    );
    assert_eq!(request, "https://api.openverse.org/v1/images/?q=tea%20cup&page_size=3");
}

#[test]
fn unsplash_is_requested_with_its_key() {
    let services = json!({ "images": { "provider": "unsplash", "apiKey": "key-secret" } });
    let answer = json!({ "total": 1, "results": [{
        "alt_description": "a cup", "description": null, "urls": { "regular": "https://images.example/r", "small": "https://images.example/t", "thumb": "https://images.example/tiny" },
        "user": { "name": "Bo", "links": { "html": "https://unsplash.com/@bo" } }, "links": { "html": "https://unsplash.com/photos/1" }
    }] });
    let (result, request) = search(
        "search_image",
        json!({ "keywords": "cup", "count": 1 }),
        services,
        vec![page(200, JSON, &answer.to_string())],
    );
    assert_eq!(result["images"][0]["url"], "https://images.example/r");
    assert_eq!(result["images"][0]["thumbnailUrl"], "https://images.example/t");
    assert_eq!(result["images"][0]["author"], "Bo");
    assert_eq!(request, "https://api.unsplash.com/search/photos?query=cup&per_page=1");
}

#[test]
fn a_service_without_its_key_is_an_error_that_names_the_setting() {
    for (tool, arguments, services, service, setting) in [
        (
            "search_web",
            json!({ "query": "x" }),
            json!({ "web": { "provider": "tavily", "apiKey": "" } }),
            "Tavily",
            "services.web.apiKey",
        ),
        (
            "search_image",
            json!({ "keywords": "x" }),
            json!({ "images": { "provider": "unsplash", "apiKey": null } }),
            "Unsplash",
            "services.images.apiKey",
        ),
    ] {
        let (result, _) = search(tool, arguments, services, vec![]);
        assert_eq!(result["error"]["code"], "missing_key");
        let message = result["error"]["message"].as_str().unwrap();
        assert!(message.contains(service) && message.contains(setting), "{message}");
    }
}

#[test]
fn a_failing_service_is_reported_to_the_model() {
    let ask =
        |answer| search("search_web", json!({ "query": "x" }), json!({}), vec![answer]).0["error"]["code"].clone();
    assert_eq!(ask(page(500, "text/plain", "oops")), "service_error");
    assert_eq!(ask(page(200, JSON, r#"{"error":{"code":"ratelimited","info":"Slow down"}}"#)), "service_error");
    assert_eq!(ask(page(200, "text/html", "<html>")), "service_answer");
    assert_eq!(ask(page(200, JSON, r#"{"query":{"pages":7}}"#)), "service_answer");
    assert_eq!(ask(Answer::Fails(copydesk_base::Error::Offline)), "offline");
    assert_eq!(ask(Answer::Hangs), "timeout");
}

#[test]
fn counts_out_of_range_are_errors_with_the_range() {
    for (tool, arguments, range) in [
        ("search_web", json!({ "query": "x", "maxResults": 11 }), "1–10"),
        ("search_web", json!({ "query": "x", "maxResults": 0 }), "1–10"),
        ("search_image", json!({ "keywords": "x", "count": 6 }), "1–5"),
    ] {
        let (result, _) = search(tool, arguments, json!({}), vec![]);
        assert!(result["error"]["message"].as_str().unwrap().contains(range), "{result}");
    }
}

#[test]
fn a_key_repeated_by_a_service_is_redacted() {
    let services = json!({ "web": { "provider": "tavily", "apiKey": "key-secret" } });
    let echo = page(401, JSON, r#"{"detail":{"error":"key key-secret is invalid"}}"#);
    let (result, _) = search("search_web", json!({ "query": "x" }), services, vec![echo]);
    assert!(result["error"]["message"].as_str().unwrap().contains("key … is invalid"), "{result}");
}

#[test]
fn a_key_that_is_invalid_in_a_header_is_named() {
    let services = json!({ "web": { "provider": "tavily", "apiKey": "钥匙" } });
    let (result, _) = search("search_web", json!({ "query": "x" }), services, vec![]);
    assert_eq!(result["error"]["code"], "config");
}

#[test]
fn an_empty_query_is_not_sent() {
    for (tool, arguments) in [("search_web", json!({ "query": " " })), ("search_image", json!({ "keywords": "" }))] {
        let (result, _) = search(tool, arguments, json!({}), vec![]);
        assert_eq!(result["error"]["code"], "missing_parameter");
    }
}

#[test]
fn the_query_of_a_proxy_url_is_preserved() {
    let services = json!({ "images": { "provider": "openverse", "baseUrl": "https://proxy.example/pics/?proxy=x" } });
    let (_, request) = search(
        "search_image",
        json!({ "keywords": "cup", "count": 1 }),
        services,
        vec![page(200, JSON, r#"{"results":[]}"#)],
    );
    assert_eq!(request, "https://proxy.example/pics/images/?q=cup&page_size=1&proxy=x");
}

#[test]
fn a_key_in_a_proxy_url_repeated_by_a_service_is_redacted() {
    let services =
        json!({ "web": { "provider": "wikipedia", "baseUrl": "https://proxy.example?api_key=key-secret-2" } });
    let said = json!({ "error": { "info": "bad key key-secret-2" } }).to_string();
    let (result, _) = search("search_web", json!({ "query": "x" }), services, vec![page(400, JSON, &said)]);
    assert!(result["error"]["message"].as_str().unwrap().contains("bad key …"), "{result}");
}

/// An answer of SearXNG; its README names the source.
const SEARXNG: &str = include_str!("../../../../tests/fixtures/searxng/search.json");

#[test]
fn searxng_is_requested_without_a_key_at_its_base_url() {
    let services = json!({ "web": { "provider": "searxng", "baseUrl": "https://search.example/sx/" } });
    let (result, request) =
        search("search_web", json!({ "query": "tea & milk" }), services, vec![page(200, JSON, SEARXNG)]);
    assert_eq!(request, "https://search.example/sx/search?q=tea%20%26%20milk&format=json");
    assert_eq!(
        result,
        json!({
            "results": [
                { "title": "Tea", "url": "https://en.wikipedia.org/wiki/Tea",
                  "content": "An aromatic beverage from the leaves of the tea plant.", "score": 1.0 },
                { "title": "Brewing tea", "url": "https://tea.example/brewing?temperature=80&minutes=3",
                  "content": "Green tea at 80 °C, for three minutes. 🍵", "score": 0.0625 },
            ],
            "totalResults": 2, "query": "tea & milk"
        })
    );
}

#[test]
fn searxng_gives_no_more_results_than_asked_for() {
    let services = json!({ "web": { "provider": "searxng", "baseUrl": "https://search.example" } });
    let asked = json!({ "query": "tea", "maxResults": 1 });
    let (result, _) = search("search_web", asked, services, vec![page(200, JSON, SEARXNG)]);
    assert_eq!(result["totalResults"], 1);
}

#[test]
fn a_failing_searxng_is_reported_to_the_model() {
    let ask = |answer| {
        let services = json!({ "web": { "provider": "searxng", "baseUrl": "https://search.example" } });
        search("search_web", json!({ "query": "x" }), services, vec![answer]).0["error"]["code"].clone()
    };
    assert_eq!(ask(page(403, "text/html", "<h1>Forbidden</h1>")), "service_error", "the JSON format is off");
    assert_eq!(ask(page(400, JSON, r#"{"error":"search error"}"#)), "service_error");
    assert_eq!(ask(page(200, "text/html", "<html>")), "service_answer");
    assert_eq!(ask(page(200, JSON, r#"{"query":"x"}"#)), "service_answer");
}

#[test]
fn searxng_without_a_base_url_is_a_config_error_that_names_the_setting() {
    for web in [json!({ "provider": "searxng" }), json!({ "provider": "searxng", "baseUrl": " " })] {
        let harness = Harness::with("<p>x</p>", vec![], json!({ "services": { "web": web } }), |_, _| {});
        let error = harness.prompt("x").error.unwrap();
        assert_eq!(error["code"], "config");
        assert!(error["message"].as_str().unwrap().contains("services.web.baseUrl"), "{error}");
        assert!(harness.requests().is_empty());
    }
}

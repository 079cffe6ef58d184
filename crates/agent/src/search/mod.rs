//! Where the search tools ask: one file a service, each a pair of pure functions (what to ask, how to read the
//! answer); this file sends the question.
//!
//! Two services need no key and allow any page to ask them: Wikipedia for the web, Openverse for pictures. The
//! others are used when they are configured, and every one takes a `baseUrl`, because some providers want
//! browsers to go through a proxy.

mod openverse;
mod tavily;
mod unsplash;
mod wikipedia;

use crate::Error;
use copydesk_base::error::excerpt;
use copydesk_base::fields::{Reading, must_be};
use copydesk_base::fields::{object, object_of_given};
use copydesk_base::host::{Clock, Fetch, Request, read_to_end, within};
use copydesk_base::locale::Locale;
use copydesk_base::secrets::Secrets;
use serde_json::Value;

/// The longest that a search may take, in milliseconds.
pub const SEARCH_TIMEOUT_MS: u64 = 30_000;
/// The longest answer that is read, in bytes.
const LONGEST_ANSWER: usize = 4_000_000;

/// Which services the search tools use. Keys are in here: never print it.
#[derive(Clone, Default)]
pub struct Services {
    /// Searches for pages.
    pub web: WebService,
    /// Searches for pictures.
    pub images: ImageService,
}

impl Services {
    /// Adds the keys that are in use.
    pub fn add_secrets(&self, secrets: &Secrets) {
        [self.web.key(), self.images.key()].into_iter().flatten().for_each(|key| secrets.add(key));
    }
}

/// A service that finds pages.
#[derive(Clone)]
pub enum WebService {
    /// Wikipedia's search, in the language of the locale unless a `baseUrl` says otherwise.
    Wikipedia {
        /// The address before `/w/api.php`.
        base_url: Option<String>,
    },
    /// Tavily, which needs a key.
    Tavily {
        /// The key.
        api_key: Option<String>,
        /// The address before `/search`.
        base_url: Option<String>,
    },
}

impl WebService {
    fn key(&self) -> Option<&str> {
        match self {
            WebService::Wikipedia { .. } => None,
            WebService::Tavily { api_key, .. } => api_key.as_deref(),
        }
    }
}

impl ImageService {
    fn key(&self) -> Option<&str> {
        match self {
            ImageService::Openverse { .. } => None,
            ImageService::Unsplash { api_key, .. } => api_key.as_deref(),
        }
    }
}

impl Default for WebService {
    fn default() -> Self {
        WebService::Wikipedia { base_url: None }
    }
}

/// A service that finds pictures.
#[derive(Clone)]
pub enum ImageService {
    /// Openverse: openly licensed pictures.
    Openverse {
        /// The address before `/images/`.
        base_url: Option<String>,
    },
    /// Unsplash, which needs a key.
    Unsplash {
        /// The access key.
        api_key: Option<String>,
        /// The address before `/search/photos`.
        base_url: Option<String>,
    },
}

impl Default for ImageService {
    fn default() -> Self {
        ImageService::Openverse { base_url: None }
    }
}

impl TryFrom<Value> for Services {
    type Error = String;

    fn try_from(value: Value) -> Result<Services, String> {
        let mut fields = Reading::of(value);
        let services = Services {
            web: fields.nested("web").unwrap_or_default(),
            images: fields.nested("images").unwrap_or_default(),
        };
        fields.end(services)
    }
}

impl TryFrom<Value> for WebService {
    type Error = String;

    fn try_from(value: Value) -> Result<WebService, String> {
        let mut fields = Reading::of(value);
        let (base_url, api_key) = (fields.optional("baseUrl"), fields.optional("apiKey"));
        let service = match fields.required::<String>("provider").as_str() {
            "wikipedia" => WebService::Wikipedia { base_url },
            "tavily" => WebService::Tavily { api_key, base_url },
            _ => fields.fail(must_be("provider", "wikipedia or tavily")),
        };
        fields.end(service)
    }
}

impl TryFrom<Value> for ImageService {
    type Error = String;

    fn try_from(value: Value) -> Result<ImageService, String> {
        let mut fields = Reading::of(value);
        let (base_url, api_key) = (fields.optional("baseUrl"), fields.optional("apiKey"));
        let service = match fields.required::<String>("provider").as_str() {
            "openverse" => ImageService::Openverse { base_url },
            "unsplash" => ImageService::Unsplash { api_key, base_url },
            _ => fields.fail(must_be("provider", "openverse or unsplash")),
        };
        fields.end(service)
    }
}

/// A page that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct WebResult {
    /// Its title.
    pub title: String,
    /// Its address.
    pub url: String,
    /// A passage of it, as plain text.
    pub content: String,
    /// How well it fits, 0–1; where a service only ranks, 1 for the first and less for each further one.
    pub score: f64,
}

impl WebResult {
    /// As JSON.
    pub fn to_value(&self) -> Value {
        object(&mut [
            ("title", self.title.as_str().into()),
            ("url", self.url.as_str().into()),
            ("content", self.content.as_str().into()),
            ("score", self.score.into()),
        ])
    }
}

/// A picture that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageResult {
    /// The address of the picture itself.
    pub url: String,
    /// The address of a small version.
    pub thumbnail_url: String,
    /// What it shows.
    pub description: String,
    /// Who made it.
    pub author: String,
    /// A page about the author, or empty.
    pub author_url: String,
    /// The licence, where the service names one.
    pub license: Option<String>,
    /// The licence's text, where the service names one.
    pub license_url: Option<String>,
    /// The page that the picture comes from, where the service names one.
    pub source_url: Option<String>,
}

impl ImageResult {
    /// As JSON; what is not given is left out.
    pub fn to_value(&self) -> Value {
        object_of_given(&mut [
            ("url", self.url.as_str().into()),
            ("thumbnailUrl", self.thumbnail_url.as_str().into()),
            ("description", self.description.as_str().into()),
            ("author", self.author.as_str().into()),
            ("authorUrl", self.author_url.as_str().into()),
            ("license", self.license.as_deref().into()),
            ("licenseUrl", self.license_url.as_deref().into()),
            ("sourceUrl", self.source_url.as_deref().into()),
        ])
    }
}

/// Finds the results in an answer; none where they are not where they belong.
type Read<T> = fn(&Value) -> Option<Vec<T>>;

/// Finds pages about `query`, at most `count`.
pub async fn search_web(
    service: &WebService,
    query: &str,
    count: usize,
    locale: Locale,
    fetch: &dyn Fetch,
    clock: &dyn Clock,
) -> Result<Vec<WebResult>, Error> {
    let (name, request, read): (_, _, Read<WebResult>) = match service {
        WebService::Wikipedia { base_url } => {
            (wikipedia::NAME, wikipedia::request(base_url.as_deref(), query, count, locale), wikipedia::results)
        }
        WebService::Tavily { api_key, base_url } => (
            tavily::NAME,
            tavily::request(
                base_url.as_deref(),
                required_key(tavily::NAME, "services.web.apiKey", api_key.as_deref())?,
                query,
                count,
            ),
            tavily::results,
        ),
    };
    let mut results = read(&ask(name, request, fetch, clock).await?).ok_or_else(|| unreadable(name))?;
    results.truncate(count);
    Ok(results)
}

/// Finds pictures of `keywords`, at most `count`. Only pictures with an http(s) address are given.
pub async fn search_image(
    service: &ImageService,
    keywords: &str,
    count: usize,
    fetch: &dyn Fetch,
    clock: &dyn Clock,
) -> Result<Vec<ImageResult>, Error> {
    let (name, request, read): (_, _, Read<ImageResult>) = match service {
        ImageService::Openverse { base_url } => {
            (openverse::NAME, openverse::request(base_url.as_deref(), keywords, count), openverse::results)
        }
        ImageService::Unsplash { api_key, base_url } => {
            let key = required_key(unsplash::NAME, "services.images.apiKey", api_key.as_deref())?;
            (unsplash::NAME, unsplash::request(base_url.as_deref(), key, keywords, count), unsplash::results)
        }
    };
    let mut results = read(&ask(name, request, fetch, clock).await?).ok_or_else(|| unreadable(name))?;
    results.retain(|image| copydesk_base::host::is_http_url(&image.url));
    results.truncate(count);
    Ok(results)
}

async fn ask(service: &'static str, request: Request, fetch: &dyn Fetch, clock: &dyn Clock) -> Result<Value, Error> {
    let secrets = Secrets::default();
    secrets.add_request(&request);
    let request = fetch.admit(request).await;
    let (status, bytes) = within(clock, SEARCH_TIMEOUT_MS, service, async {
        let response = fetch.fetch(request).await?;
        Ok::<_, Error>((response.status, read_to_end(response.body, LONGEST_ANSWER).await?))
    })
    .await?;
    let said = |message: &str| excerpt(&secrets.redact(message));
    let answer: Option<Value> = std::str::from_utf8(&bytes).ok().and_then(|json| serde_json::from_str(json).ok());
    if !(200..300).contains(&status) {
        let message = answer.as_ref().and_then(service_message).unwrap_or_default();
        return Err(Error::Service { service, status, message: said(&message) });
    }
    let answer = answer.ok_or_else(|| Error::ServiceAnswer { service, reason: "it is not JSON".into() })?;
    match service_message(&answer) {
        Some(message) => Err(Error::Service { service, status, message: said(&message) }),
        None => Ok(answer),
    }
}

/// The words of an error answer: every service has its own place for them.
fn service_message(answer: &Value) -> Option<String> {
    let places = ["/error/info", "/error/message", "/detail/error", "/detail", "/errors/0", "/error", "/message"];
    places.iter().find_map(|place| answer.pointer(place)?.as_str().map(str::to_owned))
}

fn unreadable(service: &'static str) -> Error {
    Error::ServiceAnswer { service, reason: "the results are missing".into() }
}

/// The key of a service, as a header can carry it.
fn required_key<'a>(service: &'static str, setting: &'static str, key: Option<&'a str>) -> Result<&'a str, Error> {
    let key = key.map(str::trim).filter(|key| !key.is_empty()).ok_or(Error::MissingKey { service, setting })?;
    if key.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(key)
    } else {
        Err(copydesk_base::Error::Config { name: setting.into(), expected: "printable ASCII without spaces".into() }
            .into())
    }
}

/// The configured address or the service's own, without a slash at its end.
/// `rest`, a path and perhaps parameters, below the address that is configured, or a service's own. Parameters that the
/// address has come last.
fn address(configured: Option<&str>, own: &str, rest: &str) -> String {
    let base = configured.map(str::trim).filter(|url| !url.is_empty()).unwrap_or(own);
    let (path, more) = base.split_once('?').unwrap_or((base, ""));
    let sign = match (more, rest.contains('?')) {
        ("", _) => "",
        (_, true) => "&",
        (_, false) => "?",
    };
    [path.trim_end_matches('/'), rest, sign, more].concat()
}

/// A text field, or empty.
fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().trim().to_owned()
}

/// A text field, or nothing where it is missing or empty.
fn some_text(value: &Value) -> Option<String> {
    Some(text(value)).filter(|text| !text.is_empty())
}

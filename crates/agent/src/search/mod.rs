//! The services that the search tools ask.
//!
//! Each service is one file with one [`SearchService`]: its name in the settings, whether it needs a key, where it is,
//! its request, and how its results are read. The lists of a kind ([`SearchResult::SERVICES`]) are the only other place
//! that knows of it; this file sends the request.
//!
//! The first service of each list is the default. It needs no key and allows any page to ask it. Every service takes a
//! `baseUrl`, because some providers want browsers to go through a proxy.

mod openverse;
mod searxng;
mod service;
mod tavily;
mod unsplash;
mod wikipedia;

use crate::Error;
use copydesk_base::decode::one_of;
use copydesk_base::error::excerpt;
use copydesk_base::host::{Clock, Fetch, Request, is_http_url, read_to_end, within};
use copydesk_base::locale::Locale;
use copydesk_base::secrets::Secrets;
use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
pub use service::{ImageResult, Query, SearchService, WebResult};

/// The longest that a search may take, in milliseconds.
pub const SEARCH_TIMEOUT_MS: u64 = 30_000;
/// The longest answer that is read, in bytes.
const LONGEST_ANSWER: usize = 4_000_000;

/// A kind of results.
pub trait SearchResult: Sized + 'static {
    /// The setting that chooses the service, such as `services.web`.
    const SETTING: &'static str;
    /// The setting that holds its key.
    const KEY_SETTING: &'static str;
    /// The services that find results of this kind; the first is the default.
    const SERVICES: &'static [SearchService<Self>];

    /// Returns whether the model may be given the result.
    fn is_usable(&self) -> bool {
        true
    }
}

impl SearchResult for WebResult {
    const SETTING: &'static str = "services.web";
    const KEY_SETTING: &'static str = "services.web.apiKey";
    const SERVICES: &'static [SearchService<WebResult>] = &[wikipedia::SERVICE, tavily::SERVICE, searxng::SERVICE];
}

impl SearchResult for ImageResult {
    const SETTING: &'static str = "services.images";
    const KEY_SETTING: &'static str = "services.images.apiKey";
    const SERVICES: &'static [SearchService<ImageResult>] = &[openverse::SERVICE, unsplash::SERVICE];

    fn is_usable(&self) -> bool {
        is_http_url(&self.url)
    }
}

/// The services that the search tools ask. Contains keys: never print it.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct Services {
    /// Searches pages.
    pub web: ServiceSettings<WebResult>,
    /// Searches images.
    pub images: ServiceSettings<ImageResult>,
}

impl Services {
    /// Adds the keys that are in use.
    pub fn add_secrets(&self, secrets: &Secrets) {
        let keys = [self.web.used_key(), self.images.used_key()];
        keys.into_iter().flatten().for_each(|key| secrets.add(key));
    }

    /// Fails with [`copydesk_base::Error::Config`], which names the setting, if a service has no URL of its own and
    /// none is set.
    pub fn check(&self) -> Result<(), Error> {
        self.web.base_url(Locale::En)?;
        self.images.base_url(Locale::En).map(drop)
    }
}

/// A service as it is configured: `{provider, apiKey?, baseUrl?}`.
#[derive(Clone, Deserialize)]
#[serde(bound = "", from = "GivenSettings<R>")]
pub struct ServiceSettings<R: SearchResult> {
    service: &'static SearchService<R>,
    api_key: Option<String>,
    base_url: Option<String>,
}

impl<R: SearchResult> Default for ServiceSettings<R> {
    fn default() -> ServiceSettings<R> {
        ServiceSettings { service: &R::SERVICES[0], api_key: None, base_url: None }
    }
}

/// Settings as an app gives them.
#[derive(Deserialize)]
#[serde(bound = "", rename_all = "camelCase")]
struct GivenSettings<R: SearchResult> {
    provider: Provider<R>,
    base_url: Option<String>,
    api_key: Option<String>,
}

impl<R: SearchResult> From<GivenSettings<R>> for ServiceSettings<R> {
    fn from(given: GivenSettings<R>) -> ServiceSettings<R> {
        ServiceSettings { service: given.provider.0, api_key: given.api_key, base_url: given.base_url }
    }
}

/// A service, by its `provider`.
struct Provider<R: SearchResult>(&'static SearchService<R>);

impl<'de, R: SearchResult> Deserialize<'de> for Provider<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Provider<R>, D::Error> {
        let name = String::deserialize(deserializer)?;
        let names: Vec<&str> = R::SERVICES.iter().map(|service| service.provider).collect();
        let wrong = || D::Error::invalid_value(Unexpected::Str(&name), &one_of(&names).as_str());
        R::SERVICES.iter().find(|service| service.provider == name).map(Provider).ok_or_else(wrong)
    }
}

impl<R: SearchResult> ServiceSettings<R> {
    /// Returns the key, where the service uses one.
    fn used_key(&self) -> Option<&str> {
        self.api_key.as_deref().filter(|_| self.service.needs_key)
    }

    /// Returns the key as a header can carry it; empty if the service needs none.
    fn key(&self) -> Result<&str, Error> {
        let SearchService { name: service, needs_key, .. } = self.service;
        if !needs_key {
            return Ok("");
        }
        let setting = R::KEY_SETTING;
        let key = self.used_key().map(str::trim).filter(|key| !key.is_empty());
        let key = key.ok_or(Error::MissingKey { service, setting })?;
        if key.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(key)
        } else {
            Err(copydesk_base::Error::Config {
                name: setting.into(),
                expected: "printable ASCII without spaces".into(),
            }
            .into())
        }
    }

    fn base_url(&self, locale: Locale) -> Result<&str, Error> {
        let configured = self.base_url.as_deref().map(str::trim).filter(|url| !url.is_empty());
        let url = configured.or_else(|| self.service.default_url.map(|url| url(locale)));
        url.ok_or_else(|| {
            Error::Base(copydesk_base::Error::Config {
                name: format!("{}.baseUrl", R::SETTING),
                expected: format!("the URL of a {} server", self.service.name),
            })
        })
    }
}

/// Asks a service and returns at most `count` results.
///
/// # Errors
/// [`Error::MissingKey`] and [`copydesk_base::Error::Config`] if the settings are incomplete, [`Error::Service`] if the
/// service reports an error, [`Error::ServiceAnswer`] if its answer has no results, [`copydesk_base::Error::Timeout`],
/// and those of the network.
pub async fn search<R: SearchResult>(
    settings: &ServiceSettings<R>,
    words: &str,
    count: usize,
    locale: Locale,
    fetch: &dyn Fetch,
    clock: &dyn Clock,
) -> Result<Vec<R>, Error> {
    let service = settings.service;
    let query = Query { words, count, key: settings.key()?, base_url: settings.base_url(locale)? };
    let answer = ask(service.name, (service.request)(&query), fetch, clock).await?;
    let missing = || Error::ServiceAnswer { service: service.name, reason: "the results are missing".into() };
    let mut results = (service.results)(&answer).ok_or_else(missing)?;
    results.retain(R::is_usable);
    results.truncate(count);
    Ok(results)
}

/// Sends a request and returns its JSON answer. Keys of the request are redacted in errors.
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

/// Returns the message of an error answer; each service has it in another place.
fn service_message(answer: &Value) -> Option<String> {
    let places = ["/error/info", "/error/message", "/detail/error", "/detail", "/errors/0", "/error", "/message"];
    places.iter().find_map(|place| answer.pointer(place)?.as_str().map(str::to_owned))
}

//! The page's parser of Markdown, which the JS package loads when it is first needed.

use super::promise::settled;
use super::value::reason;
use copydesk_base::host::LocalFuture;
use copydesk_edit::Error;
use copydesk_edit::error::MarkdownLimit;
use copydesk_edit::markdown::Markdown;
use js_sys::Function;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

thread_local! {
    static PARSER: RefCell<Option<Rc<PageMarkdown>>> = const { RefCell::new(None) };
}

#[wasm_bindgen]
extern "C" {
    /// The error of the parser beyond a limit; it may throw other values as well.
    type BeyondLimit;
    #[wasm_bindgen(method, getter, catch)]
    fn work(this: &BeyondLimit) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn characters(this: &BeyondLimit) -> Result<JsValue, JsValue>;
}

/// The functions of the JS package.
struct PageMarkdown {
    /// Converts Markdown to HTML; undefined while nothing is loaded. Throws an object with `work` or `characters`
    /// beyond a limit.
    to_html: Function,
    /// Loads the parser. Returns a promise.
    load: Function,
}

/// Sets the functions of the JS package, once, after the start of the module.
#[wasm_bindgen(js_name = useMarkdown)]
pub fn use_markdown(to_html: Function, load: Function) {
    PARSER.with(|parser| parser.replace(Some(Rc::new(PageMarkdown { to_html, load }))));
}

/// Returns the parser, if the JS package has set one.
pub(super) fn page_markdown() -> Option<Rc<dyn Markdown>> {
    let parser = PARSER.with(|parser| parser.borrow().clone())?;
    Some(parser)
}

impl Markdown for PageMarkdown {
    fn to_html(&self, markdown: &str) -> Result<Option<String>, Error> {
        let html = self.to_html.call1(&JsValue::UNDEFINED, &markdown.into()).map_err(|thrown| {
            let beyond: &BeyondLimit = thrown.unchecked_ref();
            let number = |number: Result<JsValue, JsValue>| number.ok()?.as_f64().map(|number| number as usize);
            let limit = number(beyond.work()).map(|_| MarkdownLimit::Work);
            let limit = limit.or_else(|| number(beyond.characters()).map(MarkdownLimit::Html));
            match limit {
                Some(limit) => Error::MarkdownTooLarge { length: markdown.len(), limit },
                None => Error::MarkdownFailed { reason: reason(&thrown) },
            }
        })?;
        Ok(html.as_string())
    }

    fn load(&self) -> LocalFuture<'_, Result<(), Error>> {
        Box::pin(async {
            let failed = |thrown: JsValue| Error::MarkdownNotLoaded { reason: Some(reason(&thrown)) };
            let promise = self.load.call0(&JsValue::UNDEFINED).map_err(failed)?;
            settled(promise).await.map(drop).map_err(failed)
        })
    }
}

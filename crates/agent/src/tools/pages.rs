//! The tool that reads on in a result that was too long to be shown at once.

use super::paging::{Budget, Pages, Piece, READ_MORE};
use super::{Manner, Shows, Tool, ToolContext, ToolFuture, ToolOutput};
use crate::Error;
use copydesk_base::arguments::{self, Arguments, Param, Params};
use copydesk_base::locale::Locale;
use copydesk_llm::ToolSpec;
use serde_json::Value;
use std::cell::RefCell;
use std::future::ready;
use std::rc::Rc;

struct ReadMore {
    id: String,
    offset: Option<i64>,
}

impl Params for ReadMore {
    const PARAMS: &'static [Param] = &[Param::string("id").required(), Param::integer("offset")];

    fn take(given: &mut Arguments) -> ReadMore {
        ReadMore { id: given.text("id").unwrap_or_default(), offset: given.integer("offset") }
    }
}

/// `read_more{id, offset?}` → the text from that character on, and how to read on where there is more.
pub fn read_more(locale: Locale, pages: Rc<RefCell<Pages>>, budget: Budget) -> Tool {
    let description = locale.pick(
        "Read on where a result was too long and ends in a mark that names this tool. Only if you need the rest.",
        "当某个结果过长、结尾标明要用本工具时，继续读取其余部分。仅在确实需要时调用。",
    );
    let parameters = [
        ("id", locale.pick("The page, as the mark names it.", "标记中给出的 id。")),
        (
            "offset",
            locale.pick(
                "The character to begin with, as the mark names it. Default: the first.",
                "起始字符，以标记中给出的为准，默认从头开始。",
            ),
        ),
    ];
    let mut schema = arguments::schema(ReadMore::PARAMS);
    arguments::describe(&mut schema, &parameters);
    let run = move |given: Value, context: ToolContext| -> ToolFuture {
        let read = piece(&given, &pages.borrow(), budget, context.locale);
        Box::pin(ready(read.map(|Piece { shown, piece, evidence, .. }| {
            context.shows.replace(evidence.map(|evidence| Shows { evidence, pieces: vec![piece] }));
            ToolOutput { content: shown.into(), ..ToolOutput::default() }
        })))
    };
    let spec = ToolSpec { name: READ_MORE.to_owned(), description: description.to_owned(), parameters: schema };
    // Whose text it is, is known when a page is read, and strangers' may be among them.
    Tool { spec, run: Rc::new(run), manner: Manner { untrusted: true, ..Manner::default() } }
}

/// What a call with these arguments gives.
///
/// # Errors
/// As [`Pages::read`].
pub fn read(given: &Value, pages: &Pages, budget: Budget, locale: Locale) -> Result<String, Error> {
    Ok(piece(given, pages, budget, locale)?.shown)
}

fn piece(given: &Value, pages: &Pages, budget: Budget, locale: Locale) -> Result<Piece, Error> {
    let given: ReadMore = arguments::read(READ_MORE, given)?;
    let offset = given.offset.unwrap_or(0);
    let offset = usize::try_from(offset).map_err(|_| {
        Error::Base(copydesk_base::Error::InvalidParameter {
            name: "offset".into(),
            given: offset.to_string(),
            expected: "integer from 0".into(),
        })
    })?;
    pages.read(&given.id, offset, budget, locale)
}

//! What each error says, in both languages: what was wrong, what is valid, and the way out.

use super::Error;
use super::words::{allowed_part, allowed_sources, cors_help, dropped_in_words};
use crate::locale::Locale;

impl Error {
    pub(super) fn english(&self) -> String {
        match self {
            Error::TooDeep { limit } => {
                format!("The content nests deeper than {limit} levels. Flatten it and try again.")
            }
            Error::TooLarge { length, limit } => {
                format!("The input has {length} bytes; at most {limit} are accepted. Split it and try again.")
            }
            Error::InvalidDocument { reason } => format!("This is not a document of the schema: {reason}."),
            Error::UnknownType { name } => {
                format!(
                    "The schema has no node or mark named \"{name}\". Pass the editor's schema along with the document."
                )
            }
            Error::InvalidSchema { reason } => format!("The schema cannot be read: {reason}."),
            Error::MissingParameter { call, name } => format!("{call} needs the parameter {name}. Call again with it."),
            Error::InvalidParameter { name, given, expected } => {
                format!("{name} is {given}; it must be {expected}. Call again with a valid value.")
            }
            Error::UnknownOperation { given, valid } => {
                format!("There is no operation \"{given}\". The operations are {}.", valid.join(", "))
            }
            Error::SectionOutOfRange { index, valid: None, operation } => format!(
                "sectionIndex {index} is out of range: the document has no section that {operation} takes. Write one first with update_section append."
            ),
            Error::SectionOutOfRange { index, valid: Some((first, last)), operation } => format!(
                "sectionIndex {index} is out of range: {operation} takes sections {first}–{last}. Call get_document for the present outline."
            ),
            Error::Stale { index, now } => match &now.section {
                None => format!(
                    "Section {index} is gone: the person changed the document meanwhile. The outline of now comes with this error; call again with an index of it."
                ),
                Some((now, title, content)) => format!(
                    "Section {index} was changed by the person since you read it, so nothing was done. It is now Section {now} '{title}': {content} — Keep what they wrote and call again."
                ),
            },
            Error::StaleLines { first, last, now } => format!(
                "Lines {first}–{last} were changed since you read them, by the person or by an earlier call, so nothing was done. They are now:\n{now}\nKeep what was written and call again with these numbers."
            ),
            Error::LineOutOfRange { start, end, total } => match total {
                0 => format!("Lines {start}–{end} are out of range: the document has no lines."),
                _ => format!(
                    "Lines {start}–{end} are out of range: the document has lines 1–{total}, and start_line is not after end_line."
                ),
            },
            Error::OverlappingEdits { first, second } => format!(
                "The edits of lines {}–{} and {}–{} overlap, so nothing was done. Make one edit of them.",
                first.0, first.1, second.0, second.1
            ),
            Error::LinesNotShown { first, last } => format!(
                "Lines {first}–{last} were not shown to you with their numbers. Read them with read_lines, then edit them."
            ),
            Error::UnknownVersion { given, valid } => format!(
                "Version {given} is not known any more. Known: {}. Read the lines again with read_lines and use their numbers.",
                if valid.is_empty() { "none".to_owned() } else { valid.join(", ") }
            ),
            Error::TextNotFound { old, nearest } => format!(
                "\"{old}\" does not stand in any line. The nearest lines are:{}\nGive the text exactly as it stands in one line.",
                rows(nearest)
            ),
            Error::TextAmbiguous { old, count, places } => format!(
                "\"{old}\" stands in {count} places, so nothing was done:{}\nGive near_line, more of the text, or all: true.",
                rows(places)
            ),
            Error::UnknownHunk { given, valid } => format!(
                "No hunk \"{given}\" waits for a decision. {}",
                if valid.is_empty() { "None does.".into() } else { format!("Those that do are {}.", valid.join(", ")) }
            ),
            Error::UnknownTurn { given, valid } => format!(
                "There is no turn \"{given}\" to take back. {}",
                if valid.is_empty() { "There is none.".into() } else { format!("There are {}.", valid.join(", ")) }
            ),
            Error::InvalidUrl { name, given } => format!(
                "{name} \"{given}\" is not an http(s) address. Search for an image first with search_image and use a url from its results."
            ),
            Error::UnsafeUrl { name, given, fault } => format!(
                "{name} holds \"{given}\", and an address with {fault} is never written, so nothing was changed. Use an http(s) address, or leave it out."
            ),
            Error::UrlNotAllowed { picture, given, hosts, agent } => format!(
                "The {} \"{given}\" leads where it is not allowed to, so nothing was changed. {}",
                if *picture { "picture" } else { "link" },
                allowed_sources(*picture, hosts, *agent, Locale::En)
            ),
            Error::OutOfScope { sections, lines } => format!(
                "The edit reaches out of what may be changed, so nothing was done. {} Edit only there, or say that the task needs more.",
                allowed_part(sections, *lines, Locale::En)
            ),
            Error::Locked { index, title } => format!(
                "Section {index} '{title}' is locked, so nothing was done: it keeps its text and its heading, and no section begins inside it. Edit another section, or put a new one before or after it."
            ),
            Error::WouldDrop { dropped } => format!(
                "The edit would drop {}, so nothing was done. Write it again with these in it; where they are to go, call again with confirmDrop: true.",
                dropped_in_words(dropped, Locale::En)
            ),
            Error::MarkdownNotLoaded { reason: None } => {
                "The content is Markdown, and the parser for it is not loaded. Await loadMarkdown() once, or give HTML; format: \"text\" takes every sign as it is.".into()
            }
            Error::MarkdownNotLoaded { reason: Some(reason) } => {
                format!("The content is Markdown, and the parser for it could not be loaded: {reason}. Write HTML instead.")
            }
            Error::NotInSchema { what } => {
                format!("The editor's schema has no place for {what}, so nothing was changed. Use other content.")
            }
            Error::EditorRefused { reason } => {
                format!(
                    "The editor did not take the change ({reason}); the document is as it was. Read it again and retry."
                )
            }
            Error::EditorDestroyed => {
                "The editor has been closed, and its document with it: nothing can be read or written any more.".into()
            }
            Error::UnknownTool { name, valid } => {
                format!("There is no tool \"{name}\". The tools are {}.", valid.join(", "))
            }
            Error::PageGone { given, valid } => format!(
                "\"{given}\" is not kept: only the newest long results are. {}Call the tool again whose result it was.",
                if valid.is_empty() { String::new() } else { format!("Kept are {}. ", valid.join(", ")) }
            ),
            Error::InvalidArguments { reason } => {
                format!(
                    "The arguments are not a JSON object: {reason}. The call did not run; send it again with valid JSON."
                )
            }
            Error::ArgumentsCutOff => {
                "The arguments were cut off, so the call did not run. Send it again, in smaller pieces if it was long."
                    .into()
            }
            Error::MissingKey { service, setting } => {
                format!(
                    "{service} is configured but has no key. Set {setting}, or remove {service} to use the free default."
                )
            }
            Error::Service { service, status, message } => format!(
                "{service} answered with status {status}{}. {}",
                quoted(message),
                if matches!(status, 401 | 403) { "Check its key." } else { "Try again later or go on without it." }
            ),
            Error::ServiceAnswer { service, reason } => {
                format!(
                    "{service} gave an answer that cannot be read: {reason}. Check its baseUrl, or go on without it."
                )
            }
            Error::Offline => "You are offline. Reconnect and try again.".into(),
            Error::Blocked { origin } => format!(
                "{origin} is there, but this browser may not read its answer (CORS). {}",
                cors_help(origin, Locale::En)
            ),
            Error::Unreachable { origin } => {
                format!("{origin} cannot be reached. Check the address, and that the server is running.")
            }
            Error::FetchFailed { reason } => {
                format!("The request failed: {reason}. Check the fetch function of this app.")
            }
            Error::Timeout { what, ms } => {
                format!("No answer from {what} within {} s. Try again; what was already written is kept.", seconds(*ms))
            }
            Error::Aborted => "Stopped. What was already written is kept.".into(),
            Error::Unauthorized { status, message } => {
                format!(
                    "The provider refused the key (status {status}{}). Check the API key in the settings.",
                    quoted(message)
                )
            }
            Error::ModelNotFound { model, message } => format!(
                "The provider has no model {}for this key{}. Check the model's name in the settings.",
                if model.is_empty() { String::new() } else { format!("\"{model}\" ") },
                quoted(message)
            ),
            Error::NotFound { url, message } => format!(
                "Nothing answers at {url}{}. Check the base URL (it mostly ends in /v1) and the model's name.",
                quoted(message)
            ),
            Error::RateLimited { message } => {
                format!("The provider limits how often it is asked{}. Wait a little, then try again.", quoted(message))
            }
            Error::QuotaExceeded { message } => format!(
                "The balance or quota at the provider is used up{}. Top it up there, or use another key.",
                quoted(message)
            ),
            Error::Overloaded { message } => format!(
                "The provider has too much to do at the moment{}. Try again soon, or use another model.",
                quoted(message)
            ),
            Error::ContextOverflow { message } => format!(
                "The conversation is longer than this model takes{}. Begin a new one, or use a model with a larger window.",
                quoted(message)
            ),
            Error::BadRequest { status, message } => {
                format!(
                    "The provider refused the request (status {status}{}). Check the model's name and settings.",
                    quoted(message)
                )
            }
            Error::ServerError { status, message } => {
                format!("The provider failed (status {status}{}). Try again in a moment.", quoted(message))
            }
            Error::NotAStream { content_type, .. } => format!(
                "The address answered with {} instead of a stream. Check the base URL (it mostly ends in /v1).",
                if content_type.is_empty() { "something else" } else { content_type }
            ),
            Error::StreamCut => {
                "The answer broke off before it was done. What was already written is kept; try again.".into()
            }
            Error::MalformedStream { reason } => {
                format!("The provider's stream cannot be read: {reason}. Try again, or use another endpoint.")
            }
            Error::Provider { message } => {
                format!("The provider reported an error{}. Try again, or use another model.", quoted(message))
            }
            Error::ContentFilter => "The provider withheld the answer (content filter). Ask in other words.".into(),
            Error::Config { name, expected } => {
                format!("The setting {name} is missing or wrong: it must be {expected}.")
            }
            Error::Busy => "The agent is still working. Wait until it is done, or stop it first.".into(),
            Error::NothingToContinue => {
                "There is nothing to go on with: the conversation ends with an answer. Prompt the agent instead.".into()
            }
            Error::NotWaiting { given, valid } => format!(
                "No call \"{given}\" waits for a yes. {}",
                if valid.is_empty() { "None does.".into() } else { format!("Those that do are {}.", valid.join(", ")) }
            ),
            Error::HookFailed { hook, message } => {
                format!("The app's {hook} failed: {message}. Check that function of this app.")
            }
            Error::ToolFailed { tool, message } => {
                format!("{tool} failed: {message}. Call it again in another way, or go on without it.")
            }
            Error::ToolBlocked { tool, reason } => format!(
                "This app did not let {tool} run{}. Do not call it again in this way; go on without it and say so.",
                quoted(reason)
            ),
            Error::Rejected { tool, reason } => format!(
                "The person did not let {tool} run{}. Do not try it again; ask what they want instead.",
                quoted(reason)
            ),
            Error::NotRun => {
                "This call did not run: the person stopped before. Make it again if it is still needed.".into()
            }
            Error::MaybeRan { tool } => format!(
                "The person stopped while {tool} was running: it may or may not have done its work. Look before you call it again."
            ),
            Error::RepeatedCall { tool, count } => format!(
                "{tool} was called {count} times with the same arguments and gave the same each time. Do something else, or say what is missing."
            ),
            Error::TooManyTurns { limit } => {
                format!("Stopped after {limit} turns. What was written is kept; ask again to go on.")
            }
            Error::InvalidRecording { reason } => {
                format!("This recording cannot be played: {reason}. Open a file that copydesk has saved.")
            }
            Error::ReplayDiffers { request, what, at, recorded, given } => format!(
                "The run went another way than it was recorded, at request {request} ({what}, from byte {at} on): then \"{recorded}\", now \"{given}\". Play it with the version of copydesk that recorded it."
            ),
            Error::Internal { reason } => {
                format!("copydesk failed: {reason}. The document is kept; please report this.")
            }
        }
    }

    pub(super) fn chinese(&self) -> String {
        match self {
            Error::TooDeep { limit } => format!("内容嵌套超过 {limit} 层，请减少嵌套后重试。"),
            Error::TooLarge { length, limit } => format!("输入有 {length} 字节，最多接受 {limit} 字节，请拆分后重试。"),
            Error::InvalidDocument { reason } => format!("这不是符合 schema 的文档：{reason}。"),
            Error::UnknownType { name } => {
                format!("schema 中没有名为“{name}”的节点或标记，请连同编辑器的 schema 一起传入。")
            }
            Error::InvalidSchema { reason } => format!("无法读取 schema：{reason}。"),
            Error::MissingParameter { call, name } => format!("{call} 缺少参数 {name}，请补上后重试。"),
            Error::InvalidParameter { name, given, expected } => {
                format!("{name} 的值 {given} 无效，应为 {expected}，请改正后重试。")
            }
            Error::UnknownOperation { given, valid } => {
                format!("没有“{given}”这种操作，可用的操作：{}。", valid.join("、"))
            }
            Error::SectionOutOfRange { index, valid: None, operation } => {
                format!(
                    "sectionIndex {index} 超出范围：文档中没有可供 {operation} 使用的章节，请先用 update_section append 写入。"
                )
            }
            Error::SectionOutOfRange { index, valid: Some((first, last)), operation } => {
                format!(
                    "sectionIndex {index} 超出范围：{operation} 可用的章节为 {first}–{last}，请用 get_document 查看当前目录。"
                )
            }
            Error::Stale { index, now } => match &now.section {
                None => format!(
                    "Section {index} 已不存在：用户刚刚修改了文档。当前目录随本错误给出，请用其中的序号重新调用。"
                ),
                Some((now, title, content)) => format!(
                    "Section {index} 在你读取之后被用户修改过，因此没有执行。它现在是 Section {now} '{title}'：{content} —— 请保留用户所写的内容后重新调用。"
                ),
            },
            Error::StaleLines { first, last, now } => format!(
                "第 {first}–{last} 行在你读取之后已被用户或之前的调用修改，因此没有执行。现在的内容是：\n{now}\n请保留已写的内容，并用这些行号重新调用。"
            ),
            Error::LineOutOfRange { start, end, total } => match total {
                0 => format!("第 {start}–{end} 行超出范围：文档没有任何行。"),
                _ => format!("第 {start}–{end} 行超出范围：文档共有第 1–{total} 行，且 start_line 不能大于 end_line。"),
            },
            Error::OverlappingEdits { first, second } => format!(
                "第 {}–{} 行与第 {}–{} 行的修改相互重叠，因此没有执行。请合并为一次修改。",
                first.0, first.1, second.0, second.1
            ),
            Error::LinesNotShown { first, last } => {
                format!("第 {first}–{last} 行尚未带行号展示给你。请先用 read_lines 读取，再修改。")
            }
            Error::UnknownVersion { given, valid } => format!(
                "版本 {given} 已无记录，可用的版本：{}。请用 read_lines 重新读取，并使用其中的行号。",
                if valid.is_empty() { "无".to_owned() } else { valid.join("、") }
            ),
            Error::TextNotFound { old, nearest } => {
                format!("没有任何一行包含“{old}”。最接近的行是：{}\n请给出与某一行中完全一致的文字。", rows(nearest))
            }
            Error::TextAmbiguous { old, count, places } => format!(
                "“{old}”出现在 {count} 处，因此没有执行：{}\n请给出 near_line、更长的文字，或 all: true。",
                rows(places)
            ),
            Error::UnknownHunk { given, valid } if valid.is_empty() => {
                format!("没有待定的修改“{given}”；目前没有待定的修改。")
            }
            Error::UnknownHunk { given, valid } => {
                format!("没有待定的修改“{given}”，待定的有：{}。", valid.join("、"))
            }
            Error::UnknownTurn { given, valid } if valid.is_empty() => {
                format!("没有可撤销的回合“{given}”；目前没有可撤销的回合。")
            }
            Error::UnknownTurn { given, valid } => {
                format!("没有可撤销的回合“{given}”，可撤销的有：{}。", valid.join("、"))
            }
            Error::InvalidUrl { name, given } => {
                format!("{name}“{given}”不是 http(s) 地址，请先用 search_image 搜索图片，再使用结果中的 url。")
            }
            Error::UnsafeUrl { name, given, fault } => {
                format!(
                    "{name} 的值“{given}”带有 {fault}，这种地址一律不写入，文档未改动。请改用 http(s) 地址，或去掉它。"
                )
            }
            Error::UrlNotAllowed { picture, given, hosts, agent } => format!(
                "{}“{given}”指向不允许的地址，文档未改动。{}",
                if *picture { "图片" } else { "链接" },
                allowed_sources(*picture, hosts, *agent, Locale::ZhCn)
            ),
            Error::OutOfScope { sections, lines } => format!(
                "这次修改超出了允许的范围，因此没有执行。{}请只修改这一部分，或说明任务需要更大的范围。",
                allowed_part(sections, *lines, Locale::ZhCn)
            ),
            Error::Locked { index, title } => format!(
                "Section {index} '{title}' 已锁定，因此没有执行：它的内容和标题都不能改动，也不能在其中插入新章节。请修改其他章节，或在它之前、之后新增章节。"
            ),
            Error::WouldDrop { dropped } => format!(
                "这次修改会丢失{}，因此没有执行。请保留这些内容后重新调用；如果确实要去掉，请加上 confirmDrop: true 再次调用。",
                dropped_in_words(dropped, Locale::ZhCn)
            ),
            Error::MarkdownNotLoaded { reason: None } => {
                "内容是 Markdown，但其解析器尚未加载。请先 await loadMarkdown() 一次，或改用 HTML；format: \"text\" 则按纯文本写入。".into()
            }
            Error::MarkdownNotLoaded { reason: Some(reason) } => {
                format!("内容是 Markdown，但无法加载其解析器：{reason}。请改用 HTML。")
            }
            Error::NotInSchema { what } => format!("编辑器的 schema 容纳不了 {what}，文档未改动，请换用其他内容。"),
            Error::EditorRefused { reason } => {
                format!("编辑器未接受这次修改（{reason}），文档保持原样，请重新读取后再试。")
            }
            Error::EditorDestroyed => "编辑器已关闭，文档也随之关闭，无法再读取或写入。".into(),
            Error::UnknownTool { name, valid } => format!("没有名为“{name}”的工具，可用的工具：{}。", valid.join("、")),
            Error::PageGone { given, valid } => format!(
                "“{given}”没有保留：只保留最近的长结果。{}请重新调用产生该结果的工具。",
                if valid.is_empty() { String::new() } else { format!("现有：{}。", valid.join("、")) }
            ),
            Error::InvalidArguments { reason } => {
                format!("参数不是 JSON 对象：{reason}。调用未执行，请用有效的 JSON 重新发送。")
            }
            Error::ArgumentsCutOff => "参数被截断，调用未执行。请重新发送；内容较长时请分次进行。".into(),
            Error::MissingKey { service, setting } => {
                format!("已配置 {service}，但缺少密钥。请设置 {setting}，或移除 {service} 改用免费的默认服务。")
            }
            Error::Service { service, status, message } => format!(
                "{service} 返回状态 {status}{}。{}",
                quoted_zh(message),
                if matches!(status, 401 | 403) {
                    "请检查它的密钥。"
                } else {
                    "请稍后再试，或不用它继续。"
                }
            ),
            Error::ServiceAnswer { service, reason } => {
                format!("无法读懂 {service} 的回答：{reason}。请检查它的 baseUrl，或不用它继续。")
            }
            Error::Offline => "当前处于离线状态，请联网后重试。".into(),
            Error::Blocked { origin } => format!(
                "{origin} 可以连通，但浏览器无权读取它的回答（CORS）。{}",
                cors_help(origin, Locale::ZhCn)
            ),
            Error::Unreachable { origin } => format!("无法连接 {origin}，请检查地址以及服务是否已启动。"),
            Error::FetchFailed { reason } => format!("请求失败：{reason}。请检查本应用提供的 fetch 函数。"),
            Error::Timeout { what, ms } => {
                format!("{what} 在 {} 秒内没有回应，请重试；已写入的内容会保留。", seconds(*ms))
            }
            Error::Aborted => "已停止，已写入的内容会保留。".into(),
            Error::Unauthorized { status, message } => {
                format!("服务商拒绝了密钥（状态 {status}{}），请在设置中检查 API 密钥。", quoted_zh(message))
            }
            Error::ModelNotFound { model, message } => format!(
                "服务商没有此密钥可用的模型{}{}，请在设置中检查模型名称。",
                if model.is_empty() { String::new() } else { format!("“{model}”") },
                quoted_zh(message)
            ),
            Error::NotFound { url, message } => {
                format!("{url} 没有可用的接口{}，请检查 Base URL（通常以 /v1 结尾）和模型名称。", quoted_zh(message))
            }
            Error::RateLimited { message } => format!("请求过于频繁{}，请稍候再试。", quoted_zh(message)),
            Error::QuotaExceeded { message } => {
                format!("服务商处的余额或额度已用完{}，请前往充值，或换用其他密钥。", quoted_zh(message))
            }
            Error::Overloaded { message } => {
                format!("服务商目前过于繁忙{}，请稍后重试，或换用其他模型。", quoted_zh(message))
            }
            Error::ContextOverflow { message } => {
                format!("对话超出了模型的上下文长度{}，请开始新的对话，或换用上下文更长的模型。", quoted_zh(message))
            }
            Error::BadRequest { status, message } => {
                format!("服务商拒绝了请求（状态 {status}{}），请检查模型名称和设置。", quoted_zh(message))
            }
            Error::ServerError { status, message } => {
                format!("服务商出错（状态 {status}{}），请稍后重试。", quoted_zh(message))
            }
            Error::NotAStream { content_type, .. } => format!(
                "该地址返回的是{}，而不是数据流，请检查 Base URL（通常以 /v1 结尾）。",
                if content_type.is_empty() { "其他内容".into() } else { format!(" {content_type}") }
            ),
            Error::StreamCut => "回答在完成前中断了，已写入的内容会保留，请重试。".into(),
            Error::MalformedStream { reason } => format!("无法读懂服务商的数据流：{reason}。请重试，或换用其他接口。"),
            Error::Provider { message } => format!("服务商报告错误{}，请重试，或换用其他模型。", quoted_zh(message)),
            Error::ContentFilter => "服务商的内容过滤拦下了回答，请换一种说法。".into(),
            Error::Config { name, expected } => format!("设置 {name} 缺失或有误：应为 {expected}。"),
            Error::Busy => "智能体仍在工作，请等它完成，或先停止。".into(),
            Error::NothingToContinue => "没有可以继续的内容：对话以回答结束。请改用新的提示。".into(),
            Error::NotWaiting { given, valid } => format!(
                "没有等待批准的调用“{given}”。{}",
                if valid.is_empty() { "目前没有等待批准的调用。".into() } else { format!("等待批准的有：{}。", valid.join("、")) }
            ),
            Error::HookFailed { hook, message } => format!("应用的 {hook} 出错：{message}。请检查该函数。"),
            Error::ToolFailed { tool, message } => format!("{tool} 出错：{message}。请换一种方式调用，或说明情况后继续。"),
            Error::ToolBlocked { tool, reason } => {
                format!("应用不允许运行 {tool}{}。不要再以同样方式调用；说明情况后继续。", quoted(reason))
            }
            Error::Rejected { tool, reason } => {
                format!("用户不同意运行 {tool}{}。不要重试，请询问用户想要什么。", quoted(reason))
            }
            Error::NotRun => "这次调用没有运行：用户在此之前停止了。如仍需要，请重新调用。".into(),
            Error::MaybeRan { tool } => format!("用户停止时 {tool} 正在运行：它可能已经完成，也可能没有。再次调用前请先查看。"),
            Error::RepeatedCall { tool, count } => {
                format!("{tool} 已用相同参数调用 {count} 次，每次结果都相同。请换一种做法，或说明缺少什么。")
            }
            Error::TooManyTurns { limit } => {
                format!("已达到 {limit} 轮上限而停止，写入的内容会保留，可再次提问以继续。")
            }
            Error::InvalidRecording { reason } => format!("无法播放此录制文件：{reason}。请打开由 copydesk 保存的文件。"),
            Error::ReplayDiffers { request, what, at, recorded, given } => format!(
                "任务的过程与录制时不同，位于第 {request} 个请求（{what}，从第 {at} 字节起）：当时是“{recorded}”，现在是“{given}”。请使用录制时的 copydesk 版本播放。"
            ),
            Error::Internal { reason } => format!("copydesk 内部出错：{reason}。文档已保留，请报告此问题。"),
        }
    }
}

fn quoted(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {message}") }
}

fn quoted_zh(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!("：{message}") }
}

fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

fn rows(lines: &[(usize, String)]) -> String {
    lines.iter().map(|(line, text)| format!("\n{line}: {text}")).collect()
}

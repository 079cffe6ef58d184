//! What each error says in Chinese.

use super::words::{allowed_part, allowed_sources, cors_help, dropped_in_words, rows, seconds};
use super::{Error, MarkdownLimit, excerpt};
use crate::locale::Locale;

impl Error {
    pub(super) fn chinese(&self) -> String {
        match self {
            Error::TooDeep { limit } => format!("内容嵌套超过 {limit} 层，请减少嵌套后重试。"),
            Error::TooLarge { length, limit } => format!("输入有 {length} 字节，最多接受 {limit} 字节，请拆分后重试。"),
            Error::TooManyAttributes { limit } => {
                format!("HTML 中有标签的属性超过 {limit} 个，请减少属性后重试。")
            }
            Error::FullBuildNeeded => {
                "此操作需要完整构建：请用 copydesk/full 中的 full 调用 init(undefined, full)。".into()
            }
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
            Error::SectionOutOfRange { parameter, index, valid: None, operation } => {
                format!(
                    "{parameter} {index} 超出范围：文档中没有可供 {operation} 使用的章节，请先用 update_section append 写入。"
                )
            }
            Error::SectionOutOfRange { parameter, index, valid: Some((first, last)), operation } => {
                format!(
                    "{parameter} {index} 超出范围：{operation} 可用的章节为 {first}–{last}，请用 get_document 查看当前目录。"
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
            Error::SectionNotShown { index, now } => {
                let (at, title) = now.section.as_ref().map_or((*index, ""), |(at, title, _)| (*at, title));
                format!(
                    "Section {at} '{title}' 的内容尚未展示给你，因此没有执行。其当前内容和当前目录随本错误给出，请据此重新调用。"
                )
            }
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
            Error::MarkdownTooLarge { length, limit } => {
                let limit = match limit {
                    MarkdownLimit::Time(ms) => format!("解析时间会超过 {} 秒", seconds(*ms as u64)),
                    MarkdownLimit::Html(limit) => format!("转换后会超过 {limit} 个 HTML 字符"),
                };
                format!("{length} 字节的 Markdown {limit}，请改用 HTML，或拆分内容。")
            }
            Error::MarkdownFailed { reason } => {
                format!("Markdown 解析器处理该内容时出错：{}。请改用 HTML。", excerpt(reason))
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
                quoted(message),
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
            Error::Redirected { origin, target } => {
                let target = target.as_deref().unwrap_or("浏览器未透露的地址");
                format!("{origin} 重定向到 {target}，密钥和文档都没有发送过去。如果服务已迁移，请把新地址设为 base URL。")
            }
            Error::FetchFailed { reason } => format!("请求失败：{reason}。请检查本应用提供的 fetch 函数。"),
            Error::Timeout { what, ms } => {
                format!("{what} 在 {} 秒内没有回应，请重试；已写入的内容会保留。", seconds(*ms))
            }
            Error::Aborted => "已停止，已写入的内容会保留。".into(),
            Error::Unauthorized { status, message } => {
                format!("服务商拒绝了密钥（状态 {status}{}），请在设置中检查 API 密钥。", quoted(message))
            }
            Error::ModelNotFound { model, message } => format!(
                "服务商没有此密钥可用的模型{}{}，请在设置中检查模型名称。",
                if model.is_empty() { String::new() } else { format!("“{model}”") },
                quoted(message)
            ),
            Error::NotFound { url, message } => {
                format!("{url} 没有可用的接口{}，请检查 Base URL（通常以 /v1 结尾）和模型名称。", quoted(message))
            }
            Error::RateLimited { message } => format!("请求过于频繁{}，请稍候再试。", quoted(message)),
            Error::QuotaExceeded { message } => {
                format!("服务商处的余额或额度已用完{}，请前往充值，或换用其他密钥。", quoted(message))
            }
            Error::Overloaded { message } => {
                format!("服务商目前过于繁忙{}，请稍后重试，或换用其他模型。", quoted(message))
            }
            Error::ContextOverflow { message } => {
                format!("对话超出了模型的上下文长度{}，请开始新的对话，或换用上下文更长的模型。", quoted(message))
            }
            Error::BadRequest { status, message } => {
                format!("服务商拒绝了请求（状态 {status}{}），请检查模型名称和设置。", quoted(message))
            }
            Error::ServerError { status, message } => {
                format!("服务商出错（状态 {status}{}），请稍后重试。", quoted(message))
            }
            Error::NotAStream { content_type, .. } => format!(
                "该地址返回的是{}，而不是数据流，请检查 Base URL（通常以 /v1 结尾）。",
                if content_type.is_empty() { "其他内容".into() } else { format!(" {content_type}") }
            ),
            Error::StreamCut => "回答在完成前中断了，已写入的内容会保留，请重试。".into(),
            Error::MalformedStream { reason } => format!("无法读懂服务商的数据流：{reason}。请重试，或换用其他接口。"),
            Error::Provider { message } => format!("服务商报告错误{}，请重试，或换用其他模型。", quoted(message)),
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
            Error::NotRecording => "此代理没有录制，请在创建时设置 `record: true`。".into(),
            Error::ReplayDiffers { request, what, at, recorded, given } => format!(
                "任务的过程与录制时不同，位于第 {request} 个请求（{what}，从第 {at} 字节起）：当时是“{recorded}”，现在是“{given}”。请使用录制时的 copydesk 版本播放。"
            ),
            Error::Internal { reason } => format!("copydesk 内部出错：{reason}。文档已保留，请报告此问题。"),
        }
    }
}

fn quoted(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!("：{message}") }
}

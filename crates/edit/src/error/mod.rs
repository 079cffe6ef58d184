//! The errors of edits.

mod text;

use crate::guard::Part;
use crate::guard::dropped::{Dropped, list_dropped};
use copydesk_base::Locale;
use copydesk_base::error::{excerpt, seconds};
use copydesk_document::notation::Headline;
use serde_json::{Value, json};
use text::{allowed_part, allowed_sources, numbered, numbered_json, partial_content};

/// The current state of the text that a stale edit meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Now {
    /// The section that was meant: index, title and content; none where it is gone.
    pub section: Option<(usize, String, String)>,
    /// The outline.
    pub outline: Value,
}

impl Now {
    /// Returns the section that was meant, or one without title and content where it is gone.
    fn section_or(&self, index: usize) -> (usize, &str, &str) {
        self.section.as_ref().map_or((index, "", ""), |(at, title, content)| (*at, title, content))
    }
}

/// Content without lines that is not the whole of what it would replace.
#[derive(Clone, Debug, PartialEq)]
pub struct Partial {
    /// The number of lines with text that it would replace.
    pub lines: usize,
    /// The number of lines that it has.
    pub left: usize,
    /// The first and the last line that it is like.
    pub like: Option<(usize, usize)>,
    /// These lines as they are now, or the first ones.
    pub now: String,
}

/// The amount of Markdown that is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkdownLimit {
    /// As much as is parsed in so many milliseconds.
    Time(usize),
    /// As much as becomes so many characters of HTML.
    Html(usize),
}

copydesk_base::errors! {
    /// A failure to edit a document. The document is as it was before the call that returned it.
    pub enum Error {
        /// An operation that does not exist.
        UnknownOperation {
            /// The given name.
            given: String,
            /// The operations there are.
            valid: &'static [&'static str],
        } = "unknown_operation" {
            shorten: given,
            en: format!("There is no operation \"{given}\". The operations are {}.", valid.join(", ")),
            zh: format!("没有“{given}”这种操作，可用的操作：{}。", valid.join("、")),
            details: { "given": given, "valid": valid },
        }
        /// A section index that the document does not have, or that the operation does not take.
        SectionOutOfRange {
            /// The parameter that states the index.
            parameter: &'static str,
            /// The given index.
            index: i64,
            /// The first and last index that would have been accepted; none where no index is.
            valid: Option<(usize, usize)>,
            /// The operation.
            operation: &'static str,
        } = "section_out_of_range" {
            en: match valid {
                None => format!(
                    "{parameter} {index} is out of range: the document has no section that {operation} takes. Write one first with update_section append."
                ),
                Some((first, last)) => format!(
                    "{parameter} {index} is out of range: {operation} takes sections {first}–{last}. Call get_document for the present outline."
                ),
            },
            zh: match valid {
                None => format!(
                    "{parameter} {index} 超出范围：文档中没有可供 {operation} 使用的章节，请先用 update_section append 写入。"
                ),
                Some((first, last)) => format!(
                    "{parameter} {index} 超出范围：{operation} 可用的章节为 {first}–{last}，请用 get_document 查看当前目录。"
                ),
            },
            details: { "index": index, "valid": valid, "operation": operation },
        }
        /// The user changed the section that the edit refers to since the model read it.
        Stale {
            /// The section that was meant, as the model counts.
            index: usize,
            /// The current state.
            now: Box<Now>,
        } = "stale" {
            en: match &now.section {
                None => format!(
                    "Section {index} is gone: the user changed the document. The current outline is attached; call again with an index from it."
                ),
                Some((now, title, content)) => format!(
                    "Section {index} was changed by the user since you read it, so nothing was done. It is now section {now} '{title}': {content} — Keep what the user wrote and call again."
                ),
            },
            zh: match &now.section {
                None => format!(
                    "Section {index} 已不存在：用户刚刚修改了文档。当前目录随本错误给出，请用其中的序号重新调用。"
                ),
                Some((now, title, content)) => format!(
                    "Section {index} 在你读取之后被用户修改过，因此没有执行。它现在是 Section {now} '{title}'：{content} —— 请保留用户所写的内容后重新调用。"
                ),
            },
            details: { "index": index, "sections": now.outline },
        }
        /// A section whose content the model was never shown.
        SectionNotShown {
            /// The section that was meant, as the model counts.
            index: usize,
            /// The current state.
            now: Box<Now>,
        } = "section_not_shown" {
            en: {
                let (at, title, _) = now.section_or(*index);
                format!(
                    "The content of section {at} '{title}' was not shown to you, so nothing was done. Its current content and the current outline are attached; call again with what should become of it."
                )
            },
            zh: {
                let (at, title, _) = now.section_or(*index);
                format!(
                    "Section {at} '{title}' 的内容尚未展示给你，因此没有执行。其当前内容和当前目录随本错误给出，请据此重新调用。"
                )
            },
            details: ({
                let (at, title, content) = now.section_or(*index);
                json!({ "index": at, "title": title, "content": content, "sections": now.outline })
            }),
        }
        /// Lines that were changed since the model read them.
        StaleLines {
            /// The first line that was meant, as the model counts.
            first: usize,
            /// The last one.
            last: usize,
            /// The current lines, numbered.
            now: String,
        } = "stale" {
            en: format!(
                "Lines {first}–{last} were changed since you read them, by the user or by an earlier call, so nothing was done. They are now:\n{now}\nKeep what was written and call again with these numbers."
            ),
            zh: format!(
                "第 {first}–{last} 行在你读取之后已被用户或之前的调用修改，因此没有执行。现在的内容是：\n{}\n请保留已写的内容，并用这些行号重新调用。",
                Headline::translated(now, Locale::ZhCn)
            ),
            details: { "lines": [first, last], "now": now },
        }
        /// Lines that the document does not have.
        LineOutOfRange {
            /// The given first line.
            start: i64,
            /// The given last line.
            end: i64,
            /// The number of lines.
            total: usize,
        } = "line_out_of_range" {
            en: match total {
                0 => format!("Lines {start}–{end} are out of range: the document has no lines."),
                _ => format!(
                    "Lines {start}–{end} are out of range: the document has lines 1–{total}, and start_line is not after end_line."
                ),
            },
            zh: match total {
                0 => format!("第 {start}–{end} 行超出范围：文档没有任何行。"),
                _ => format!("第 {start}–{end} 行超出范围：文档共有第 1–{total} 行，且 start_line 不能大于 end_line。"),
            },
            details: { "given": [start, end], "valid": [1, total] },
        }
        /// Two edits of one call that change the same lines.
        OverlappingEdits {
            /// The lines of the one.
            first: (usize, usize),
            /// The lines of the other.
            second: (usize, usize),
        } = "overlapping_edits" {
            en: format!(
                "The edits of lines {}–{} and {}–{} overlap, so nothing was done. Make one edit of them.",
                first.0, first.1, second.0, second.1
            ),
            zh: format!(
                "第 {}–{} 行与第 {}–{} 行的修改相互重叠，因此没有执行。请合并为一次修改。",
                first.0, first.1, second.0, second.1
            ),
            details: { "first": first, "second": second },
        }
        /// Content with a line that stands for text that was left out.
        Placeholder {
            /// The line.
            text: String,
        } = "placeholder" {
            shorten: text,
            en: format!(
                "The content leaves text out (\"{text}\"), so nothing was done: it would delete that text. Give the content in full, or edit only the lines that change."
            ),
            zh: format!("内容中省略了文字（“{text}”），因此没有执行，否则这些文字会被删除。请给出完整内容，或只修改有变化的行。"),
            details: { "text": text },
        }
        /// Conflict markers whose old text is not that of the lines.
        SearchDiffers {
            /// The old text in the markers.
            searched: String,
        } = "search_differs" {
            shorten: searched,
            en: format!(
                "The text between the markers SEARCH and REPLACE (\"{searched}\") is not the text of the named lines, so nothing was done. Give only the new text of the lines, without markers."
            ),
            zh: format!("SEARCH 与 REPLACE 标记之间的文字（“{searched}”）与所指的行不同，因此没有执行。请只给出这些行的新文字，不要带标记。"),
            details: { "searched": searched },
        }
        /// Conflict markers of which some are missing.
        MarkersCutOff = "search_differs" {
            en: "The content begins with a marker SEARCH, but the markers after it are missing, so nothing was done. Give only the new text of the lines, without markers.",
            zh: "内容以 SEARCH 标记开头，但缺少其后的标记，因此没有执行。请只给出这些行的新文字，不要带标记。",
        }
        /// Content that is nearly a neighbouring line, and not at all the one that is named.
        WrongLine {
            /// The named lines.
            given: (usize, usize),
            /// The text of the first of them.
            text: String,
            /// The line that the content is like.
            line: usize,
            /// The text of that line.
            like: String,
        } = "wrong_line" {
            shorten: text,
            en: format!(
                "The content is nearly line {line} (\"{like}\") and not line {} (\"{text}\"), so nothing was done. Call again with the line that is meant.",
                given.0
            ),
            zh: format!(
                "内容与第 {line} 行（“{like}”）几乎相同，而与第 {} 行（“{text}”）不同，因此没有执行。请用所指的行号重新调用。",
                given.0
            ),
            details: { "given": given, "text": text, "line": line, "like": like },
        }
        /// A row of a table with another number of cells than the table has columns.
        ColumnCount {
            /// The number of columns that the row has.
            given: usize,
            /// The number of columns of the table.
            columns: usize,
        } = "column_count" {
            en: format!(
                "A row has {given} columns, but the table has {columns}, so nothing was done. Give each row {columns} cells, or replace all lines of the table to change its columns."
            ),
            zh: format!(
                "某一行有 {given} 列，而表格有 {columns} 列，因此没有执行。请让每一行都有 {columns} 个单元格；要改变列数，请替换表格的全部行。"
            ),
            details: { "given": given, "columns": columns },
        }
        /// A whole row of a table for lines that are only some of its cells.
        PartOfRow {
            /// The given lines.
            given: (usize, usize),
            /// The lines of the row.
            row: (usize, usize),
        } = "part_of_row" {
            en: format!(
                "Lines {}–{} are only a part of a table row, but the content is a whole row, so nothing was done. The row is lines {}–{}: name all of them, or give only the text of the named cells.",
                given.0, given.1, row.0, row.1
            ),
            zh: format!(
                "第 {}–{} 行只是表格某一行的一部分，而内容是完整的一行，因此没有执行。该行是第 {}–{} 行：请指明全部这些行，或只给出所指单元格的文字。",
                given.0, given.1, row.0, row.1
            ),
            details: { "given": given, "row": row },
        }
        /// Rows of a table that do not leave a merged cell whole.
        MergedCell {
            /// The text of the cell.
            text: String,
            /// The number of rows that it covers.
            rows: usize,
            /// The number of columns that it covers.
            columns: usize,
        } = "merged_cell" {
            shorten: text,
            en: format!(
                "The cell “{text}” covers {rows} × {columns} cells (rows × columns) of its table, but the content puts something else there, so nothing was done. Write its text in the first of these cells and leave the others empty, keep its rows together, or give the whole table as HTML with colspan and rowspan."
            ),
            zh: format!(
                "单元格“{text}”占表格的 {rows} × {columns} 格（行 × 列），而内容在其中放了别的东西，因此没有执行。请只在第一格写它的文字，其余各格留空，并让它的各行保持相邻；或用带 colspan 和 rowspan 的 HTML 给出整个表格。"
            ),
            details: { "text": text, "rows": rows, "columns": columns },
        }
        /// Lines that the model was never shown.
        LinesNotShown {
            /// The first of them.
            first: usize,
            /// The last one.
            last: usize,
        } = "lines_not_shown" {
            en: format!(
                "Lines {first}–{last} were not shown to you with their numbers. Read them with read_lines, then edit them."
            ),
            zh: format!("第 {first}–{last} 行尚未带行号展示给你。请先用 read_lines 读取，再修改。"),
            details: { "lines": [first, last] },
        }
        /// A version that is not remembered.
        UnknownVersion {
            /// The given version.
            given: String,
            /// The versions that are remembered.
            valid: Vec<String>,
        } = "unknown_version" {
            shorten: given,
            en: format!(
                "Version {given} is not known any more. Known: {}. Read the lines again with read_lines and use their numbers.",
                if valid.is_empty() { "none".to_owned() } else { valid.join(", ") }
            ),
            zh: format!(
                "版本 {given} 已无记录，可用的版本：{}。请用 read_lines 重新读取，并使用其中的行号。",
                if valid.is_empty() { "无".to_owned() } else { valid.join("、") }
            ),
            details: { "given": given, "valid": valid },
        }
        /// A text that is not in the document.
        TextNotFound {
            /// The text.
            old: String,
            /// The lines most like it, with their numbers.
            nearest: Vec<(usize, String)>,
        } = "text_not_found" {
            shorten: old,
            en: format!(
                "\"{old}\" does not stand in any line. The nearest lines are:{}\nGive the text exactly as it stands there.",
                numbered(nearest)
            ),
            zh: format!(
                "没有任何一行包含“{old}”。最接近的行是：{}\n请给出与文档中完全一致的文字。",
                numbered(nearest)
            ),
            details: { "old": old, "nearest": numbered_json(nearest) },
        }
        /// A text that is in the document more than once.
        TextAmbiguous {
            /// The text.
            old: String,
            /// The number of its occurrences.
            count: usize,
            /// The occurrences: the line, and the text around it.
            places: Vec<(usize, String)>,
        } = "text_ambiguous" {
            shorten: old,
            en: format!(
                "\"{old}\" stands in {count} places, so nothing was done:{}\nGive near_line, more of the text, or all: true.",
                numbered(places)
            ),
            zh: format!(
                "“{old}”出现在 {count} 处，因此没有执行：{}\n请给出 near_line、更长的文字，或 all: true。",
                numbered(places)
            ),
            details: { "old": old, "count": count, "places": numbered_json(places) },
        }
        /// No pending hunk has this id.
        UnknownHunk {
            /// The given id.
            given: String,
            /// The ids there are.
            valid: Vec<String>,
        } = "unknown_hunk" {
            shorten: given,
            en: format!(
                "No hunk \"{given}\" waits for a decision. {}",
                if valid.is_empty() { "None does.".into() } else { format!("Those that do are {}.", valid.join(", ")) }
            ),
            zh: if valid.is_empty() {
                format!("没有待定的修改“{given}”；目前没有待定的修改。")
            } else {
                format!("没有待定的修改“{given}”，待定的有：{}。", valid.join("、"))
            },
            details: { "given": given, "valid": valid },
        }
        /// No turn that can be taken back has this id.
        UnknownTurn {
            /// The given id.
            given: String,
            /// The ids there are.
            valid: Vec<String>,
        } = "unknown_turn" {
            shorten: given,
            en: format!(
                "There is no turn \"{given}\" to take back. {}",
                if valid.is_empty() { "There is none.".into() } else { format!("There are {}.", valid.join(", ")) }
            ),
            zh: if valid.is_empty() {
                format!("没有可撤销的回合“{given}”；目前没有可撤销的回合。")
            } else {
                format!("没有可撤销的回合“{given}”，可撤销的有：{}。", valid.join("、"))
            },
            details: { "given": given, "valid": valid },
        }
        /// A URL that is not http(s).
        InvalidUrl {
            /// The parameter.
            name: &'static str,
            /// The given URL, cut to a readable length.
            given: String,
        } = "invalid_url" {
            en: format!(
                "{name} \"{given}\" is not an http(s) address. Search for an image first with search_image and use a url from its results."
            ),
            zh: format!("{name}“{given}”不是 http(s) 地址，请先用 search_image 搜索图片，再使用结果中的 url。"),
        }
        /// A URL of a kind that is never written, such as `javascript:`.
        UnsafeUrl {
            /// The attribute.
            name: String,
            /// The given URL, cut to a readable length.
            given: String,
            /// The reason.
            fault: String,
        } = "invalid_url" {
            en: format!(
                "{name} holds \"{given}\", and an address with {fault} is never written, so nothing was changed. Use an http(s) address, or leave it out."
            ),
            zh: format!(
                "{name} 的值“{given}”带有 {fault}，这种地址一律不写入，文档未改动。请改用 http(s) 地址，或去掉它。"
            ),
            details: { "name": name, "given": given },
        }
        /// A URL to a host that the app does not allow, or one that a model made up.
        UrlNotAllowed {
            /// True if the page would load it by itself, as an image; else it is a link.
            picture: bool,
            /// The given URL, cut to a readable length.
            given: String,
            /// The allowed hosts.
            hosts: Vec<String>,
            /// True if a model wrote it.
            agent: bool,
        } = "url_not_allowed" {
            en: format!(
                "The {} \"{given}\" leads where it is not allowed to, so nothing was changed. {}",
                if *picture { "picture" } else { "link" },
                allowed_sources(*picture, hosts, *agent, Locale::En)
            ),
            zh: format!(
                "{}“{given}”指向不允许的地址，文档未改动。{}",
                if *picture { "图片" } else { "链接" },
                allowed_sources(*picture, hosts, *agent, Locale::ZhCn)
            ),
            details: { "given": given, "hosts": hosts },
        }
        /// The edit reaches out of what may be changed.
        OutOfScope {
            /// The sections that may be changed: index and title.
            sections: Vec<(usize, String)>,
            /// The first and the last line that may be changed, where the scope is no sections.
            lines: Option<(usize, usize)>,
            /// The part of these lines.
            part: Part,
        } = "out_of_scope" {
            en: format!(
                "The edit reaches out of what may be changed, so nothing was done. {} Edit only there, or say that the task needs more.",
                allowed_part(sections, *lines, part, Locale::En)
            ),
            zh: format!(
                "这次修改超出了允许的范围，因此没有执行。{}请只修改这一部分，或说明任务需要更大的范围。",
                allowed_part(sections, *lines, part, Locale::ZhCn)
            ),
            details: {
                "sections": sections.iter().map(|(index, _)| *index).collect::<Vec<_>>(),
                "lines": lines,
            },
        }
        /// The edit would change a section that the app has locked.
        Locked {
            /// The section, in the document before the edit.
            index: usize,
            /// Its title.
            title: String,
        } = "locked" {
            en: format!(
                "Section {index} '{title}' is locked, so nothing was done: it keeps its text and its heading, and no section begins inside it. Edit another section, or put a new one before or after it."
            ),
            zh: format!(
                "Section {index} '{title}' 已锁定，因此没有执行：它的内容和标题都不能改动，也不能在其中插入新章节。请修改其他章节，或在它之前、之后新增章节。"
            ),
            details: { "index": index, "title": title },
        }
        /// The edit would drop something that its author may not have meant to drop.
        WouldDrop {
            /// The content that it would drop.
            dropped: Vec<Dropped>,
        } = "would_drop" {
            en: format!(
                "The edit would drop {}, so nothing was done. Write it again with these in it; where they are to go, call again with confirmDrop: true.",
                list_dropped(dropped, Locale::En)
            ),
            zh: format!(
                "这次修改会丢失{}，因此没有执行。请保留这些内容后重新调用；如果确实要去掉，请加上 confirmDrop: true 再次调用。",
                list_dropped(dropped, Locale::ZhCn)
            ),
            details: { "dropped": dropped },
        }
        /// The edit would change something that its content does not speak of.
        WouldChangeUnsaid {
            /// The nodes, marks and attributes that would change.
            dropped: Vec<Dropped>,
        } = "would_drop" {
            en: format!(
                "The edit would also change what its content does not speak of: {}. So nothing was done. Change fewer lines at once, or write these as HTML with everything they are to have; where the change is meant, call again with confirmDrop: true.",
                list_dropped(dropped, Locale::En)
            ),
            zh: format!(
                "这次修改还会改动内容中没有提到的部分：{}，因此没有执行。请一次少改几行，或用 HTML 完整写出这些部分；如果确实要改，请加上 confirmDrop: true 再次调用。",
                list_dropped(dropped, Locale::ZhCn)
            ),
            details: { "dropped": dropped },
        }
        /// Content without lines that would delete most of the document.
        WouldDropMost {
            /// The number of lines that it would replace.
            lines: usize,
            /// The number of lines that it has.
            left: usize,
        } = "would_drop" {
            en: format!(
                "The content has {left} lines and would replace {lines}, which are most of the document, so nothing was done. To change a part, name its lines with start_line and end_line; to replace all of it, call again with whole: true."
            ),
            zh: format!(
                "内容只有 {left} 行，却会替换文档的大部分（{lines} 行），因此没有执行。如果只改一部分，请用 start_line 和 end_line 指明行号；如果确实要全部替换，请加上 whole: true 再次调用。"
            ),
            details: { "lines": lines, "left": left },
        }
        /// One of several edits names no lines.
        EditWithoutLines {
            /// Its number in the list.
            number: usize,
            /// The number of edits.
            count: usize,
        } = "invalid_parameter" {
            en: format!(
                "Edit {number} of {count} names no lines, so nothing was done. Give each of several edits its own start_line and end_line."
            ),
            zh: format!(
                "{count} 处修改中的第 {number} 处没有指明行号，因此没有执行。一次给出多处修改时，请为每一处给出 start_line 和 end_line。"
            ),
        }
        /// Content without lines that is not the whole of what it would replace.
        NotTheWhole {
            /// The content, and the lines that it is like.
            partial: Box<Partial>,
        } = "would_drop" {
            en: partial_content(partial, Locale::En),
            zh: partial_content(partial, Locale::ZhCn),
            details: { "lines": partial.lines, "left": partial.left, "like": partial.like },
        }
        /// The content is Markdown, and the parser of Markdown is not loaded.
        MarkdownNotLoaded {
            /// Why it could not be loaded, where that was tried.
            reason: Option<String>,
        } = "markdown_not_loaded" {
            en: match reason {
                None => "The content is Markdown, and the parser for it is not loaded. Await loadMarkdown() once, or give HTML; format: \"text\" takes every sign as it is.".to_owned(),
                Some(reason) => format!(
                    "The content is Markdown, and the parser for it could not be loaded: {reason}. Write HTML instead."
                ),
            },
            zh: match reason {
                None => "内容是 Markdown，但其解析器尚未加载。请先 await loadMarkdown() 一次，或改用 HTML；format: \"text\" 则按纯文本写入。".to_owned(),
                Some(reason) => format!("内容是 Markdown，但无法加载其解析器：{reason}。请改用 HTML。"),
            },
        }
        /// The content is Markdown that would take too long to parse, or become too much HTML.
        MarkdownTooLarge {
            /// The given length, in bytes.
            length: usize,
            /// The limit that it exceeds.
            limit: MarkdownLimit,
        } = "too_large" {
            en: {
                let limit = match limit {
                    MarkdownLimit::Time(ms) => format!("would take more than {} s to read", seconds(*ms as u64)),
                    MarkdownLimit::Html(limit) => format!("would become more than {limit} characters of HTML"),
                };
                format!("The {length} bytes of Markdown {limit}. Write HTML instead, or split the content.")
            },
            zh: {
                let limit = match limit {
                    MarkdownLimit::Time(ms) => format!("解析时间会超过 {} 秒", seconds(*ms as u64)),
                    MarkdownLimit::Html(limit) => format!("转换后会超过 {limit} 个 HTML 字符"),
                };
                format!("{length} 字节的 Markdown {limit}，请改用 HTML，或拆分内容。")
            },
            details: (match limit {
                MarkdownLimit::Time(ms) => json!({ "length": length, "ms": ms }),
                MarkdownLimit::Html(limit) => json!({ "length": length, "limit": limit }),
            }),
        }
        /// The parser of Markdown failed.
        MarkdownFailed {
            /// The message of the failure.
            reason: String,
        } = "markdown_failed" {
            en: format!("The parser of Markdown failed at the content: {}. Write HTML instead.", excerpt(reason)),
            zh: format!("Markdown 解析器处理该内容时出错：{}。请改用 HTML。", excerpt(reason)),
            details: { "reason": reason },
        }
        /// The editor's schema does not allow what the edit brings.
        NotInSchema {
            /// The HTML tag or node name that is not allowed.
            what: String,
        } = "not_in_schema" {
            en: format!("The editor's schema has no place for {what}, so nothing was changed. Use other content."),
            zh: format!("编辑器的 schema 容纳不了 {what}，文档未改动，请换用其他内容。"),
        }
        /// Neither a line nor a node around it has an attribute that is to be set.
        UnknownAttribute {
            /// The line.
            line: usize,
            /// The name of its type.
            kind: String,
            /// The attribute.
            given: String,
            /// The attributes that it and the nodes around it have.
            valid: Vec<String>,
        } = "unknown_attribute" {
            en: format!(
                "Line {line}, a {kind}, has no attribute '{given}', so nothing was changed. Its attributes: {}. Another kind of block is written with replace_lines or edit_current_editor_document.",
                valid.join(", ")
            ),
            zh: format!(
                "第 {line} 行（{kind}）没有属性“{given}”，文档未改动。可用的属性：{}。要改变块的类型，请用 replace_lines 或 edit_current_editor_document 重写该行。",
                valid.join("、")
            ),
            details: { "line": line, "type": kind, "given": given, "valid": valid },
        }
        /// The editor did not take the change.
        EditorRefused {
            /// The message of the editor.
            reason: String,
        } = "editor_refused" {
            en: format!(
                "The editor did not take the change ({reason}); the document is as it was. Read it again and retry."
            ),
            zh: format!("编辑器未接受这次修改（{reason}），文档保持原样，请重新读取后再试。"),
        }
        /// The editor that held the document has been destroyed.
        EditorDestroyed = "editor_destroyed" {
            en: "The editor has been closed, and its document with it: nothing can be read or written any more.",
            zh: "编辑器已关闭，文档也随之关闭，无法再读取或写入。",
        }
        /// A parameter that is not valid for the text that it is about.
        InvalidValue {
            /// The parameter.
            name: &'static str,
            /// The given value, cut to a readable length.
            given: String,
            /// The accepted values, in English and Chinese.
            expected: (String, String),
        } = "invalid_parameter" {
            en: format!("{name} is {given}; it must be {}. Call again with a valid value.", expected.0),
            zh: format!("{name} 的值 {given} 无效，应为{}，请改正后重试。", expected.1),
            details: { "name": name, "given": given, "expected": expected.0 },
        }
        /// A fault of copydesk itself.
        Internal {
            /// A description of the failure.
            reason: String,
        } = "internal" {
            en: format!("copydesk failed: {reason}. The document is kept; please report this."),
            zh: format!("copydesk 内部出错：{reason}。文档已保留，请报告此问题。"),
        }
    }
    wraps {
        /// A wrong parameter or setting.
        Base(copydesk_base),
        /// Content that cannot be read.
        Document(copydesk_document: Base),
    }
}

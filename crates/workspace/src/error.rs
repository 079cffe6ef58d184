//! The errors of files, paths and searches.
//!
//! Messages begin with the names that models know from Python: `FileNotFoundError`, `PermissionError`, `ValueError`,
//! `OSError`.

use copydesk_base::error::{excerpt, quoted};
use serde_json::{Value, json};

copydesk_base::errors! {
    /// A failure of a workspace, or a call that it refuses.
    pub enum Error {
        /// There is no such file or folder.
        FileNotFound {
            /// The path.
            path: String,
        } = "file_not_found" {
            shorten: path,
            en: format!("FileNotFoundError: the file does not exist: {path}"),
            zh: format!("FileNotFoundError: 文件不存在: {path}"),
            details: { "path": path },
        }
        /// The path leaves the workspace, or is no valid name.
        InvalidPath {
            /// The path.
            path: String,
            /// The reason, in English and Chinese; may be empty. A host gives it in its own language.
            reason: (String, String),
        } = "invalid_path" {
            shorten: path,
            en: format!("ValueError: the path is not valid: {path}{}. Use a relative path inside the workspace, with / and without .., such as chapters/ch001.md.", quoted(" — ", &excerpt(&reason.0))),
            zh: format!("ValueError: 路径无效: {path}{}。请使用工作区内的相对路径，以 / 分隔且不含 ..，例如 chapters/ch001.md。", quoted("，", &excerpt(&reason.1))),
            details: { "path": path, "reason": excerpt(&reason.0) },
        }
        /// The user or the system does not allow the access.
        PermissionDenied {
            /// The path.
            path: String,
        } = "permission_denied" {
            shorten: path,
            en: format!("PermissionError: no permission: {path}. Ask the user to allow access to the folder."),
            zh: format!("PermissionError: 没有权限: {path}。请让用户授予该文件夹的访问权限。"),
            details: { "path": path },
        }
        /// Only the user writes this file: it has rules, or belongs to a skill.
        FileProtected {
            /// The path.
            path: String,
        } = "file_protected" {
            shorten: path,
            en: format!("PermissionError: only the user writes this file: {path}. Rules and skills can be read, but not changed by you. Tell the user what you would change."),
            zh: format!("PermissionError: 该文件只由用户编写: {path}。规则和技能可以读取，但你不能修改。请告知用户你想修改的内容。"),
            details: { "path": path },
        }
        /// The file is not text, or in an encoding that is not known.
        NotText {
            /// The path.
            path: String,
        } = "not_text" {
            shorten: path,
            en: format!("ValueError: the file is not text, or in an unknown encoding: {path}. Only text files can be read and written."),
            zh: format!("ValueError: 文件不是文本，或编码未知: {path}。只能读写文本文件。"),
            details: { "path": path },
        }
        /// The encoding of the file does not have some characters of the text.
        NotEncodable {
            /// The path.
            path: String,
            /// The encoding.
            encoding: String,
            /// Some of the characters; empty if the old text cannot be written back as it was.
            characters: String,
        } = "not_encodable" {
            shorten: path,
            en: format!("ValueError: {path} is encoded in {encoding}, {}. Nothing was written.", if characters.is_empty() { "and its old text cannot be written back as it was. Ask the user to save it as UTF-8".to_owned() } else { format!("which does not have {characters}. Write without these characters, or ask the user to save the file as UTF-8") }),
            zh: format!("ValueError: {path} 的编码是 {encoding}，{}。没有写入任何内容。", if characters.is_empty() { "原有文字无法原样写回。请让用户将文件另存为 UTF-8".to_owned() } else { format!("不含字符 {characters}。请不要使用这些字符，或让用户将文件另存为 UTF-8") }),
            details: { "path": path, "encoding": encoding, "characters": characters },
        }
        /// The file, or the text to be written, is too large.
        FileTooLarge {
            /// The path.
            path: String,
        } = "file_too_large" {
            shorten: path,
            en: format!("ValueError: the file is larger than 10 MB: {path}. Split it into several files."),
            zh: format!("ValueError: 文件超过 10 MB: {path}。请拆分成多个文件。"),
            details: { "path": path },
        }
        /// A file is there that the call must not replace.
        FileExists {
            /// The path.
            path: String,
            /// True if the call has a parameter `overwrite`.
            can_overwrite: bool,
        } = "file_exists" {
            shorten: path,
            en: format!(
                "FileExistsError: the file already exists: {path}. {}",
                if *can_overwrite {
                    "Call again with overwrite: true to replace it; the history keeps the old text."
                } else {
                    "Read it with read_file before you replace it, or use edit_file."
                }
            ),
            zh: format!(
                "FileExistsError: 文件已存在: {path}。{}",
                if *can_overwrite {
                    "如需替换，请加上 overwrite: true 重新调用，历史记录会保留旧内容。"
                } else {
                    "替换前请先用 read_file 读取，或改用 edit_file。"
                }
            ),
            details: { "path": path },
        }
        /// The file was changed since the model read it.
        FileChanged {
            /// The path.
            path: String,
        } = "file_changed" {
            shorten: path,
            en: format!("OSError: the file was changed by the user since you read it: {path}. Nothing was written. Read it again with read_file, keep what the user wrote, and call again."),
            zh: format!("OSError: 你读取之后用户修改了该文件: {path}。没有写入任何内容。请用 read_file 重新读取，保留用户所写的部分后再调用。"),
            details: { "path": path },
        }
        /// No space is left.
        StorageFull {
            /// The path.
            path: String,
        } = "storage_full" {
            shorten: path,
            en: format!("OSError: no space is left, so the file was not written: {path}. Tell the user to free space."),
            zh: format!("OSError: 存储空间不足，文件未写入: {path}。请告知用户清理空间。"),
            details: { "path": path },
        }
        /// The storage failed.
        StorageFailed {
            /// The path; may be empty.
            path: String,
            /// The message of the failure.
            reason: String,
        } = "storage_failed" {
            shorten: reason,
            en: format!("OSError: the workspace failed{}: {reason}. Try again; if it fails again, tell the user.", quoted(" at ", &excerpt(path))),
            zh: format!("OSError: 工作区操作失败{}: {reason}。请重试；若仍失败，请告知用户。", quoted("，路径 ", &excerpt(path))),
            details: { "path": excerpt(path), "reason": reason },
        }
        /// A regular expression took too long.
        SearchTimeout {
            /// The pattern.
            pattern: String,
        } = "search_timeout" {
            shorten: pattern,
            en: format!("OSError: the search took too long and was stopped: {pattern}. Use a simpler pattern without nested repetitions, or a literal text."),
            zh: format!("OSError: 搜索超时，已停止: {pattern}。请换用没有嵌套重复的简单表达式，或直接搜索文字。"),
            details: { "pattern": pattern },
        }
        /// The pattern is empty, or no regular expression.
        InvalidPattern {
            /// The pattern.
            pattern: String,
            /// The reason; may be empty.
            reason: String,
        } = "invalid_pattern" {
            shorten: pattern,
            en: format!("ValueError: the pattern is not valid: {}{}. Give a text, or a regular expression as JavaScript has it.", shown(pattern), quoted(" — ", &excerpt(reason))),
            zh: format!("ValueError: 搜索表达式无效: {}{}。请给出文字，或 JavaScript 的正则表达式。", shown(pattern), quoted("，", &excerpt(reason))),
            details: { "pattern": pattern, "reason": excerpt(reason) },
        }
        /// A parameter is outside its range.
        InvalidValue {
            /// The parameter.
            name: &'static str,
            /// The given value.
            given: String,
            /// The accepted values, in English and Chinese.
            expected: (String, String),
        } = "invalid_parameter" {
            shorten: given,
            en: format!("ValueError: {name} is {given}; it must be {}. Call again with a valid value.", expected.0),
            zh: format!("ValueError: {name} 的值 {given} 无效，应为{}，请改正后重试。", expected.1),
            details: { "name": name, "given": given, "expected": expected.0 },
        }
        /// The text to be replaced is not in the file.
        TextNotFound {
            /// The path.
            path: String,
            /// The text.
            old: String,
            /// The lines most like it, with their numbers.
            nearest: Vec<(usize, String)>,
        } = "text_not_found" {
            shorten: old,
            en: format!(
                "ValueError: old_text was not found in {}: \"{old}\". Nothing was changed.{} Give the text exactly as it is in the file.",
                excerpt(path), listed(" The nearest lines:", nearest)
            ),
            zh: format!(
                "ValueError: 在 {} 中没有找到 old_text：“{old}”。未作修改。{}请给出与文件中完全一致的文字。",
                excerpt(path), listed("最接近的行：", nearest)
            ),
            details: { "path": excerpt(path), "old": old, "nearest": listed_json(nearest) },
        }
        /// The text to be replaced is in the file more than once.
        TextAmbiguous {
            /// The path.
            path: String,
            /// The text.
            old: String,
            /// The number of its occurrences.
            count: usize,
            /// The first lines that it begins in.
            lines: Vec<usize>,
            /// True if it begins in more lines.
            is_cut: bool,
        } = "text_ambiguous" {
            shorten: old,
            en: format!(
                "ValueError: old_text occurs {count} times in {}, in {} {}. Nothing was changed. Give more of the text around the place that is meant, so that it occurs once.",
                excerpt(path), if lines.len() == 1 { "line" } else { "lines" }, joined(lines, *is_cut)
            ),
            zh: format!(
                "ValueError: old_text 在 {} 中出现 {count} 次，位于第 {} 行。未作修改。请给出更多上下文，使其只出现一次。",
                excerpt(path), joined(lines, *is_cut)
            ),
            details: { "path": excerpt(path), "old": old, "count": count, "lines": lines },
        }
    }
    wraps {
        /// A wrong parameter or setting, or a failure of the host.
        Base(copydesk_base),
    }
}

impl Error {
    /// Returns the error that a host reports with a code of this crate. Any other code is a failure of the storage,
    /// with the host's message.
    ///
    /// ```
    /// use copydesk_base::{ErrorInfo, Locale};
    /// use copydesk_workspace::Error;
    /// use serde_json::json;
    ///
    /// let error = Error::of_host("file_not_found", "gone", &json!({ "path": "chapters/ch999.md" }));
    /// assert_eq!(error.message(Locale::ZhCn), "FileNotFoundError: 文件不存在: chapters/ch999.md");
    /// assert_eq!(Error::of_host("NotFoundError", "no disk", &json!({})).code(), "storage_failed");
    /// ```
    pub fn of_host(code: &str, message: &str, details: &Value) -> Error {
        let detail = |name: &str| details.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let path = detail("path");
        match code {
            "file_not_found" => Error::FileNotFound { path },
            "invalid_path" => Error::InvalidPath { path, reason: (detail("reason"), detail("reason")) },
            "permission_denied" => Error::PermissionDenied { path },
            "file_protected" => Error::FileProtected { path },
            "not_text" => Error::NotText { path },
            "not_encodable" => {
                Error::NotEncodable { path, encoding: detail("encoding"), characters: detail("characters") }
            }
            "file_too_large" => Error::FileTooLarge { path },
            "file_exists" => Error::FileExists { path, can_overwrite: false },
            "file_changed" => Error::FileChanged { path },
            "storage_full" => Error::StorageFull { path },
            "search_timeout" => Error::SearchTimeout { pattern: detail("pattern") },
            "invalid_pattern" => Error::InvalidPattern { pattern: detail("pattern"), reason: detail("reason") },
            // The message of the error goes on behind it.
            _ => Error::StorageFailed { path, reason: excerpt(message.trim_end_matches(['.', '。'])) },
        }
    }
}

fn shown(pattern: impl AsRef<str>) -> String {
    let pattern = pattern.as_ref();
    if pattern.is_empty() { "\"\"".to_owned() } else { pattern.to_owned() }
}

/// Returns lines with their numbers below a heading; nothing without lines.
fn listed(heading: &str, lines: &[(usize, String)]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let lines: String = lines.iter().map(|(line, text)| format!("\n{line} | {text}")).collect();
    format!("{heading}{lines}\n")
}

fn listed_json(lines: &[(usize, String)]) -> Value {
    lines.iter().map(|(line, text)| json!({ "line": line, "text": text })).collect()
}

fn joined(lines: &[usize], is_cut: bool) -> String {
    let numbers: Vec<String> = lines.iter().map(usize::to_string).collect();
    numbers.join(", ") + if is_cut { ", …" } else { "" }
}

/** The texts of the panels, in English and Chinese. */
import type { ChangeAuthor } from "copydesk/workspace";

const { format: grouped } = new Intl.NumberFormat("en");
const plural = (n: number, one: string, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`;

const english = {
  lang: "en",
  newFile: "New file",
  import: "Import",
  export: "Export",
  importZip: "Import a zip file",
  importFolder: "Import a folder",
  exportZip: "Export as a zip file",
  exportFolder: "Export to a folder",
  noFiles: "There are no files yet.",
  moreFiles: (count: number) => `${plural(count, "more file")}: find them by the search.`,
  rootFolder: "Files",
  fileActions: (path: string) => `Actions for ${path}`,
  rename: "Rename",
  versions: "Versions",
  remove: "Delete",
  removeQuestion: (path: string) => `Delete ${path}? Its versions stay.`,
  removed: (path: string) => `${path} was deleted.`,
  takeBack: "Take back",
  cancel: "Cancel",
  ok: "OK",
  path: "Path",
  pathHint: "For example chapters/ch001.md",
  imported: (written: number, skipped: number) =>
    `${plural(written, "file was", "files were")} imported${skipped ? `, ${skipped} not` : ""}.`,
  exported: (written: number, skipped: number) =>
    `${plural(written, "file was", "files were")} exported${skipped ? `, ${skipped} not` : ""}.`,
  leftOut: (path: string, code: string) =>
    `${path}: ${
      {
        file_exists: "exists already",
        instruction_skipped: "is an instruction for the assistant",
        not_text: "is not a text",
        file_too_large: "is too large",
        zip_too_large: "is too large",
        zip_damaged: "cannot be unpacked",
        invalid_path: "is not a valid name here",
        storage_full: "there is no storage left",
        permission_denied: "there is no permission",
      }[code] ?? `failed (${code})`
    }.`,
  replaceThese: "Replace the existing files",
  addInstructions: (paths: readonly string[]) => `Import these instructions for the assistant: ${paths.join(", ")}`,
  noFolders: "This browser cannot open folders here. Use a zip file.",
  backToFiles: "Back to the files",
  versionsOf: (path: string) => `Versions of ${path}`,
  noVersions: "This file has no versions yet.",
  authors: { agent: "Assistant", user: "You", outside: "Another program" } as Record<ChangeAuthor, string>,
  earlierSaves: (count: number) => `${plural(count, "earlier save")} of these minutes`,
  deletedVersion: "deleted",
  current: "current",
  compare: (time: string) => `Compare the version of ${time} with the file`,
  restore: "Restore this version",
  restored: "The version was restored.",
  sameText: "The text is the same as now.",
  comparedWithNow: "From this version to the file as it is now",
  unchangedLines: (count: number) => plural(count, "unchanged line"),
  search: "Search",
  searchFor: "Search in the files",
  searching: "Searching…",
  caseSensitive: "Match case",
  regex: "Regular expression",
  inFiles: "Only in files such as",
  inFilesHint: "chapters/*.md",
  matches: (count: number, files: number, isCut: boolean) =>
    count === 0
      ? "Nothing was found."
      : isCut
        ? `More than ${plural(count, "match", "matches")}; the first ones are shown.`
        : `${plural(count, "match", "matches")} in ${plural(files, "file")}`,
  line: (line: number) => `line ${line}`,
  runChecks: "Check the story",
  checking: "Checking…",
  checksHint: "Finds days that jump or go back, dates that cannot be, and setups and references without each other.",
  timeline: "Days and dates",
  references: "Setups and references",
  noFindings: "Nothing was found.",
  error: "Error",
  warning: "Note",
  waived: "accepted in the file",
  findings: (errors: number, warnings: number, waived: number) =>
    [plural(errors, "error"), plural(warnings, "note"), waived && `${waived} accepted`].filter(Boolean).join(", "),
  stale: "The files have changed since.",
};

export type Words = typeof english;

const chinese: Words = {
  lang: "zh-CN",
  newFile: "新建文件",
  import: "导入",
  export: "导出",
  importZip: "导入 zip 文件",
  importFolder: "导入文件夹",
  exportZip: "导出为 zip 文件",
  exportFolder: "导出到文件夹",
  noFiles: "还没有文件。",
  moreFiles: (count) => `还有 ${count} 个文件，可用搜索查找。`,
  rootFolder: "文件",
  fileActions: (path) => `${path} 的操作`,
  rename: "重命名",
  versions: "历史版本",
  remove: "删除",
  removeQuestion: (path) => `删除 ${path}？历史版本会保留。`,
  removed: (path) => `已删除 ${path}。`,
  takeBack: "撤回",
  cancel: "取消",
  ok: "确定",
  path: "路径",
  pathHint: "例如 chapters/ch001.md",
  imported: (written, skipped) => `已导入 ${written} 个文件${skipped ? `，${skipped} 个未导入` : ""}。`,
  exported: (written, skipped) => `已导出 ${written} 个文件${skipped ? `，${skipped} 个未导出` : ""}。`,
  leftOut: (path, code) =>
    `${path}：${
      {
        file_exists: "已存在",
        instruction_skipped: "是给助手的指令",
        not_text: "不是文本",
        file_too_large: "太大",
        zip_too_large: "太大",
        zip_damaged: "无法解压",
        invalid_path: "名称无效",
        storage_full: "存储空间已满",
        permission_denied: "没有权限",
      }[code] ?? `失败（${code}）`
    }。`,
  replaceThese: "替换已有文件",
  addInstructions: (paths) => `导入这些给助手的指令：${paths.join("、")}`,
  noFolders: "此浏览器无法在这里打开文件夹，请使用 zip 文件。",
  backToFiles: "返回文件列表",
  versionsOf: (path) => `${path} 的历史版本`,
  noVersions: "此文件还没有历史版本。",
  authors: { agent: "助手", user: "你", outside: "其他程序" },
  earlierSaves: (count) => `这几分钟内更早的 ${count} 次保存`,
  deletedVersion: "删除",
  current: "当前",
  compare: (time) => `将 ${time} 的版本与文件对比`,
  restore: "恢复此版本",
  restored: "已恢复此版本。",
  sameText: "与当前内容相同。",
  comparedWithNow: "从此版本到当前文件的变化",
  unchangedLines: (count) => `${count} 行未变`,
  search: "搜索",
  searchFor: "在文件中搜索",
  searching: "正在搜索…",
  caseSensitive: "区分大小写",
  regex: "正则表达式",
  inFiles: "只搜索这些文件",
  inFilesHint: "chapters/*.md",
  matches: (count, files, isCut) =>
    count === 0 ? "没有找到。" : isCut ? `超过 ${count} 处，只显示最前面的。` : `${files} 个文件中共 ${count} 处`,
  line: (line) => `第 ${line} 行`,
  runChecks: "检查故事",
  checking: "正在检查…",
  checksHint: "查找天数的跳跃与倒退、不可能的日期，以及没有对应的伏笔与引用。",
  timeline: "天数与日期",
  references: "伏笔与引用",
  noFindings: "没有发现问题。",
  error: "错误",
  warning: "提示",
  waived: "已在文件中接受",
  findings: (errors, warnings, waived) =>
    [`${errors} 个错误`, `${warnings} 个提示`, waived && `${waived} 个已接受`].filter(Boolean).join("，"),
  stale: "此后文件有改动。",
};

/** Returns the texts of a language. */
export function wordsIn(language: "en" | "zh-CN"): Words {
  return language === "en" ? english : chinese;
}

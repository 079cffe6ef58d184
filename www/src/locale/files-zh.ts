/** 关于书稿文件的中文文案，键与 `files-en.ts` 相同。 */
import type { FileMessages } from "./files-en";
import { chineseNumber as grouped } from "./numbers";

const file = (path?: string) => (path === undefined ? "文件" : ` ${path}`);
const chapter = (number?: number) => (number === undefined ? "章节" : `第 ${number} 章`);
const range = (first?: number, last?: number) =>
  first === undefined && last === undefined
    ? ""
    : first === last
      ? ` 第 ${first} 行`
      : last === undefined
        ? ` 第 ${first} 行起`
        : ` 第 ${first ?? 1}–${last} 行`;
const found = (count?: number, isCut = false) =>
  count === undefined ? "" : ` · ${isCut ? "超过 " : ""}${grouped(count)} 处`;
const findings = (count?: number) =>
  count === undefined ? "" : ` · ${count ? `发现 ${grouped(count)} 处` : "没有发现问题"}`;

export const files: FileMessages = {
  tab: "文件",
  searchTab: "搜索",
  checksTab: "检查",
  ownDocument: "我的文档",
  emptyHint: "可以让助手写第一章，也可以新建或导入文件，或者看看一部特意留了几处破绽的短篇小说。",
  openSample: "打开示例小说",
  places: {
    label: "位置",
    browser: "此浏览器中的文件",
    folder: (name) => `文件夹 ${name}`,
    open: "在本机打开文件夹",
    cannotOpen: "此浏览器无法直接使用本机的文件夹，请改用电脑上的 Chrome 或 Edge。",
    closed: (name) => `浏览器需要你再次允许使用文件夹 ${name}。`,
    refused: (name) => `浏览器未获准使用文件夹 ${name}。请重试，或重新打开该文件夹。`,
    allow: "允许访问",
    noAccess: "没有权限",
    unknown: "浏览器已不记得上次打开的文件所在的文件夹，请重新打开该文件夹。",
    kept: (sentence) => `${sentence}在此之前，你写的内容会保存在此浏览器中。`,
  },
  closeFile: "关闭文件",
  states: {
    saved: "已保存",
    unsaved: "正在保存…",
    removed: "已删除",
    lossy: "未保存",
    conflict: "未保存：文件已在别处修改",
    failed: "未保存",
  },
  authors: { agent: "助手", user: "你（在别处）", outside: "其他程序" },
  conflict: (path, by) => `你写作期间，${by}修改了 ${path}。两份文字都会保留：请选择一份，另一份留在历史版本中。`,
  conflictTitle: (path) => `${path} 的两份文字`,
  conflictHint: "没有选用的那一份会留在文件的历史版本中。",
  compare: "对比",
  mine: "你的文字",
  theirs: "另一份文字",
  takeMine: "用我的",
  takeTheirs: "用另一份",
  setAside: "冲突时搁置",
  lossy: (losses) => `尚未保存，因为 Markdown 文件无法保留：${losses.join("")}`,
  saveAnyway: "舍弃这些并保存",
  removed: (path) => `${path} 已被删除，你的文字还在这里。`,
  writeAgain: "重新写入",
  failed: (reason) => `文件未能保存。${reason}`,
  busy: "助手正在处理当前显示的文档。",
  stopAndOpen: "停止并继续",
  suggest: {
    first: "写一个关于灯塔的故事的第一章",
    check: "检查我的小说，修正时间线",
    setups: "缺少哪些伏笔？",
    next: (number) => `写第 ${number} 章`,
  },
  working: {
    reading: (path, first, last) => `正在读取${file(path)}${range(first, last)}`,
    writing: (path, length) => `正在写入${file(path)}${length ? ` · ${grouped(length)} 字符` : ""}`,
    chapter: (number, length) => `正在写${chapter(number)}${length ? ` · ${grouped(length)} 字符` : ""}`,
    editing: (path) => `正在修改${file(path)}`,
    listing: "正在查看文件",
    searching: (text) => (text ? `正在文件中搜索“${text}”` : "正在搜索文件"),
    timeline: "正在检查天数与日期",
    references: "正在检查伏笔与引用",
  },
  requested: {
    write: (path) => `写入${file(path)}`,
    chapter: (number, replaces) => `${replaces ? "替换" : "写入"}${chapter(number)}`,
    edit: (path, old, replacement) =>
      old && replacement ? `在${file(path)} 中把“${old}”替换为“${replacement}”` : `修改${file(path)}`,
  },
  done: {
    read: (path, first, last) => `已读取${file(path)}${range(first, last)}`,
    wrote: (path, created) => `${created === false ? "已改写" : "已写入"}${file(path)}`,
    edited: (path, first, last) => `已修改${file(path)}${range(first, last)}`,
    listed: (count) => (count === undefined ? "已查看文件" : `已查看 ${grouped(count)} 个文件`),
    searched: (text, count, isCut) => `已${text ? `在文件中搜索“${text}”` : "搜索文件"}${found(count, isCut)}`,
    timeline: (count) => `已检查天数与日期${findings(count)}`,
    references: (count) => `已检查伏笔与引用${findings(count)}`,
  },
  failedTo: {
    read: (path) => `无法读取${file(path)}`,
    write: (path) => `无法写入${file(path)}`,
    chapter: (number) => `无法写入${chapter(number)}`,
    edit: (path) => `无法修改${file(path)}`,
    list: "无法查看文件",
    search: (text) => `文件搜索失败${text ? `：“${text}”` : ""}`,
    timeline: "无法检查天数与日期",
    references: "无法检查伏笔与引用",
  },
  place: (path, line) => `${path} 第 ${line} 行`,
  waived: "已在文件中接受",
  reasons: {
    file_not_found: "没有这个文件。",
    invalid_path: "这里不能使用这样的文件名。",
    permission_denied: "没有使用此文件的权限。",
    file_protected: "规则和技能只由你修改。",
    not_text: "此文件不是文本。",
    file_too_large: "此文件超过 10 MB。",
    file_exists: "文件已存在，保持原样。",
    file_changed: "你在此期间修改了文件，文件保持原样。",
    storage_full: "存储空间已满，没有写入任何内容。",
    storage_failed: "存储出错，没有写入任何内容。",
    search_timeout: "搜索时间过长，已停止。",
    invalid_pattern: "要搜索的表达式无效。",
    search_unavailable: "本页无法使用正则表达式。",
    text_not_found: "文件中没有要修改的文字。",
    text_ambiguous: "要修改的文字在文件中出现多次，无法确定是哪一处。",
    invalid_parameter: "助手提出了无法完成的要求。",
    missing_parameter: "助手提出了无法完成的要求。",
    invalid_arguments: "助手提出了无法完成的要求。",
    arguments_cut_off: "模型的回答被截断。",
    disposed: "文件已关闭。",
  },
  export: {
    markdown: "导出为 Markdown",
    html: "导出为 HTML",
    docx: "导出为 Word（DOCX）",
    epub: "导出为 EPUB",
    pdf: "打印或存为 PDF",
    book: "导出整本书…",
    bookTitle: "导出整本书",
    title: "书名",
    author: "作者（可选）",
    format: "格式",
    formats: { markdown: "Markdown", html: "HTML", docx: "Word", epub: "EPUB", pdf: "PDF（打印）" },
    chapters: (count) => `全书共 ${count} 章。`,
    leftOut: (count) => `有 ${count} 个文件无法读取，不会导出：`,
    run: "导出",
    failed: (reason) => `导出失败。${reason}`,
    lost: (names) => `导出的文件缺少：${names.join("、")}`,
  },
  pending: {
    title: "有待定的修改",
    waiting: (count) => `有 ${count} 处修改建议尚未接受或拒绝。`,
    question: "导出哪个版本",
    accepted: "包含修改",
    marked: "两者都有，并标出修改",
    rejected: "不含修改",
    run: "导出",
    book: (count) => `不包含当前章节中 ${count} 处待定的修改。`,
  },
};

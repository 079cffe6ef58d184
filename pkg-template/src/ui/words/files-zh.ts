/** 关于文件的中文文案。 */

import { chineseNumber as grouped } from "./numbers.js";
import type { files as english } from "./files-en.js";

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

export const files: typeof english = {
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
};

/** The errors of workspaces, in Chinese. */

import type { workspace as english } from "../en/workspace.js";

export const workspace: typeof english = {
  errors: {
    file_not_found: ({ path }) => `文件不存在：${path}。请先列出文件，查看它们的路径。`,
    directory_not_found: ({ path }) => `目录不存在：${path}。请创建它，或更正路径。`,
    invalid_path: ({ path, reason }) => `${path} 不是有效的路径：${reason}。请使用相对路径，例如 chapters/ch001.md。`,
    permission_denied: ({ path }) => `无法访问 ${path}：没有权限，或权限已被收回。请重新允许访问该文件夹。`,
    file_protected: ({ path }) => `${path} 只由用户编写：它含有规则，或属于某个技能。请在工作区中直接修改。`,
    not_text: ({ path }) =>
      `${path} 不是文本：它含有 NUL 字符，或不是 UTF-8、带 BOM 的 UTF-16、GB 18030（GBK）编码。如果是文本，请另存为 UTF-8。`,
    not_encodable: ({ path, encoding, characters }) =>
      `未写入 ${path}：它的编码 ${encoding} ` +
      (characters ? `不含字符 ${characters}。请替换这些字符` : "会改变原有文字的字节") +
      "。用户可以先将它另存为 UTF-8。",
    file_too_large: ({ path, size, limit }) => `${path} 有 ${size} 字节，最多为 ${limit} 字节。请拆分该文件。`,
    file_exists: ({ path }) => `${path} 已存在。请换一个路径，或先读取它，再带着它的版本写入。`,
    file_changed: ({ path }) => `${path} 在此期间已被修改。请重新读取，再重做修改。`,
    version_not_found: ({ path, id }) => `${path} 没有版本 ${id}。请列出它的版本，查看其编号。`,
    storage_full: ({ path }) => `${path} 未写入：存储空间已满。请释放空间后重试。`,
    storage_failed: ({ path, reason }) => `存储 ${path} 时出错：${reason}。请重试，或重新加载页面。`,
    search_timeout: ({ pattern, ms }) =>
      `对 ${pattern} 的搜索在 ${ms} 毫秒后被停止。请使用更简单的表达式，或减少要搜索的文件。`,
    invalid_pattern: ({ pattern, reason }) => `${pattern} 不是有效的正则表达式：${reason}。请更正，或按纯文本搜索。`,
    search_unavailable: ({ reason }) =>
      `正则表达式需要可以停止的 Worker，但它未能加载：${reason}。请搜索纯文本，或为智能体或索引提供 worker（docs/workspace.md）。`,
    zip_damaged: ({ path }) => `无法解压 ${path}：zip 文件已损坏或已加密。请不用密码重新打包。`,
    // Without a path files were packed.
    zip_too_large: ({ path, size, limit, unit }) =>
      path === undefined
        ? `未打包文件：文件数超过 ${limit}，打包后将无法再导入。请直接复制文件夹。`
        : `未解压 ${path}：它含有 ${size} ${unit === "bytes" ? "字节" : "个条目"}，最多为 ${limit}。请先在磁盘上解压，再导入其中一部分。`,
    zip_is_document: ({ path, format }) =>
      `未解压 ${path}：它是一个文档（${format}），不是文本文件夹。请在对应的程序中将它另存为 Markdown 或纯文本（或先转换格式），再导入。`,
    instruction_skipped: ({ path }) =>
      `未导入 ${path}：智能体会把它当作指令执行。请先阅读它；如果信任作者，再单独导入。`,
    disposed: ({ path }) => `工作区 ${path} 已关闭。请重新打开。`,
  },
  reasons: {
    notText: "它不是文本",
    empty: "它是空的",
    halfCharacter: "它含有半个字符",
    absolute: "它是绝对路径",
    drive: "它含有盘符",
    long: (limit) => `它超过 ${limit} 字节`,
    emptyPart: "两个 / 之间是空的",
    contains: (part) => `它含有 ${part}`,
    containsPart: (part) => `它含有 ${part}`,
    dotFirst: (part) => `${part} 以点开头`,
    control: "它含有控制字符",
    dotLast: (part) => `${part} 以点或空格结尾`,
    spaceFirst: "其中一部分以空格开头",
    device: (part) => `${part} 是 Windows 的设备名`,
    longPart: (limit) => `其中一部分超过 ${limit} 字节`,
    storedForm: "它的名称以无法查询的形式存储",
    folder: (path) => `${path} 是文件夹`,
    file: (path) => `${path} 是文件，不是文件夹`,
    damaged: "其存储的数据已损坏",
  },
};

/** 附件的中文文案，键与 `attachments-en.ts` 相同。 */

import type { AttachmentWords } from "./attachments-en.js";
import { chineseNumber as grouped } from "./numbers.js";

export const attachments: AttachmentWords = {
  attachments: {
    list: "附件",
    reading: "正在读取…",
    tokens: (tokens) => `约 ${grouped(tokens)} 个 token`,
    total: (tokens) => `共约 ${grouped(tokens)} 个 token`,
    remove: (name) => `移除“${name}”`,
    dismiss: "知道了",
    attached: (name, size) => `已附加“${name}”${size ? `，${size}` : ""}`,
    removed: (name) => `已移除“${name}”`,
    choose: "选择要附加的内容",
    found: (count) => `${grouped(count)} 条建议`,
    fromDevice: "本机文件…",
    kinds: {
      selection: "选中内容",
      section: "章节",
      file: "文件",
      text: "文字",
      image: "图片",
    },
    sectionNumber: (number) => (number ? `第 ${number} 章` : "开头"),
  },
};

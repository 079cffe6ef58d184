/** Messages about attachments of a user, in Chinese. */

import type { attachmentSentences as english } from "../en/attachment-sentences.js";

export const attachmentSentences: typeof english = {
  note: "用户在下一条消息中附加了：",
  problems: {
    attachment_too_large: "“{}”过大，无法附加。请只附加其中一部分。",
    attachment_too_many: "“{}”未附加：每条消息最多 20 个附件，请先移除一个。",
    attachment_not_supported: "无法读取“{}”这种文件。请改为附加其中的文字。",
    attachment_unreadable: "无法读取“{}”：文件可能已损坏。请换一份再试。",
    attachment_empty: "“{}”中没有文字。请改为附加它的图片。",
    attachment_missing: "“{}”已不存在，请重新选择。",
  },
};

/** The reasons why a file cannot be inserted or opened, in Chinese. */

import type { insert as english } from "../en/insert.js";

export const insert: typeof english = {
  errors: {
    not_an_image: ({ name }) => `“${name}”不是图片。`,
    image_too_large: ({ name, limit }) => `“${name}”超过 ${Number(limit) / 1e6} MB，请先缩小。`,
    image_not_kept: () => "此浏览器无法为本页保存图片，请使用网络图片。",
    unsupported_file: ({ name }) =>
      `“${name}”不是图片，也不是可以打开的文本：Markdown（.md）、HTML（.html）或纯文本（.txt）。`,
    file_too_large: ({ name, limit }) => `“${name}”超过 ${Number(limit) / 1e6} MB。`,
    not_text: ({ name }) => `“${name}”不是文本，或使用了未知的编码。请另存为 UTF-8。`,
  },
};

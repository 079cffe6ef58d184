/** The labels of content that is shown without its editor, in Chinese. */

import type { inert as english } from "../en/inert.js";

export const inert: typeof english = {
  image: (alt) => (alt ? `图片：${alt}` : "图片"),
  custom: (name) => `自定义内容：${name}`,
};

/** The texts of exported files beside the text of the user, in Chinese. */

import type { publication as english } from "../en/publication.js";

export const publication: typeof english = {
  assistant: "助手",
  chapter: (number) => `第${number}章`,
  untitled: "无标题",
};

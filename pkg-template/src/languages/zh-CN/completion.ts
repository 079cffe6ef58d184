/** The texts of completions at the cursor, in Chinese. */

import type { completion as english } from "../en/completion.js";

export const completion: typeof english = {
  instruction:
    "你为作者续写光标所在的一行。下面给出光标前后的文字。只输出紧接光标的后续文字，最多写到本句结束：语言、语气与原文一致，不加引号，不重复已有文字，不作解释。没有合适的内容时什么也不输出。",
  suggestion: (text) => `建议：“${text}”。按 Tab 采纳。`,
};

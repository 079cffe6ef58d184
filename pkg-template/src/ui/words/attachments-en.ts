/** English words of attachments. `attachments-zh.ts` has the same keys. */

import { englishNumber as grouped } from "./numbers.js";

const plural = (n: number, one: string) => `${grouped(n)} ${one}${n === 1 ? "" : "s"}`;

export const attachments = {
  attachments: {
    list: "Attachments",
    reading: "Reading…",
    tokens: (tokens: number) => `about ${plural(tokens, "token")}`,
    total: (tokens: number) => `Together about ${plural(tokens, "token")}`,
    remove: (name: string) => `Remove “${name}”`,
    dismiss: "OK",
    attached: (name: string, size: string) => `Attached: “${name}”${size ? `, ${size}` : ""}`,
    removed: (name: string) => `Removed: “${name}”`,
    choose: "What to attach",
    found: (count: number) => plural(count, "suggestion"),
    fromDevice: "A file on this device…",
    kinds: {
      selection: "Selection",
      section: "Section",
      file: "File",
      text: "Text",
      image: "Picture",
    },
    sectionNumber: (number: number) => (number ? `Section ${number}` : "Introduction"),
  },
};

export type AttachmentWords = typeof attachments;

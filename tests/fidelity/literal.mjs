// Rules for texts that only look like notation: they replace a line and stay as they are. `texts` are `[form, text]`.
import { p, pre } from "./builders.mjs";

/** A text replaces a paragraph. */
export const literal = (t, texts) =>
  texts.map(([form, text]) => ({ form, before: [p(t("Old words.", "旧的话。"))], after: [p(text)], lines: [1], content: text }));

/** A text replaces the second of three lines of code. */
export const literalInCode = (t, texts) => {
  const three = t("three", "三");
  return texts.map(([form, text]) => ({
    form,
    before: [pre("txt", `one\ntwo\n${three}`)],
    after: [pre("txt", `one\n${text}\n${three}`)],
    lines: [2],
    content: text,
  }));
};

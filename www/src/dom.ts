/** Facts about the browser and about texts that all parts of the page need. */

/** The modifier key of shortcuts: ⌘ on Apple devices, Ctrl elsewhere. */
export const modKey = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";

/** Returns the language of most of a text. It is set as `lang`, which selects the shape of punctuation. */
export function languageOf(text: string): "zh-CN" | "en" {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const latin = text.match(/[A-Za-z]+/g)?.length ?? 0;
  return han > latin ? "zh-CN" : "en";
}

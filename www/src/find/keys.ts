/** Opens find and replace by keys and buttons, and loads them with the first use. */
import type { Editor } from "@tiptap/core";
import type { CopydeskFind } from "copydesk/ui";
import { modKey } from "../dom";
import { loadPart } from "../lazy";
import type { Notices } from "../notices";

/** Ctrl+F and Ctrl+H open the bar; on Apple devices ⌘F and ⌥⌘F. The next Ctrl+F opens the browser's search. */
export function findByKeys(editor: Editor, place: HTMLElement, notices: Notices) {
  let bar: CopydeskFind | undefined;
  const load = async () => {
    const [{ Find }] = await Promise.all([import("copydesk/find"), import("copydesk/ui/find")]);
    if (bar) return bar;
    bar = Object.assign(document.createElement("copydesk-find"), { find: new Find(editor) });
    place.append(bar);
    return bar;
  };
  const open = async (withReplace: boolean) => {
    try {
      await (await loadPart(load)).show({ replace: withReplace });
      notices.remove("find");
    } catch (error) {
      console.warn(error);
      const again = () => void open(withReplace);
      notices.failed("find", (m) => m.plugins.notLoaded, again);
    }
  };
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const isApple = modKey === "⌘";
    if (event.shiftKey || !(isApple ? event.metaKey : event.ctrlKey)) return;
    const key = event.key.toLowerCase();
    const isFind = key === "f" && !event.altKey;
    const isReplace = isApple ? event.code === "KeyF" && event.altKey : key === "h" && !event.altKey;
    if (!(isFind || isReplace) || (isFind && bar?.matches(":focus-within"))) return;
    event.preventDefault();
    void open(isReplace);
  });
  return { open };
}

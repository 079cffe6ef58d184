/**
 * Lists in HTML that Word copies. They are paragraphs with `mso-list: l0 level1 lfo1` in their style, and the bullet or
 * number as text in an element with `mso-list: Ignore`.
 */

/** Matches the number of a list and the level of a paragraph in it. */
const ITEM = /mso-list:\s*(l\d+)\s+level(\d+)/i;
const MARKER = /mso-list:\s*ignore/i;
/** Matches the numbers of ordered lists: `1.`, `a)`, `iv.`, `（一）`, `二、`. Bullets have no punctuation behind them. */
const NUMBER = /^[（(]?(\d+|[a-z]{1,5}|[〇零一二三四五六七八九十百千]+)[.．)）、]/i;

/** A list under construction. */
interface Open {
  list: HTMLElement;
  level: number;
}

/** Returns the HTML with the paragraphs of lists as items. */
export function withWordLists(html: string): string {
  if (!/mso-list/i.test(html)) return html;
  const { body } = new DOMParser().parseFromString(html, "text/html");
  let open: Open[] = [];
  let id = "";
  for (const paragraph of body.querySelectorAll<HTMLElement>("p[style*=mso-list i]")) {
    const [, listId, digits] = ITEM.exec(paragraph.getAttribute("style") ?? "") ?? [];
    if (!listId) continue;
    const level = Number(digits);
    const isNext = open.length > 0 && paragraph.previousElementSibling === open[0]!.list;
    // Another list may continue inside of this one, and not beside it.
    if (!isNext || (listId !== id && level <= open[0]!.level)) open = [];
    id = listId;
    const marker = takeMarker(paragraph);
    while (open.length > 1 && open.at(-1)!.level > level) open.pop();
    const last = open.at(-1);
    if (!last || last.level < level) {
      const list = listFor(marker);
      if (last) last.list.lastElementChild!.append(list);
      else paragraph.before(list);
      open.push({ list, level });
    }
    const item = body.ownerDocument.createElement("li");
    open.at(-1)!.list.append(item);
    item.append(paragraph);
  }
  return body.innerHTML;
}

/** Creates the list that begins with an item of this marker. */
function listFor(marker: string): HTMLElement {
  const [, number] = NUMBER.exec(marker) ?? [];
  const list = document.createElement(number ? "ol" : "ul");
  if (Number(number) > 1) list.setAttribute("start", number!);
  return list;
}

/** Removes the marker from a paragraph, with the elements that have nothing else in them. Returns its text. */
function takeMarker(paragraph: HTMLElement): string {
  const marker = [...paragraph.querySelectorAll<HTMLElement>("[style]")].find((element) =>
    MARKER.test(element.getAttribute("style")!),
  );
  if (!marker) return "";
  const text = marker.textContent.trim();
  let empty: Element = marker;
  while (empty.parentElement && empty.parentElement !== paragraph && isOnly(empty)) empty = empty.parentElement;
  empty.remove();
  return text;
}

/** Returns true if nothing but an element is in its parent. */
function isOnly(element: Element): boolean {
  return element.parentElement!.textContent.trim() === element.textContent.trim();
}

/** A rough outline of HTML: where elements begin and end. What is made of it is compared with the real parser. */

/** An element with the blocks in it, a run of text and inline elements, or a comment. */
export interface Part {
  readonly start: number;
  readonly end: number;
  /** The parts of an element that may hold several blocks, without gaps between them; else none. */
  readonly children: Part[];
}

const VOID = set("area base br col embed hr img input link meta param source track wbr");
/** Elements whose content is text up to the end tag. */
const RAW = set("script style textarea title xmp iframe noembed noframes noscript");
/** Elements that are one block with everything in them. */
const BLOCKS = set(
  "p h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre table hr img details address figure figcaption form fieldset",
);
/** Elements whose tags have an effect on blocks in them. All others only group blocks, whatever their names. */
const INLINE = set(
  "a abbr b bdi bdo br cite code data del dfn em font i input ins kbd label mark q s samp small span strike strong sub " +
    "sup time tt u var wbr button select math svg",
);
/** Elements that a `p` without an end tag ends before. */
const ENDS_PARAGRAPH = set(
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 " +
    "h5 h6 header hgroup hr main menu nav ol p pre search section summary table ul",
);
const TAG = /<!--[^]*?(?:-->|$)|<\/?([a-z][^\s/>]*)(?=[\s/>])(?:[^"'>]|"[^"]*"|'[^']*')*>|<[!?][^>]*>/giy;

interface Open {
  readonly name: string;
  readonly start: number;
  /** The end of the start tag. */
  readonly inside: number;
  readonly children: Part[];
  /** True if a block is somewhere in it. */
  hasBlocks: boolean;
}

/** Returns the parts of some HTML, which together are all of it. */
export function partsOf(html: string): Part[] {
  const root: Open = { name: "", start: 0, inside: 0, children: [], hasBlocks: true };
  const stack = [root];
  /** The number of open elements by name. */
  const open = new Map<string, number>();
  const count = (name: string, more: number) => open.set(name, (open.get(name) ?? 0) + more);
  const top = () => stack.at(-1)!;
  const close = (inside: number, end: number) => {
    const { name, start, inside: begin, children, hasBlocks } = stack.pop()!;
    count(name, -1);
    // Inline content is a run of text for its parent.
    if (!hasBlocks && !BLOCKS.has(name) && !ENDS_PARAGRAPH.has(name)) return;
    const groups = hasBlocks && !BLOCKS.has(name) && !INLINE.has(name);
    top().children.push({ start, end, children: groups ? filled(children, begin, inside) : [] });
    // What is around an element with blocks has some, too.
    for (let at = stack.length - 1; !stack[at]!.hasBlocks; at--) stack[at]!.hasBlocks = true;
  };
  const lower = html.toLowerCase();
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at)) {
    TAG.lastIndex = at;
    const match = TAG.exec(html);
    if (!match) {
      // A tag that does not end swallows the rest; other characters behind `<` begin none.
      if (/^<[/!?]?[a-z]/i.test(html.slice(at, at + 3)) || /^<[!?]/.test(html.slice(at, at + 2))) break;
      at++;
      continue;
    }
    const end = TAG.lastIndex;
    const name = match[1]?.toLowerCase();
    if (name === undefined) {
      top().children.push({ start: at, end, children: [] });
    } else if (html[at + 1] === "/") {
      const index = open.get(name) ? stack.findLastIndex((one) => one.name === name) : -1;
      if (index > 0) {
        while (stack.length > index + 1) close(at, at);
        close(at, end);
      }
    } else {
      if (ENDS_PARAGRAPH.has(name) && top().name === "p") close(at, at);
      stack.push({ name, start: at, inside: end, children: [], hasBlocks: false });
      count(name, 1);
      if (VOID.has(name)) close(end, end);
      else if (RAW.has(name)) {
        const rest = lower.indexOf(`</${name}`, end);
        const after = rest === -1 ? html.length : html.indexOf(">", rest) + 1 || html.length;
        close(rest === -1 ? html.length : rest, after);
        at = after;
        continue;
      }
    }
    at = end;
  }
  while (stack.length > 1) close(html.length, html.length);
  return filled(root.children, 0, html.length);
}

/** Adds the runs between the parts. */
function filled(parts: Part[], start: number, end: number): Part[] {
  const all: Part[] = [];
  let at = start;
  for (const part of [...parts, { start: end, end, children: [] }]) {
    if (part.start > at) all.push({ start: at, end: part.start, children: [] });
    if (part.end > part.start) all.push(part);
    at = part.end;
  }
  return all;
}

function set(names: string): Set<string> {
  return new Set(names.split(" "));
}

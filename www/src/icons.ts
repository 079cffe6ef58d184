/** Icons: line drawings in a 16 × 16 view box, in the current color. */

const NS = "http://www.w3.org/2000/svg";

const paths = {
  undo: "M5.5 3 2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8H6",
  redo: "m10.5 3 3 3-3 3M13.5 6h-7a4 4 0 0 0 0 8H10",
  bullets: "M6 4h8M6 8h8M6 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01",
  numbers: "M6.5 4H14M6.5 8H14M6.5 12H14M2 3l1-.6V6M1.8 10.6c.3-.9 2-.9 2 .1 0 .8-2 1.3-2 2.6h2.1",
  tasks: "M7.5 4.5H14M7.5 11.5H14M2 4.6l1.2 1.2L5.4 3.4M2 11.6l1.2 1.2 2.2-2.4",
  table: "M2.5 3h11v10h-11zM2.5 6.5h11M2.5 9.8h11M7 3v10",
  link: "M6.6 9.4 9.4 6.6M7.3 4.6l1.2-1.2a2.9 2.9 0 0 1 4.1 4.1l-1.2 1.2M8.7 11.4l-1.2 1.2a2.9 2.9 0 0 1-4.1-4.1l1.2-1.2",
  code: "m5.5 4.5-3.5 3.5 3.5 3.5M10.5 4.5l3.5 3.5-3.5 3.5",
  codeBlock: "M2.5 3h11v10h-11zM6.2 6 4.4 8l1.8 2M9.8 6l1.8 2-1.8 2",
  quote: "M3 4v8M6.5 5.5h7M6.5 8h7M6.5 10.5h5",
  divider: "M2 8h12M4 4.5h8M4 11.5h8",
  outline: "M2 4h12M2 8h9M2 12h6",
  settings:
    "M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6M10 2.7a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6ZM6 9.7a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6Z",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1.3v1.4M8 13.3v1.4M1.3 8h1.4M13.3 8h1.4M3.3 3.3l1 1M11.7 11.7l1 1M12.7 3.3l-1 1M4.3 11.7l-1 1",
  moon: "M13.4 9.7A5.8 5.8 0 0 1 6.3 2.6a5.8 5.8 0 1 0 7.1 7.1Z",
  help: "M5.8 6.1a2.3 2.3 0 1 1 3.4 2c-.8.5-1.2.9-1.2 1.8M8 12.6h.01",
  more: "M3 8h.6M7.7 8h.6M12.4 8h.6",
  save: "M8 2.5v7M5 6.8l3 3 3-3M3 12.8h10",
  open: "M8 9.8v-7M5 5.5l3-3 3 3M3 12.8h10",
  check: "m3.2 8.4 3.1 3.1 6.5-7",
  chevron: "m6 4 4 4-4 4",
  up: "m4 10 4-4 4 4",
  down: "m4 6 4 4 4-4",
  close: "m4 4 8 8M12 4l-8 8",
  read: "M2.5 3.5c2-.7 4-.5 5.5.7 1.5-1.2 3.5-1.4 5.5-.7v9c-2-.7-4-.5-5.5.7-1.5-1.2-3.5-1.4-5.5-.7zM8 4.2v9",
  write: "M10.6 2.9a1.3 1.3 0 0 1 1.8 0l.7.7a1.3 1.3 0 0 1 0 1.8l-6.9 6.9-3.4.9.9-3.4zM9.4 4.1l2.5 2.5",
  image: "M2.5 3h11v10h-11zM2.5 11l3.3-3.3 2.5 2.5 2-2 3.2 3.2M10.5 5.8h.01",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3l3.2 3.2",
  files: "M2 4.5a1 1 0 0 1 1-1h3l1.5 1.8H13a1 1 0 0 1 1 1v5.7a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z",
  checks: "M8 1.8 13 3.6v3.6c0 3.2-2 5.6-5 7-3-1.4-5-3.8-5-7V3.6zM5.6 7.8l1.8 1.8 3-3.4",
  chat: "M2.5 3.2h11v7.6H7.3l-3 2.5v-2.5H2.5z",
  skills: "M8 1.8 9.6 6.4 14.2 8 9.6 9.6 8 14.2 6.4 9.6 1.8 8 6.4 6.4z",
  share: "M5.2 4.2a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM1.8 13c0-2.2 1.5-3.6 3.4-3.6s3.4 1.4 3.4 3.6M10.8 4.8a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6ZM10.6 9.7c2-.1 3.6 1.2 3.6 3.3",
  comments: "M2.5 3.2h11v7.6H7.3l-3 2.5v-2.5H2.5zM5.2 6h5.6M5.2 8.3h3.6",
  pen: "M3 13c1.5-4.5 4-8 10-10-.5 4-3 7.5-7.5 7.8M3 13l3-3.5",
  tool: "M8 4.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4Z",
} as const;

export type IconName = keyof typeof paths;

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(NS, "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}

/** Creates the logo of copydesk: a blue pencil. */
export function logo(): SVGSVGElement {
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "logo");
  svg.setAttribute("aria-hidden", "true");
  const parts = [
    ["logo-body", "M14.8 5.1 18.9 9.2 9.3 18.8 5.2 14.7z"],
    ["logo-end", "m16 3.9.9-.9a1.9 1.9 0 0 1 2.7 0l1.4 1.4a1.9 1.9 0 0 1 0 2.7l-.9.9z"],
    ["logo-tip", "M4.6 15.9 8.1 19.4 3.9 20.9a.6.6 0 0 1-.8-.8z"],
    ["logo-line", "M11.5 21.2h9"],
  ] as const;
  for (const [name, d] of parts) {
    const path = document.createElementNS(NS, "path");
    path.setAttribute("class", name);
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

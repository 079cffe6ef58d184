/** Icons: line drawings in a 16 × 16 view box, in the current color. */
import paths from "./icons.json";

const NS = "http://www.w3.org/2000/svg";
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

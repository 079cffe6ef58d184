/** The stylesheet of exported pages and books. */

/** For screens, paper and readers of books. */
export const STYLESHEET = `
body { font-family: "Iowan Old Style", Georgia, "Songti SC", "Noto Serif CJK SC", SimSun, serif; line-height: 1.6; }
img { max-width: 100%; height: auto; }
figure { margin: 1.2em 0; text-align: center; }
blockquote { margin: 1em 0 1em 1.2em; padding-left: 1em; border-left: 3px solid #bbb; }
pre { padding: 0.8em; overflow-x: auto; background: #f4f4f4; white-space: pre-wrap; }
code { font-family: ui-monospace, Consolas, monospace; font-size: 0.92em; }
table { border-collapse: collapse; width: 100%; margin: 1em 0; }
th, td { border: 1px solid #bbb; padding: 0.3em 0.6em; text-align: start; vertical-align: top; }
th > p, td > p, li > p { margin: 0.2em 0; }
ul.tasks { list-style: none; padding-left: 0.4em; }
ul.tasks > li > input { float: left; margin: 0.5em 0.6em 0 0; }
`;

/** For pages: a column of text, and chapters on sheets of their own when printed. */
export const PAGE_STYLESHEET = `
@media screen { body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; } }
@page { margin: 22mm 20mm; }
@media print {
  section + section, nav + section { break-before: page; }
  h1, h2, h3, h4, h5, h6 { break-after: avoid; }
  figure, tr, pre { break-inside: avoid; }
  p { orphans: 2; widows: 2; }
  a { color: inherit; text-decoration: none; }
}
`;

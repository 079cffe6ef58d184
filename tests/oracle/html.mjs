// Random HTML: pasted, written by models, and malformed.

const WORDS = ['alpha', 'beta', 'x', 'The', '12', 'naïve', '中文字', '日本', '😀', '👨‍👩‍👧‍👦', 'e\u0301', '\u200b', '&amp;', '&lt;b&gt;', '&nbsp;',
  '&copy', '&notit;', '&#128512;', '&#x41;', '&#0;', '&#xD800;', '&bogus;', '&', '<', '< b', '>', '"', "'", '\u00a0', '\u2028', '\ufeff', '\u3000', '-', '.', 'https://a.b/c?d=e&f=g']
/** A carriage return before the end of a tag makes Chromium drop the newline after it: see the README. */
const SWALLOWED = /\r\n?[ \t\f\n]*>\n/g
const SPACES = ['', ' ', ' ', ' ', '  ', '\n', '\n  ', '\n\n', '\t', ' \n ', '\r\n', '\r', '\f', '\v', '&#10;', '&#13;', '&#32;', '&#9;', '\n\u00a0 ', '\n  \n']
const INLINE = ['b', 'strong', 'i', 'em', 'u', 's', 'del', 'strike', 'code', 'span', 'a', 'mark', 'small', 'sub', 'font', 'label', 'q', 'ins', 'kbd', 'abbr', 'nobr', 'tt', 'big', 'cite', 'time', 'button']
const BLOCK = ['p', 'p', 'p', 'div', 'h1', 'h2', 'h3', 'h6', 'blockquote', 'ul', 'ol', 'pre', 'section', 'article', 'figure', 'figcaption', 'header', 'center', 'details', 'summary', 'address', 'dl', 'dt', 'dd', 'fieldset', 'main', 'nav', 'hgroup', 'listing']
const TABLE = ['table', 'tr', 'td', 'th', 'tbody', 'thead', 'tfoot', 'caption', 'colgroup', 'col']
const ODD = ['svg', 'math', 'template', 'noscript', 'script', 'style', 'textarea', 'title', 'select', 'option', 'optgroup', 'object', 'iframe', 'video', 'canvas', 'head', 'body', 'html', 'frameset', 'ruby', 'rt', 'rp', 'xmp', 'plaintext', 'noembed', 'marquee', 'applet', 'foreignObject', 'desc', 'mi', 'annotation-xml', 'image', 'input', 'menu', 'search', 'dialog', 'custom-el']
const VOID = ['br', 'br', 'br', 'hr', 'img', 'img', 'wbr', 'input', 'col', 'embed', 'link', 'meta']

const STYLES = ['font-weight: bold', 'font-weight:700', 'font-weight: 400', 'font-weight:normal', 'font-weight: 450', 'font-weight: bolder', 'font-weight: 1000', 'font-weight: 99', 'font-weight:500', 'FONT-WEIGHT: Bold', 'font-weight: bold !important',
  'font-style: italic', 'font-style:normal', 'font-style: oblique', 'font-style: bogus',
  'text-decoration: underline', 'text-decoration: line-through', 'text-decoration: underline line-through', 'text-decoration: none', 'text-decoration: underline red', 'text-decoration: underline dotted 2px', 'text-decoration-line: underline', 'text-decoration: bogus underline', 'text-decoration: overline',
  'white-space: pre', 'white-space:pre-wrap', 'white-space: pre-line', 'white-space: nowrap', 'white-space: normal', 'white-space: break-spaces', 'white-space-collapse: preserve',
  'font: bold 12px serif', 'font: italic 1em/1.5 "A B", sans-serif', 'font: 12px', 'text-align: center', 'text-align:right', 'text-align: justify', 'text-align: bogus', 'list-style-type: upper-roman', 'list-style-type:lower-alpha', 'list-style-type: disc',
  'text-decoration-line: underline; text-decoration-style: solid; text-decoration-color: red; text-decoration-thickness: auto', 'text-decoration: underline; text-decoration-line: none', 'text-decoration: underline !important; text-decoration: none', 'text-decoration: underline underline', 'text-decoration: none underline', 'text-decoration: dotted line-through blue 10%', 'text-decoration: inherit', 'text-decoration: var(--underline)', 'text-decoration: UNDERLINE', 'text-decoration: underline rgb(1, 2, 3)', 'text-decoration: underline #12345', 'text-decoration: blink', 'text-decoration: underline 5', 'text-decoration: underline 0', 'text-decoration: spelling-error',
  'font-weight: 700.0', 'font-weight: 7e2', 'font-weight: +600', 'font-weight: 0', 'font-weight: 1001', 'font-weight: 400 ', 'font-weight: 400.0', 'font-weight: calc(700)', 'font-weight: inherit', 'font-weight: bold;;', 'font-weight: bold normal', 'font-weight : 900', 'font-weight: bold ! important', 'font-weight: bold !imp', 'font-weight: bold/* x */', 'font-weight: bo/**/ld', 'font-weight: 550', 'font-weight: lighter', 'font-weight: var(--b, bold)', 'font-weight: bold}', '{font-weight: bold}', 'font-weight: "bold"', 'font-weight: bold) ; color: red',
  'font-style: oblique 10deg', 'font-style: italic normal', 'font-style: initial', 'font-style: ITALIC', 'font: normal 1px a', 'font: 700 1px a', 'font: small-caps bold 12px/14px Arial, b', 'font: caption', 'font: inherit', 'font: bold large "x y"', 'font: bold', 'font: italic bold .8em/1.2 Arial', 'font: 100% serif', 'font: condensed 1pt x', 'font: bold italic 12px',
  'white-space: preserve', 'white-space: preserve nowrap', 'white-space: collapse', 'white-space: preserve-breaks', 'white-space: wrap', 'white-space: PRE', 'white-space: pre normal', 'white-space: inherit', 'white-space-collapse: preserve; text-wrap-mode: wrap', 'white-space: pre; white-space: normal', 'white-space: pre !important; white-space: normal', 'text-wrap: nowrap', 'text-wrap-mode: nowrap',
  'all: unset', 'font-weight: bold; all: initial', 'text-align: start', 'text-align: -webkit-center', 'text-align: Left', 'text-align: left right', 'text-align: var(--a)', 'list-style-type:UPPER-ALPHA ; x: y', 'LIST-STYLE-TYPE: lower-latin', 'list-style: upper-roman', 'x-list-style-type: lower-roman',
  'color: red', 'color: red; font-weight: bold; font-weight: normal', 'font-weight: bold; font-weight: bogus', '--x: 1', 'background: url("a;b:c")', '/* c */ font-weight: bold', 'font-weight', ':', ';', '']
const HREFS = ['/x', 'https://a.b/c', 'http://a', '#h', '', ' ', 'javascript:alert(1)', ' java\nscript:x', 'JAVASCRIPT:x', 'mailto:a@b', 'tel:1', 'data:text/html,x', 'ftp://x', 'foo', 'foo:bar', 'a1:b', 'x.y:z', '//a.b', '1:2', '?q=1', 'https://a.b/?a=1&amp;b=&quot;2&quot;', 'blob:x', 'é:x', 'vbscript&colon;x']
const SOURCES = ['/1.png', 'https://a.b/c.jpg', 'data:image/png;base64,AAAA', 'DATA:x', '', ' data:x', '123', 'true', 'a"b']
const CLASSES = ['language-js', 'language-', 'x language-a language-b', 'foo', 'hljs language-c++', 'language-js language-js', '  ']
const VALUES = ['', '1', '2', '0', '-1', '3.5', '.5', '5.', '+7', 'true', 'false', 'abc', ' 4', '007', '1e3', 'taskList', 'taskItem', 'left', 'CENTER', ' right ', 'justify', 'I', 'a', '100', '50,60', '0,30', 'x,y', '<b>', 'a&amp;b', '12px']
const ATTRIBUTES = ['start', 'type', 'level', 'colspan', 'rowspan', 'colwidth', 'align', 'width', 'height', 'alt', 'title', 'class', 'target', 'rel', 'data-type', 'data-checked', 'id', 'language', 'checked', 'span', 'dir']

function attribute(random, name, value) {
  const quote = random.pick(['"', '"', '"', "'"])
  if (quote === "'" && value.includes("'")) return ` ${name}="${value}"`
  return quote === '"' ? ` ${name}="${value.replaceAll('"', '&quot;')}"` : ` ${name}='${value}'`
}

function attributes(random, tag) {
  let out = ''
  if (tag === 'a' && random.chance(0.85)) out += attribute(random, random.pick(['href', 'href', 'href', 'HREF']), random.pick(HREFS))
  if (tag === 'img' && random.chance(0.9)) out += attribute(random, 'src', random.pick(SOURCES))
  if ((tag === 'code' || tag === 'pre') && random.chance(0.4)) out += attribute(random, 'class', random.pick(CLASSES))
  if (tag === 'ul' && random.chance(0.3)) out += attribute(random, 'data-type', 'taskList')
  if (tag === 'li' && random.chance(0.25)) out += attribute(random, 'data-type', 'taskItem') + (random.chance(0.5) ? attribute(random, 'data-checked', random.pick(['true', 'false', '', 'x'])) : '')
  if (tag === 'ol' && random.chance(0.3)) out += attribute(random, random.pick(['start', 'type']), random.pick(VALUES))
  if ((tag === 'td' || tag === 'th') && random.chance(0.3)) out += attribute(random, random.pick(['colspan', 'rowspan', 'colwidth', 'align']), random.pick(VALUES))
  if (tag === 'col' && random.chance(0.5)) out += attribute(random, 'width', random.pick(VALUES))
  if (tag === 'font' && random.chance(0.5)) out += attribute(random, 'color', 'red')
  if (tag === 'annotation-xml' && random.chance(0.5)) out += attribute(random, 'encoding', 'text/html')
  if (random.chance(0.15)) out += attribute(random, 'style', random.times(1, 3, () => random.pick(STYLES)).join(random.pick([';', '; ', ' ;'])))
  if (random.chance(0.08)) out += attribute(random, random.pick(ATTRIBUTES), random.pick(VALUES))
  return out
}

function text(random) {
  return random.times(1, 4, () => random.pick(WORDS) + random.pick(SPACES)).join('')
}

function tagFor(random, where) {
  const roll = random.below(100)
  if (where === 'list') return roll < 75 ? 'li' : roll < 90 ? random.pick(['ul', 'ol']) : random.pick(BLOCK)
  if (where === 'table') return roll < 90 ? random.pick(['tr', 'tr', 'td', 'th', ...TABLE]) : random.pick(BLOCK)
  if (where === 'row') return roll < 90 ? random.pick(['td', 'td', 'th']) : random.pick(TABLE)
  if (where === 'inline') return roll < 80 ? random.pick(INLINE) : roll < 95 ? random.pick(BLOCK) : random.pick(ODD)
  return roll < 55 ? random.pick(BLOCK) : roll < 80 ? random.pick(INLINE) : roll < 88 ? 'table' : roll < 95 ? 'li' : roll < 97 ? random.pick(TABLE) : random.pick(ODD)
}

function inside(tag) {
  if (tag === 'ul' || tag === 'ol' || tag === 'menu') return 'list'
  if (tag === 'table' || tag === 'tbody' || tag === 'thead' || tag === 'tfoot') return 'table'
  if (tag === 'tr') return 'row'
  if (INLINE.includes(tag) || /^(p|h\d|pre|code)$/.test(tag)) return 'inline'
  return 'block'
}

function content(random, where, depth, out) {
  for (let left = random.below(depth > 5 ? 2 : 5) + (depth === 0 ? 1 : 0); left > 0; left--) {
    if (random.chance(0.25)) out.push(random.pick(SPACES))
    const roll = random.below(100)
    if (roll < (where === 'inline' ? 45 : where === 'block' ? 20 : 6) || depth > 9) out.push(text(random))
    else if (roll < 52 && roll > 44) {
      const tag = random.pick(VOID)
      out.push(`<${tag}${attributes(random, tag)}${random.chance(0.2) ? '/' : ''}>`)
    } else if (roll === 99) out.push(random.pick(['<!-- c <p>x</p> -->', '<!-->', '<![CDATA[x<p>y]]>', '<?php x ?>', '</>', '</3>', '<3', '</p>', '</br>', '</div>', '</li>', '</table>', '</b>', '<p', '<p x="', 'a\0b', '<a\0b>', '<p a\0=b>']))
    else element(random, tagFor(random, where), depth, out)
  }
  if (random.chance(0.15)) out.push(random.pick(SPACES))
}

function element(random, tag, depth, out) {
  out.push(`<${random.chance(0.03) ? tag.toUpperCase() : tag}${attributes(random, tag)}${random.chance(0.02) ? '/' : ''}>`)
  content(random, inside(tag), depth + 1, out)
  // README.md says why body is not closed.
  if (tag === 'body' || tag === 'html') return
  // Closed, left open, or closed with another tag.
  const end = random.below(100)
  if (end < 88) out.push(`</${tag}>`)
  else if (end < 92) out.push(`</${random.pick([...INLINE, ...BLOCK, ...TABLE])}>`)
}

/** Returns random HTML, from a few characters to a few thousand. */
export function randomHtml(random) {
  const out = []
  for (let left = 1 + random.below(3); left > 0; left--) content(random, random.pick(['block', 'block', 'block', 'inline', 'list', 'table']), 0, out)
  const html = (random.chance(0.1) ? damaged(random, out) : out.join('')).replace(SWALLOWED, '>\n')
  return random.chance(0.02) ? `<!doctype html>${html}` : html
}

/** Reorders, duplicates or truncates parts. */
function damaged(random, pieces) {
  const out = [...pieces]
  for (let left = 1 + random.below(4); left > 0; left--) {
    const at = random.below(out.length)
    const roll = random.below(3)
    if (roll === 0) out.splice(random.below(out.length), 0, out[at])
    else if (roll === 1) out.splice(at, 1)
    // By code points, so that no lone surrogate results.
    else if (out[at]) out[at] = [...out[at]].slice(0, random.below(out[at].length + 1)).join('')
    if (!out.length) break
  }
  return out.join('').replace(/<\/(body|html)\b/gi, '</x')
}

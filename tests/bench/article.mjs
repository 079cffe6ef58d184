// Generates the articles to measure with: any length, deterministic per seed.

import { randomFrom } from '../oracle/random.mjs'

const WORDS = 'the of tea and water leaf a warm mountain garden which steams cup before morning kettle black green slowly harvest market first autumn letters porcelain trade ships quietly measured fermentation history province'.split(' ')
const SIGNS = '茶叶水山春天采摘工艺历史文化一杯热气清香口感悠长市场品质传统现代生活的是在和有人这中大为上个国以要他时来用们'
const ENDS = ['.', '.', '.', '?', '!']
const size = new TextEncoder()

/**
 * Returns an article of about `bytes` bytes of HTML: sections with paragraphs, lists, tables, images, quotes and code.
 * Blocks are separated by a line break, or by `between`.
 */
export function article(bytes, { seed = 1, between = '\n' } = {}) {
  const random = randomFrom(seed)
  const pieces = [`<h1>${sentence(random, 5)}</h1>`, paragraph(random)]
  let length = 0
  for (const piece of pieces) length += size.encode(piece).length
  while (length < bytes) {
    const piece = block(random)
    pieces.push(piece)
    length += size.encode(piece).length
  }
  return pieces.join(between)
}

function block(random) {
  const roll = random.below(100)
  if (roll < 62) return paragraph(random)
  if (roll < 67) return `<h2>${sentence(random, 4)}</h2>`
  if (roll < 74) return `<h3>${sentence(random, 4)}</h3>`
  if (roll < 82) return list(random)
  if (roll < 86) return `<blockquote>${paragraph(random)}${paragraph(random)}</blockquote>`
  if (roll < 90) return table(random)
  if (roll < 94) return `<img src="https://example.org/${random.below(10000)}.jpg" alt="${sentence(random, 4)}">`
  if (roll < 98) return `<pre><code class="language-js">${random.times(3, 12, () => `const ${word(random)} = steep(${random.below(100)});`).join('\n')}</code></pre>`
  return '<hr>'
}

const word = (random) => random.pick(WORDS)
const signs = (random, least, most) => random.times(least, most, () => SIGNS[random.below(SIGNS.length)]).join('')
const sentence = (random, most) => (random.chance(0.3) ? signs(random, 3, 3 * most) : random.times(2, most, () => word(random)).join(' '))
const paragraph = (random) => `<p>${random.times(2, 6, () => (random.chance(0.3) ? chinese(random) : english(random))).join(' ')}</p>`
const chinese = (random) => `${signs(random, 8, 20)}，${marked(random, signs(random, 2, 8))}${signs(random, 5, 20)}。`
const english = (random) => `${random.times(4, 12, () => word(random)).join(' ')} ${marked(random, word(random))} ${random.times(2, 10, () => word(random)).join(' ')}${random.pick(ENDS)}`

function marked(random, text) {
  const roll = random.below(10)
  if (roll < 5) return text
  if (roll < 7) return `<strong>${text}</strong>`
  if (roll === 7) return `<em>${text}</em>`
  if (roll === 8) return `<code>${text}</code>`
  return `<a href="https://example.org/${random.below(1000)}?q=${random.below(10)}&amp;r=1">${text}</a>`
}

function list(random) {
  const tag = random.pick(['ul', 'ol'])
  const item = () => `<li><p>${english(random)}</p>${random.chance(0.1) ? `<ul><li><p>${english(random)}</p></li></ul>` : ''}</li>`
  return `<${tag}>${random.times(3, 8, item).join('')}</${tag}>`
}

function table(random) {
  const columns = 2 + random.below(3)
  const row = (tag) => `<tr>${random.times(columns, columns, () => `<${tag}><p>${sentence(random, 5)}</p></${tag}>`).join('')}</tr>`
  return `<table><tbody>${row('th')}${random.times(2, 6, () => row('td')).join('')}</tbody></table>`
}

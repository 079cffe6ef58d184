// Measures the time from a key to the painted page in the demo, with and without pending changes in the document.
//
//   cargo xtask bench keys
//
// Prints medians and ratios; asserts nothing.

import { join } from 'node:path'
import { root, serve, theBrowser } from '../browser/serving.mjs'
import { article } from './article.mjs'
import { close, factor, median, ms, table } from './page.mjs'

const BYTES = 100_000
const COUNTS = [0, 10, 870]
const KEYS = 31

/** Opens the demo with an article of which `count` lines have a pending change, and the cursor in a paragraph in view. */
export async function openArticle(count) {
  const { url } = await serve(join(root, 'www/dist'))
  const context = await (await theBrowser()).newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await page.addInitScript(() => localStorage.setItem('copydesk.mode', 'review'))
  await page.goto(url)
  await page.waitForSelector('html[data-ready]')
  const found = await page.evaluate(async ([html, count]) => {
    const { editor } = document.querySelector('.tiptap')
    editor.commands.setContent(html)
    const bound = editor.storage.copydesk.document
    // Words that occur often enough; each of them becomes one change.
    for (const word of ['the', 'of', 'tea', 'and', 'water', 'leaf', 'warm', 'garden', 'mountain', 'cup']) {
      const left = count - bound.hunks().length
      if (left <= 0) break
      const lines = bound.lines().filter(({ type, text }) => type === 'paragraph' && text.includes(` ${word} `))
      const edits = lines.slice(0, left).map(({ line, text }) => ({ start_line: line, end_line: line, content: text.replace(` ${word} `, ` certainly ${word} `), format: 'text' }))
      bound.apply({ operation: 'replace_lines', edits })
    }
    return bound.hunks().length
  }, [article(BYTES), count])
  // The whole page, the saving of the document included, is at rest.
  await page.waitForTimeout(3000)
  const place = page.locator('.tiptap > p').nth(40)
  await place.scrollIntoViewIfNeeded()
  await place.evaluate((element) => {
    const { editor } = document.querySelector('.tiptap')
    editor.commands.focus(editor.view.posAtDOM(element, 0), { scrollIntoView: false })
  })
  // The editor takes the focus in the next frame.
  await page.waitForFunction(() => document.querySelector('.tiptap').editor.isFocused)
  return { page, context, found }
}

/** Returns the times from each key to the paint after it. */
export async function keyTimes(page, keys) {
  await page.evaluate(() => {
    window.keyTimes = []
    addEventListener('keydown', () => {
      const start = performance.now()
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => window.keyTimes.push(performance.now() - start)
        port2.postMessage(null)
      })
    }, true)
  })
  for (let key = 0; key < keys; key += 1) {
    await page.keyboard.press('x')
    await page.waitForFunction((count) => window.keyTimes.length === count, key + 1)
    // What follows a key, such as saving, is over before the next one.
    await page.waitForTimeout(700)
  }
  if (!(await page.textContent('.tiptap')).includes('x'.repeat(keys))) throw new Error('the keys were not typed into the document')
  return page.evaluate(() => window.keyTimes.slice(3))
}

if (process.argv[1] === import.meta.filename) {
  const rows = [['pending changes', 'a key, painted', 'against none']]
  let none
  for (const count of COUNTS) {
    const { page, context, found } = await openArticle(count)
    const time = median(await keyTimes(page, KEYS))
    none ??= time
    rows.push([String(found), ms(time), factor(time / none)])
    await context.close()
  }
  table('One key in an article of 100 kB in the demo', rows)
  await close()
}

// Pages that measure, and the printing of their results.
//
// Every benchmark checks what it has measured and fails if the work was not done. With `--smallest` it measures its
// smallest input once: so the tests run it. No time is asserted.

import { appendFileSync } from 'node:fs'
import { basename } from 'node:path'
import { buildPage, closeAll, serve, theBrowser } from '../browser/serving.mjs'

/** Returns `all`, or with `--smallest` what the tests measure instead. */
export const sized = (all, smallest) => (process.argv.includes('--smallest') ? smallest : all)

/** Headers that give a page's clock a resolution of 5 µs instead of 100. */
const headers = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }

/** Builds and serves the page in a folder. Returns a function that loads it afresh and measures. */
export async function measuring(dir, options) {
  const { url } = await serve(await buildPage(dir), { headers, ...options })
  return async (name, ...args) => {
    const context = await (await theBrowser()).newContext()
    const page = await context.newPage()
    page.setDefaultTimeout(0)
    // A page that fails while it loads is never ready.
    const failed = new Promise((_, reject) => page.once('pageerror', reject))
    failed.catch(() => {})
    await page.goto(url)
    await Promise.race([page.waitForFunction(() => window.ready), failed])
    try {
      return await Promise.race([page.evaluate(([name, args]) => window[name](...args), [name, args]), failed])
    } finally {
      await context.close()
    }
  }
}

export const close = closeAll

/** Returns the middle of some times. Fails if there is none, or if one is no time. */
export function median(values) {
  if (!values.length || !values.every(Number.isFinite)) throw new Error(`these are no times: [${values}]`)
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

export const medians = ({ times }) => Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]))
export const ms = (value) => (value < 1 ? `${(value * 1000).toFixed(0)} µs` : value < 100 ? `${value.toFixed(1)} ms` : `${value.toFixed(0)} ms`)
/** Formats a ratio. */
export const factor = (value, decimals = value < 10 ? 1 : 0) => `${value.toFixed(decimals)}×`
export const share = (value) => `${(value * 100).toFixed(value < 0.1 ? 1 : 0)} %`
export const mb = (value) => `${(value / 1e6).toFixed(1)} MB`

/** Appends a line to the results of `cargo xtask bench --write`. */
const record = (result) => {
  const file = process.env.COPYDESK_BENCH_RESULTS
  if (file) appendFileSync(file, `${JSON.stringify({ bench: basename(process.argv[1], '.mjs'), ...result })}\n`)
}

/** Reports the figures of a row of `goals.mjs`. */
export const figures = (row, ...values) => record({ row, values })

/** Prints rows of cells under a heading; the first column is left-aligned, the others right-aligned. */
export function table(title, rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => [...row[column]].length)))
  console.log(`\n${title}`)
  for (const row of rows) {
    console.log(`  ${row.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[column]))).join('   ')}`)
  }
  record({ title, rows })
}

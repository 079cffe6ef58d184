// Runs TipTap in Chromium and writes its results, one JSON object per line.
//
//   node tests/oracle/ask.mjs html|documents <seed> <count> [file]
//   node tests/oracle/ask.mjs details|text-styles|inline-atoms [file]
//   node tests/oracle/ask.mjs given <file of JSON strings, one a line> [file]

import { createWriteStream, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { closeAll, theBrowser } from '../browser/serving.mjs'

/** The modules that answer for some extensions. */
const EXTENSIONS = ['details', 'text-styles', 'inline-atoms']

/** Opens a page with a global `oracle`, set by a module in this folder. */
async function openOracle(module = 'page.mjs') {
  const entry = fileURLToPath(new URL(module, import.meta.url))
  const bundled = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'page' } },
  })
  const script = [bundled].flat()[0].output[0].code
  const page = await (await theBrowser()).newPage()
  await page.addScriptTag({ content: script })
  return page
}

async function main([kind, ...rest]) {
  if (EXTENSIONS.includes(kind)) return answersOf(kind, rest[0])
  const page = await openOracle()
  const given = kind === 'given' ? readFileSync(rest.shift(), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)) : []
  const [seed, count] = kind === 'given' ? [0, given.length] : rest.splice(0, 2).map(Number)
  const out = rest[0] ? createWriteStream(rest[0]) : process.stdout
  for (let done = 0; done < count; done += 500) {
    const size = Math.min(500, count - done)
    const lines = await page.evaluate(([kind, from, size, given]) => {
      const answers = kind === 'given' ? given.map(oracle.parse) : kind === 'html' ? oracle.htmls(from, size) : oracle.documents(from, size)
      return answers.map((answer) => JSON.stringify(answer) + '\n').join('')
    }, [kind, seed + done, size, given.slice(done, done + size)])
    out.write(lines)
  }
}

/** Writes what the page of some extensions answers. */
async function answersOf(extensions, file) {
  const page = await openOracle(`${extensions}.mjs`)
  const out = file ? createWriteStream(file) : process.stdout
  for (const answers of await page.evaluate(() => oracle.answers())) out.write(JSON.stringify(answers) + '\n')
}

await main(process.argv.slice(2))
await closeAll()

// `cargo xtask fuzz-documents`: compares copydesk with TipTap on random inputs.
//
//   node tests/oracle/fuzz.mjs <cases> <seed>

import { closeAll, servePage, theBrowser } from '../browser/serving.mjs'

/** Cases after which a page is replaced: a browser's memory grows with what it has parsed. */
const PAGE = 5_000
const BATCH = 500
/** Number of differences that are shown. */
const MOST = 10

const [cases, seed] = process.argv.slice(2).map(Number)
const started = performance.now()
const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`

const url = await servePage('oracle')
let found = 0
for (const [check, what] of [['compareHTMLs', 'HTML'], ['compareDocuments', 'documents']]) {
  for (let done = 0; done < cases && found < MOST; done += PAGE) {
    const context = await (await theBrowser()).newContext()
    const page = await context.newPage()
    await page.goto(url)
    await page.waitForFunction(() => window.ready)
    const end = Math.min(done + PAGE, cases)
    for (let at = done; at < end && found < MOST; at += BATCH) {
      const args = [check, seed + at, Math.min(BATCH, end - at)]
      const differences = await page.evaluate(([check, ...args]) => window[check](...args), args)
      for (const { seed, what: where, input, ours, theirs } of differences) {
        console.log(`\nseed ${seed} differs in ${where}\n  input   ${JSON.stringify(input)}\n  copydesk ${ours}\n  TipTap   ${theirs}`)
      }
      found += differences.length
    }
    await context.close()
    console.log(`${what}: ${end} of ${cases} from seed ${seed}, ${found} different (${seconds()})`)
  }
}
await closeAll()
console.log(found ? `${found} differences` : `no difference in ${2 * cases} cases`)
process.exitCode = found ? 1 : 0

// Adds the results of benchmarks to tests/bench/measured.json, and writes docs/PERFORMANCE.md, the page of it.
//
//   node tests/bench/report.mjs <file with results> <benchmark>...

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { GOALS } from './goals.mjs'

const file = (path) => new URL(`../../${path}`, import.meta.url)
const MEASURED = file('tests/bench/measured.json')
const PAGE = file('docs/PERFORMANCE.md')

/** Returns the stored results: for each benchmark its date, the machine, its tables and the figures of its goals. */
export const measured = () => (existsSync(MEASURED) ? JSON.parse(readFileSync(MEASURED, 'utf8')) : {})
/** Returns the text of docs/PERFORMANCE.md. */
export const writtenPage = () => readFileSync(PAGE, 'utf8')

const escaped = (cell) => cell.trim().replaceAll('|', '\\|')
const row = (cells) => `| ${cells.map(escaped).join(' | ')} |`
const markdown = (rows) => [row(rows[0]), row(rows[0].map(() => '---')), ...rows.slice(1).map(row)].join('\n')

/** Returns the page of results. */
export function page(results) {
  const summary = Object.entries(GOALS).map(([name, { bench, work, comparedWith, goal }]) => {
    const values = results[bench]?.figures[name]
    return [work, comparedWith, values?.join(' / ').replaceAll('×', ' ×') ?? 'not measured', goal, `\`${bench}\``, results[bench]?.date ?? '–']
  })
  const details = Object.entries(results).map(([bench, { date, machine, tables }]) => {
    const all = tables.map(({ title, rows }) => `${title}:\n\n${markdown(rows)}`)
    return `## ${bench}\n\n\`cargo xtask bench ${bench}\`, on ${date}, ${machine}.\n\n${all.join('\n\n')}`
  })
  return `# Performance

The results of the benchmarks and their goals. Written by \`cargo xtask bench --write\`; do not edit.

\`cargo xtask bench NAME --write\` measures one of them and writes its figures again; without \`--write\` it only prints them.
Each benchmark checks its results and fails if the work was not done; no test asserts a time. Figures with × and %
compare with another program in the same run on the same machine, so they say more than times. Times are medians. Most of
these were measured while other programs used the same processors: measure again on a quiet machine before you compare.

${markdown([['work', 'compared with', 'measured', 'goal', 'benchmark', 'on'], ...summary])}

Positions and numbers of all lines behind a change move with it. \`lines()\` returns each of them as an object, so its time
grows with the document; \`numbered({ start, end })\` reads only a range.

${details.join('\n\n')}
`
}

/** Adds the results of benchmarks, and writes the page again. */
function write(results, benches) {
  const all = measured()
  const [cpu] = cpus()
  const machine = `${availableParallelism()} processors (${cpu?.model.trim() ?? 'unknown'}), Node ${process.versions.node}`
  const lines = readFileSync(results, 'utf8').trim().split('\n').map((line) => JSON.parse(line))
  for (const bench of benches) {
    const own = lines.filter((line) => line.bench === bench)
    const figures = Object.fromEntries(own.filter((line) => line.row).map(({ row, values }) => [row, values]))
    const missing = Object.entries(GOALS).filter(([name, goal]) => goal.bench === bench && !figures[name])
    if (missing.length) throw new Error(`${bench} has not measured: ${missing.map(([name]) => name).join(', ')}`)
    const tables = own.filter((line) => line.title).map(({ title, rows }) => ({ title, rows }))
    if (!tables.length) throw new Error(`${bench} has printed no table`)
    all[bench] = { date: new Date().toISOString().slice(0, 10), machine, figures, tables }
  }
  writeFileSync(MEASURED, `${JSON.stringify(all, null, 1)}\n`)
  writeFileSync(PAGE, page(all))
}

if (process.argv[1] === import.meta.filename) {
  const [results, ...benches] = process.argv.slice(2)
  write(results, benches)
}

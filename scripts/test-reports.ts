import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readFifth } from './test/doubled.ts'
import type { ReportLine } from './test/records.ts'
import { compareReports } from './test-reports/compare.ts'
import { countFlaky } from './test-reports/flaky.ts'
import { listTests } from './test-reports/names.ts'

// Reads the reports that `npm run test:all -- --report <file>` writes.
// `node scripts/test-reports.ts names [<fifth>]` writes the names of all tests as a report, without running them.
// `node scripts/test-reports.ts compare <before> <after>…` lists the tests that no longer run, and those that no longer
// run on a database. Several reports after the change, for example of a push and of the night, count as one.
// `node scripts/test-reports.ts flaky <report>…` adds up the flaky files of several runs.
const { positionals } = parseArgs({ allowPositionals: true })
const [command, ...words] = positionals
const fifth = readFifth(words[0] ?? 'all')

if (command === 'names' && fifth !== undefined && words.length < 2) {
  for (const line of await listTests(fifth)) console.log(JSON.stringify(line))
} else if (command === 'compare' && words.length >= 2) {
  const [before, ...after] = words.map(readReport)
  const { lines, lost } = compareReports(before!, after.flat())
  console.log(lines.join('\n'))
  process.exitCode = lost > 0 ? 1 : 0
} else if (command === 'flaky' && words.length > 0) {
  const { lines, flaky } = countFlaky(words.map(readReport))
  console.log(lines.join('\n'))
  process.exitCode = flaky > 0 ? 1 : 0
} else {
  const usages = ['names [0-4|all]', 'compare <before> <after>…', 'flaky <report>…']
  console.error(usages.map((usage) => `usage: node scripts/test-reports.ts ${usage}`).join('\n'))
  process.exitCode = 2
}

function readReport(path: string): ReportLine[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as ReportLine)
}

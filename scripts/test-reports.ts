import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { ReportLine } from './test/records.ts'
import { compareReports } from './test-reports/compare.ts'
import { countFlaky } from './test-reports/flaky.ts'

// Reads the reports that `npm run test:all -- --report <file>` writes.
// `node scripts/test-reports.ts compare <before> <after>…` lists the tests that no longer run, and those that no longer
// run on a database. Several reports after the change, for example of a push and of the night, count as one.
// `node scripts/test-reports.ts flaky <report>…` adds up the flaky files of several runs.
const { positionals } = parseArgs({ allowPositionals: true })
const [command, ...paths] = positionals
const reports = paths.map(readReport)

if (command === 'compare' && reports.length >= 2) {
  const { lines, lost } = compareReports(reports[0]!, reports.slice(1).flat())
  console.log(lines.join('\n'))
  process.exitCode = lost > 0 ? 1 : 0
} else if (command === 'flaky' && reports.length > 0) {
  const { lines, flaky } = countFlaky(reports)
  console.log(lines.join('\n'))
  process.exitCode = flaky > 0 ? 1 : 0
} else {
  console.error('usage: node scripts/test-reports.ts compare <before> <after>… | flaky <report>…')
  process.exitCode = 2
}

function readReport(path: string): ReportLine[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as ReportLine)
}

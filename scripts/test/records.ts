import { appendFileSync } from 'node:fs'
import type { Outcome } from './run-file.ts'

/** One line of a report. scripts/test-reports.ts reads them. */
export interface ReportLine {
  part: string
  file: string
  isFlaky: boolean
  failed: number
  cpu: number
  seconds: number
  tests: { name: string; outcome: 'passed' | 'failed' | 'skipped' }[]
}

export function appendReport(path: string, outcome: Outcome): void {
  const { part, file, failed, failedBesideOthers, cpu, seconds, tests } = outcome
  const isFlaky = failedBesideOthers && failed === 0
  const line: ReportLine = { part, file, isFlaky, failed, cpu, seconds, tests }
  appendFileSync(path, `${JSON.stringify(line)}\n`)
}

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Fifth } from '../test/doubled.ts'
import { type Part, planParts } from '../test/parts.ts'
import type { ReportLine } from '../test/records.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, 'list-tests.ts')
/** Files choose tests by whether there is a server, and do not connect to it while they are loaded. */
const servers = { TEST_DATABASE_URL: 'postgres://127.0.0.1:1/none', TEST_REDIS_URL: 'redis://127.0.0.1:1' }

/** Lists the tests of all parts as a report, without running them. Excludes tests that other tests start. */
export async function listTests(fifth: Fifth): Promise<ReportLine[]> {
  const lists = await Promise.all(planParts({ only: [], patterns: [], fifth }).map(listPart))
  return lists.flat()
}

async function listPart({ name, files, uses, setup }: Part): Promise<ReportLine[]> {
  const env = { ...process.env, TEST_SETUP: setup, ...(uses.includes('postgres') && servers) }
  const { stdout } = await run(process.execPath, [program, ...files], { env, maxBuffer: 2 ** 27 })
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"file"'))
  return lines.map((line) => {
    const { file, names } = JSON.parse(line) as { file: string; names: string[] }
    const tests = names.map((test) => ({ name: test, outcome: 'skipped' as const }))
    return { part: name, file, isFlaky: false, failed: 0, cpu: 0, seconds: 0, tests }
  })
}

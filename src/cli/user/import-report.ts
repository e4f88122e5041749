import { once } from 'node:events'
import type { WriteStream } from 'node:fs'
import type { ImportSummary, LostPart, Problem } from '../../import/summary.ts'
import { inColumns, printable } from '../columns.ts'

interface ReportKind {
  isPlan: boolean
  /** Whether the command was started without `--run`. */
  suggestsRun?: boolean
  /** The estimated time for computing the required hashes. */
  hashSeconds?: number
}

export function fullReport(
  summary: ImportSummary,
  { isPlan, suggestsRun = false, hashSeconds = 0 }: ReportKind,
): string {
  const { rows, users, present, problems, withoutPassword, weakHashes } = summary
  const counts = [
    ['rows', number(rows)],
    [isPlan ? 'to import' : 'imported', number(users)],
    ['already imported', number(present)],
    ['with problems', number(problems)],
    ['without a password', number(withoutPassword)],
    ['hashes to strengthen', number(weakHashes) + (hashSeconds > 1 ? `, about ${duration(hashSeconds)}` : '')],
  ]
  const parts = [
    inColumns(counts.map(([name = '', count = '']) => [name, count])),
    listed('Roles', summary.roles),
    listed('Application roles', summary.applicationRoles),
    listed('Password hashes', summary.hashes),
    listed('Not imported', summary.lost),
    problemList(summary),
    changedUsers(summary),
    rows === 0 ? 'The file contains no rows. Check its format and the value of --from.\n' : '',
    isPlan ? `Nothing was changed.${suggestsRun && users > 0 ? nextStep(problems) : ''}\n` : '',
  ]
  return parts.filter(Boolean).join('\n')
}

const nextStep = (problems: number): string =>
  problems > 0 ? ' Import the users without problems with --run --skip-invalid.' : ' Import the users with --run.'

const number = (value: number): string => value.toLocaleString('en-US')

const duration = (seconds: number): string =>
  seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60).toLocaleString('en-US')} min`

function listed(title: string, counts: ReadonlyMap<string, number>): string {
  if (counts.size === 0) return ''
  const rows = [...counts].toSorted((left, right) => right[1] - left[1])
  return `${title}\n${inColumns(rows.map(([name, count]) => [`  ${printable(name)}`, number(count)]))}`
}

function problemList({ shown, problems }: ImportSummary): string {
  if (problems === 0) return ''
  const lines = shown.map(({ line, problem }) => `  line ${line}: ${printable(problem)}\n`).join('')
  const more = problems - shown.length
  return `Problems\n${lines}${more > 0 ? `  ${number(more)} more: see them all with --report\n` : ''}`
}

function changedUsers({ changed: { users, line } }: ImportSummary): string {
  if (users === 0) return ''
  const which = `Already imported with another email address: ${number(users)}, the first on line ${line}.`
  return `${which}\nIf they come from another system than the earlier users, they are other people with the same ids.\n`
}

const intervalMs = 2_000

export function progressLine(verb: string) {
  let next = performance.now() + intervalMs
  return ({ rows }: ImportSummary): void => {
    if (performance.now() < next) return
    next = performance.now() + intervalMs
    process.stderr.write(`${verb} ${number(rows)} rows\n`)
  }
}

export function outageLine(error: unknown): void {
  const reason = printable(error instanceof Error ? error.message : String(error))
  process.stderr.write(`The database does not answer (${reason}). Trying again.\n`)
}

export async function openReportFile(path: string | undefined) {
  if (path === undefined) return { problem: undefined, lost: undefined, close: async () => {} }
  const { createFile } = await import('../../lib/create-file.ts')
  const stream: WriteStream = await createFile(path)
  const add = async (entry: object) => {
    if (!stream.write(`${JSON.stringify(entry)}\n`)) await once(stream, 'drain')
  }
  return {
    problem: ({ line, problem }: Problem) => add({ line, problem }),
    lost: ({ line, lost }: LostPart) => add({ line, lost }),
    close: async () => {
      stream.end()
      await once(stream, 'finish')
    },
  }
}

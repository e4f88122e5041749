import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median } from '../numbers.ts'

export interface CommitFigures {
  /** Commits per second of one client. */
  single: number
  registration: number
  /** `single` with fsync divided by `single` without. */
  ratio: number
}

type Rates = Pick<CommitFigures, 'single' | 'registration'>

const run = promisify(execFile)
const rounds = 3
const load = join(import.meta.dirname, '../load/commits.ts')

/** Measures commits on the embedded database, alternating between with and without fsync. */
export async function measureCommits(): Promise<CommitFigures> {
  const [durable, relaxed]: [Rates[], Rates[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    durable.push(await ratesOf())
    relaxed.push(await ratesOf('no-sync'))
  }
  const middle = (rates: Rates[], name: keyof Rates) => median(rates.map((rate) => rate[name]))
  const single = middle(durable, 'single')
  return { single, registration: middle(durable, 'registration'), ratio: single / middle(relaxed, 'single') }
}

async function ratesOf(...input: string[]): Promise<Rates> {
  const { stdout } = await run(process.execPath, [load, ...input])
  return JSON.parse(stdout)
}

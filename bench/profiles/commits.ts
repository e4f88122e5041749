import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median } from '../numbers.ts'

export interface CommitFigures {
  /** Commits per second with a single client. */
  single: number
  registration: number
  /** `single` with fsync, divided by `single` without fsync. */
  ratio: number
  /** Transactions of six inserts per second, with normal and with slow fsync. */
  transactions: Record<'disk' | 'slowDisk', Pick<Rates, 'oneClient' | 'eightClients'>>
}

type Rates = Record<'single' | 'registration' | 'oneClient' | 'eightClients', number>

const run = promisify(execFile)
const rounds = 3
const load = join(import.meta.dirname, '../load/commits.ts')

/** Measures commits on the embedded database, alternating between fsync, no fsync and slow fsync. */
export async function measureCommits(): Promise<CommitFigures> {
  const [durable, relaxed, slow]: [Rates[], Rates[], Rates[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    durable.push(await ratesOf())
    relaxed.push(await ratesOf('no-sync'))
    slow.push(await ratesOf('slow-sync'))
  }
  const middle = (rates: Rates[], name: keyof Rates) => median(rates.map((rate) => rate[name]))
  const transactions = (rates: Rates[]) => ({
    oneClient: middle(rates, 'oneClient'),
    eightClients: middle(rates, 'eightClients'),
  })
  const single = middle(durable, 'single')
  return {
    single,
    registration: middle(durable, 'registration'),
    ratio: single / middle(relaxed, 'single'),
    transactions: { disk: transactions(durable), slowDisk: transactions(slow) },
  }
}

async function ratesOf(...input: string[]): Promise<Rates> {
  const { stdout } = await run(process.execPath, [load, ...input])
  return JSON.parse(stdout)
}

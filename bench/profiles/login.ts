import { join } from 'node:path'
import type { ClosedResult } from '../load/closed.ts'
import { assertOnly } from '../load/status.ts'
import { cores, startPinned } from '../process/pinned.ts'
import { type Comparison, compare } from '../rounds.ts'
import type { Stage } from '../stage.ts'

/** With this many connections, a password is always being hashed while other requests read and write rows. */
const connections = 8

/** POST /auth/login with the correct password, compared with a process that only computes the hash. */
export async function measureLogin(stage: Stage, rounds: number): Promise<Comparison> {
  const service = await stage.startService({ HASH_CONCURRENCY: '1' })
  const yardstick = startPinned(join(import.meta.dirname, '../yardsticks/argon2.ts'), cores.measured)
  try {
    const work = async (milliseconds: number) => {
      const load = { requests: 'login', port: service.port, connections, milliseconds }
      const { replies, statuses } = await stage.load.ask<ClosedResult>('closed', load)
      assertOnly(statuses, 200, service.output())
      return replies
    }
    const bareWork = (milliseconds: number) => yardstick.ask<number>('verify', { stored: stage.stored, milliseconds })
    await bareWork(500)
    // Warms up with about two thousand sign-ins. After a few hundred, V8 has not yet optimized most of the code.
    await work(15_000)
    return await compare(
      { process: service, work },
      { process: yardstick, work: bareWork },
      { rounds, leadIn: 0, measured: 2_500 },
    )
  } finally {
    await yardstick.stop()
    await service.stop()
  }
}

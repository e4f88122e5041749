import { join } from 'node:path'
import type { ClosedResult } from '../load/closed.ts'
import { assertOnly } from '../load/status.ts'
import { cores, startPinned } from '../process/pinned.ts'
import { postgresCpu } from '../process/postgres-cpu.ts'
import { type Comparison, compare } from '../rounds.ts'
import type { Stage } from '../stage.ts'
import { captureResponse } from '../yardsticks/capture.ts'

const connections = 64

export interface ValidateFigures extends Comparison {
  /** The fraction of responses served from memory. */
  fromMemory: number
  /** PostgreSQL's CPU time per response. Undefined on systems where it cannot be read. */
  postgresMicroseconds: number | undefined
}

/**
 * POST /auth/bridge/validate or GET /auth/verify for random sessions, compared with a node:http server that sends the
 * same bytes.
 */
export async function measureValidate(
  stage: Stage,
  rounds: number,
  settings: Record<string, string>,
  requests: 'validate' | 'verify' = 'validate',
): Promise<ValidateFigures> {
  const service = await stage.startService(settings)
  const yardstick = startPinned(join(import.meta.dirname, '../yardsticks/http.ts'), cores.measured)
  try {
    const barePort = await yardstick.ask<number>(
      'listen',
      await captureResponse(service.port, stage.requests[requests]),
    )
    const load = async (port: number, milliseconds: number) => {
      const result = await stage.load.ask<ClosedResult>('closed', {
        requests,
        port,
        connections,
        milliseconds,
      })
      assertOnly(result.statuses, 200, service.output())
      return result
    }
    const seen = { replies: 0, fromMemory: 0 }
    const work = async (milliseconds: number) => {
      const { replies, fromMemory } = await load(service.port, milliseconds)
      seen.replies += replies
      seen.fromMemory += fromMemory
      return replies
    }
    const bareWork = async (milliseconds: number) => (await load(barePort, milliseconds)).replies
    await bareWork(1_000)
    await load(service.port, 2_500)
    const before = await postgresCpu(stage.postgresPid)
    // Cached sessions expire after 5 s. Alternating between the service and the yardstick every 2 s makes about as many
    // sessions expire per measurement as continuous load would.
    const comparison = await compare(
      { process: service, work },
      { process: yardstick, work: bareWork },
      { rounds, leadIn: 500, measured: 1_500 },
    )
    const after = await postgresCpu(stage.postgresPid)
    const postgresMicroseconds =
      before !== undefined && after !== undefined ? ((after - before) / seen.replies) * 1e6 : undefined
    return { ...comparison, fromMemory: seen.fromMemory / seen.replies, postgresMicroseconds }
  } finally {
    await yardstick.stop()
    await service.stop()
  }
}

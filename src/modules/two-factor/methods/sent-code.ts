import type { Context, FactorProof, Transaction } from '../../../context.ts'
import type { Db } from '../../../db/tables.ts'
import { invalidField } from '../../../lib/errors.ts'
import { minute } from '../../../lib/time.ts'
import { issueCode, tryCode } from '../../../one-time-tokens/typed-code.ts'
import { countMessage } from '../../../outbox/queries.ts'
import type { MethodRow } from '../queries.ts'
import type { CheckResult, FactorRequest, StartResult } from './method.ts'

type Send = (tx: Transaction, message: CodeMessage) => Promise<void>

export interface CodeMessage {
  to: string
  code: string
  expiresAt: Date
  lifetime: number
  factorRequest: FactorRequest
}

interface CodeChannel {
  /** Counts the message. Returns whether the limits allow it. */
  maySend(tx: Transaction, to: string, factorRequest: FactorRequest): Promise<boolean>
  send: Send
}

export const startSentCode =
  ({ maySend, send }: CodeChannel) =>
  async (tx: Transaction, row: MethodRow, factorRequest: FactorRequest): Promise<StartResult> => {
    const to = row.identifier
    const lifetime = sentCodeLifetime(tx, factorRequest)
    if (!to || lifetime <= 0) return { sent: false }
    // Checks all limits before generating a code. A code that cannot be sent must not replace the previous one.
    if (!(await mayAsk(tx.db, row.user_id)) || !(await maySend(tx, to, factorRequest))) return { sent: false }
    const issued = await issueCode(tx, boundTo(row, factorRequest), lifetime)
    if (!issued) return { sent: false }
    await send(tx, { to, ...issued, lifetime, factorRequest })
    return { sent: true }
  }

/** Returns the lifetime in milliseconds. A code expires no later than the partial session. */
export const sentCodeLifetime = ({ config, clock }: Context, { endsAt }: Pick<FactorRequest, 'endsAt'>): number =>
  Math.min(config.CODE_TTL, Math.floor(((endsAt ?? Number.POSITIVE_INFINITY) - clock.now()) / 1000) * 1000)

/** Users may request codes for several destinations, so this limit applies in addition to the per-destination limit. */
const mayAsk = async (db: Db, userId: string): Promise<boolean> =>
  (await countMessage(db, `two-factor-codes:${userId}`, 15 * minute)).count <= 10

export const checkSentCode = (
  ctx: Context,
  row: MethodRow,
  factorRequest: FactorRequest,
  { code = '' }: FactorProof,
): Promise<CheckResult> => tryCode(ctx, boundTo(row, factorRequest), code)

const boundTo = (row: MethodRow, { sessionId, action }: FactorRequest) => ({
  purpose: 'two_factor' as const,
  userId: row.user_id,
  target: `${sessionId}:${action}:${row.id}`,
})

export function assertSixDigits({ code }: FactorProof): void {
  if (code === undefined || !/^[0-9]{6}$/.test(code)) throw invalidField('code', 'must be six digits')
}

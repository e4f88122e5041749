import type { Context, SessionView } from '../context.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError, type ErrorCode, invalidField } from '../lib/errors.ts'
import { second } from '../lib/time.ts'
import { timeField } from '../lib/time-field.ts'
import { assertRecentProof } from '../sessions/session.ts'
import { userTypeField } from '../users/fields.ts'
import { findApplicationRole } from '../users/role-queries.ts'
import { blockUser, readBlock, unblockUser } from './block-user.ts'
import { deleteByAdmin, endSessionsByAdmin, restoreByAdmin } from './end-by-admin.ts'
import type { AdminRequest } from './locked-target.ts'
import { updateByAdmin } from './update-by-admin.ts'

export const bulkActions = [
  'block',
  'unblock',
  'end_sessions',
  'delete',
  'restore',
  'set_role',
  'grant_role',
  'revoke_role',
] as const

export interface BulkInput {
  action: (typeof bulkActions)[number]
  /** Contains no duplicates. */
  ids: string[]
  reason?: string
  until?: string
  user_type?: string
  /** Such as `billing:accountant`. */
  application_role?: string
}

export interface BulkResult {
  id: string
  ok: boolean
  code?: ErrorCode
  message?: string
}

type BulkRequest = AdminRequest & { session: Pick<SessionView, 'session'> }

type ChangeOne = (request: BulkRequest) => Promise<unknown>

/** Gives one user a role of an application, or takes it. */
export type ChangeApplicationRole = (
  ctx: Context,
  request: BulkRequest,
  change: { action: 'grant' | 'revoke'; application: string; role: string; until?: string | null },
) => Promise<void>

/** Shorter than typical proxy timeouts of 30 or 60 seconds. Users not reached in time get the result UNAVAILABLE. */
const timeLimit = 25 * second

/**
 * Changes users one at a time, each in a separate transaction. All transactions lock the actor, so they could not run
 * in parallel. If the client disconnects, the work continues, and the audit events record the changes.
 */
export async function changeMany(
  ctx: Context,
  { user: actor, session }: SessionView,
  device: RequestDevice,
  { changeRole, ...input }: BulkInput & { changeRole: ChangeApplicationRole },
): Promise<BulkResult[]> {
  assertRecentProof(ctx, { session })
  const change = await readers[input.action](ctx, input, changeRole)
  const deadline = performance.now() + timeLimit
  const results = new Map<string, BulkResult>()
  for (const id of ownLast(input.ids, actor.id)) {
    const request = { actor, sessionId: session.id, device, targetId: id, session: { session } }
    const isOver = performance.now() > deadline
    const error = isOver ? new AppError('UNAVAILABLE') : await attempt(ctx, () => change(request))
    results.set(id, error ? { id, ok: false, code: error.code, message: error.message } : { id, ok: true })
  }
  return input.ids.flatMap((id) => results.get(id) ?? [])
}

type ReadAction = (ctx: Context, input: BulkInput, changeRole: ChangeApplicationRole) => ChangeOne | Promise<ChangeOne>

const readers: Record<BulkInput['action'], ReadAction> = {
  block(ctx, { reason, until }) {
    if (reason === undefined) throw invalidField('reason', 'is required')
    readBlock(ctx, { reason, until })
    return (request) => blockUser(ctx, request, { reason, until })
  },
  unblock: (ctx) => (request) => unblockUser(ctx, request),
  end_sessions: (ctx) => (request) => endSessionsByAdmin(ctx, request),
  delete: (ctx) => (request) => deleteByAdmin(ctx, request),
  restore: (ctx) => (request) => restoreByAdmin(ctx, request),
  set_role(ctx, { user_type: input }) {
    if (input === undefined) throw invalidField('user_type', 'is required')
    const userType = userTypeField('user_type', input, ctx)
    return (request) => updateByAdmin(ctx, request, { user_type: userType })
  },
  async grant_role(ctx, { until, ...input }, changeRole) {
    const role = await readApplicationRole(ctx, input)
    const end = timeField('until', until)
    if (end && end.getTime() <= ctx.clock.now()) throw invalidField('until', 'must be in the future')
    return (request) => changeRole(ctx, request, { action: 'grant', ...role, until: until ?? null })
  },
  async revoke_role(ctx, input, changeRole) {
    const role = await readApplicationRole(ctx, input)
    return (request) => changeRole(ctx, request, { action: 'revoke', ...role })
  },
}

async function readApplicationRole({ db }: Context, { application_role: name }: Pick<BulkInput, 'application_role'>) {
  if (name === undefined) throw invalidField('application_role', 'is required')
  const [application = '', role = '', ...rest] = name.split(':')
  if (rest.length > 0 || !(await findApplicationRole(db, application, role)))
    throw invalidField('application_role', 'is not a role of an application')
  return { application, role }
}

/** If the actor's own sessions ended first, all remaining changes would be rejected. */
const ownLast = (ids: readonly string[], actorId: string): string[] => [
  ...ids.filter((id) => id !== actorId),
  ...ids.filter((id) => id === actorId),
]

async function attempt({ log }: Context, work: () => Promise<unknown>): Promise<AppError | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    log.error({ err: error }, 'a change to many users failed')
    return new AppError('UNAVAILABLE', { cause: error })
  }
}

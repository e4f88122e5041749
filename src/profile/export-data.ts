import { recordAudit } from '../audit/record.ts'
import type { Context, SessionView, UserRow } from '../context.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError } from '../lib/errors.ts'
import { iso } from '../lib/time.ts'
import { isUnendedSession } from '../sessions/queries.ts'
import { assertRecentProof } from '../sessions/session.ts'
import { findUser } from '../users/queries.ts'

/** The members depend on the installed modules. */
export type PersonalExport = Record<string, unknown>

/** Requires recent authentication. */
export async function exportOwnData(ctx: Context, view: SessionView, device: RequestDevice): Promise<PersonalExport> {
  assertRecentProof(ctx, view)
  const collected = await atOneMoment(ctx, async (reading) => {
    // The session may come from a cache, so the database is checked.
    const user = (await isUnendedSession(reading.db, view.session.id)) && (await findUser(reading, view.user.id))
    return user ? collectData(reading, user) : undefined
  })
  if (!collected) throw new AppError('INVALID_SESSION')
  await recordAudit(ctx, { event: 'export_requested', actor: view.user, target: view.user.id, device })
  return collected
}

/** Returns undefined if the user does not exist. */
export const collectAboutUser = (ctx: Context, userId: string): Promise<PersonalExport | undefined> =>
  atOneMoment(ctx, async (reading) => {
    const user = await findUser(reading, userId)
    return user && collectData(reading, user)
  })

async function collectData(ctx: Context, user: UserRow): Promise<PersonalExport> {
  const collected: PersonalExport = { generated_at: iso(ctx.clock.now()) }
  for (const { collect } of ctx.personalData()) Object.assign(collected, await collect?.(ctx, user))
  return collected
}

const atOneMoment = <Result>(ctx: Context, work: (reading: Context) => Promise<Result>): Promise<Result> =>
  ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((db) => work({ ...ctx, db }))

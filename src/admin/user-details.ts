import type { Context, DetailsView, UserRow } from '../context.ts'
import { isSuperadmin } from '../http/access/permissions.ts'
import { AppError } from '../lib/errors.ts'
import { looksLikeId } from '../lib/ids.ts'
import { day } from '../lib/time.ts'
import { managedPasskeys } from '../passkeys/list-passkeys.ts'
import { listEntry, maskedListEntry } from '../sessions/list-entry.ts'
import { countLive, findSessionsOf } from '../sessions/queries.ts'
import { lifetimesOf } from '../sessions/session.ts'
import { findIdentitiesOf } from '../social/queries.ts'
import { linkedAccounts } from '../social/responses.ts'
import { findUser, findUserWithPassword } from '../users/queries.ts'

const maxSessions = 50
const endedFor = 30 * day

export async function userDetails(ctx: Context, id: string, viewer: { user_type: string }) {
  const user = looksLikeId(id) ? await findUser(ctx, id) : undefined
  if (!user) throw new AppError('NOT_FOUND')
  const now = ctx.clock.now()
  const { idle, absolute } = lifetimesOf(ctx.config, user.user_type)
  // Locations and devices of staff are visible only to users who have at least their permissions.
  const showsDevices = ctx.staff.covers(viewer.user_type, user.user_type)
  const rows = showsDevices ? await findSessionsOf(ctx.db, id, new Date(now - endedFor), maxSessions) : []
  const sessionCount = await countLive(ctx.db, id, {
    usedSince: new Date(now - idle),
    startedSince: new Date(now - absolute),
    pendingSince: new Date(now - ctx.config.PARTIAL_SESSION_TTL),
  })
  return {
    user,
    sessions: rows.map((row) => (isSuperadmin(viewer) ? listEntry : maskedListEntry)(ctx, row, user.user_type)),
    sessionCount,
    has_password: (await findUserWithPassword(ctx, id))?.password_hash != null,
    ...(showsDevices && { passkeys: await managedPasskeys(ctx, id) }),
    identities: linkedAccounts(await findIdentitiesOf(ctx.db, id)),
    profile: profileOf(ctx, user),
    ...(await moduleDetails(ctx, id, { showsDevices, can: (one) => ctx.staff.may(viewer.user_type, one) })),
  }
}

const profileOf = ({ config }: Context, user: UserRow) => ({
  display_name: user.display_name,
  lang: user.lang ?? config.DEFAULT_LANG,
  tmz: user.tmz,
  metadata: user.metadata,
})

async function moduleDetails(ctx: Context, id: string, view: DetailsView): Promise<Record<string, unknown>> {
  const members = ctx.modules.userDetails().map(async ({ name, read }) => [name, await read(ctx, id, view)] as const)
  return Object.fromEntries(await Promise.all(members))
}

import type { Context } from '../../context.ts'
import { newApplicationSecret } from '../../http/access/application-secret.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { sha256Bytes } from '../../lib/hash.ts'
import { newId } from '../../lib/ids.ts'
import { iso } from '../../lib/time.ts'
import { type ApplicationRequest, type LockedApplication, withLocked } from '../change-application.ts'
import { mailSecret } from './mail-secret.ts'
import { deleteSecrets, findSecrets, insertSecret, type SecretRow, updateSecret } from './queries.ts'
import { defaultOverlap, readOverlap, readSecret, type SecretInput } from './read-input.ts'

export type SecretRequest = ApplicationRequest & { secretId: string }

export interface NewSecret {
  id: string
  /** Cannot be read again. */
  secret: string
}

type Terms = Pick<SecretRow, 'rights' | 'ip_ranges' | 'ends_at'>

/** One to use, and one to switch to. */
const maxLive = 2

export const createSecret = (ctx: Context, request: ApplicationRequest, input: SecretInput): Promise<NewSecret> => {
  const { rights = ['sessions' as const], ip_ranges = [], ends_at = null } = readSecret(input, ctx.clock.now())
  return withLocked(ctx, request, 'create_application_secret', async (locked) => {
    if (locked.application.deleted_at) throw new AppError('NOT_FOUND')
    assertRoom(await findLive(locked))
    const row = await add(locked, { rights, ip_ranges, ends_at })
    await locked.audit('application_secret_created', { ...about(row), ...termsOf(row) })
    return { id: row.id, secret: row.secret }
  })
}

export const updateSecretOf = (ctx: Context, request: SecretRequest, input: SecretInput): Promise<void> => {
  const given = Object.entries(readSecret(input, ctx.clock.now())).filter(([, value]) => value !== undefined)
  return withSecret(ctx, request, 'update_application_secret', async (locked) => {
    const { tx, application, audit, secret } = locked
    const changed = { ...secret, ...Object.fromEntries(given) }
    const [before, after] = [termsOf(secret), termsOf(changed)]
    if (JSON.stringify(before) === JSON.stringify(after)) return
    await updateSecret(tx.db, secret.id, Object.fromEntries(given))
    await audit('application_secret_updated', { ...about(secret), before, after })
    if (isWider(secret, changed)) await mailSecret(tx, application, changed)
  })
}

/** The new secret has the rights and networks of the former one, and its end, unless `ends_at` is given. */
export const rotateSecretOf = (
  ctx: Context,
  request: SecretRequest,
  { overlap: seconds = defaultOverlap / 1000, ends_at }: { overlap?: number; ends_at?: string | null },
): Promise<NewSecret> => {
  const overlap = readOverlap(seconds)
  const given = readSecret(ends_at === undefined ? {} : { ends_at }, ctx.clock.now())
  return withSecret(ctx, request, 'rotate_application_secret', async (locked) => {
    const { tx, audit, secret: former, live } = locked
    const end = new Date(Math.min(tx.clock.now() + overlap, former.ends_at?.getTime() ?? Number.POSITIVE_INFINITY))
    if (overlap === 0) await deleteSecrets(tx.db, [former.id])
    else {
      assertRoom(live)
      await updateSecret(tx.db, former.id, { ends_at: end })
    }
    const row = await add(locked, { ...former, ...(given.ends_at !== undefined && { ends_at: given.ends_at }) })
    await audit('application_secret_rotated', {
      ...about(row),
      ...termsOf(row),
      former: former.id,
      former_ends_at: iso(end),
    })
    return { id: row.id, secret: row.secret }
  })
}

export const revokeSecret = (ctx: Context, request: SecretRequest): Promise<void> =>
  withLocked(ctx, request, 'revoke_application_secret', async ({ tx, application, audit }) => {
    const secret = (await findSecrets(tx.db, application.id)).find(({ id }) => id === request.secretId)
    if (!secret) throw new AppError('NOT_FOUND')
    await deleteSecrets(tx.db, [secret.id])
    await audit('application_secret_revoked', about(secret))
  })

/** Removes the secrets that have ended, so that an application has two rows at most. */
async function findLive({ tx, application }: LockedApplication): Promise<SecretRow[]> {
  const secrets = await findSecrets(tx.db, application.id)
  const isLive = ({ ends_at }: SecretRow) => ends_at === null || ends_at > tx.clock.date()
  await deleteSecrets(
    tx.db,
    secrets.filter((one) => !isLive(one)).map(({ id }) => id),
  )
  return secrets.filter(isLive)
}

/** A secret that has ended cannot be changed, because it would work again. */
const withSecret = <Result>(
  ctx: Context,
  request: SecretRequest,
  deed: string,
  work: (locked: LockedApplication & { secret: SecretRow; live: SecretRow[] }) => Promise<Result>,
): Promise<Result> =>
  withLocked(ctx, request, deed, async (locked) => {
    const live = await findLive(locked)
    const secret = live.find(({ id }) => id === request.secretId)
    if (!secret) throw new AppError('NOT_FOUND')
    return work({ ...locked, secret, live })
  })

function assertRoom(live: readonly SecretRow[]): void {
  if (live.length < maxLive) return
  const hints = live.map(({ hint }) => hint).join(' or ')
  throw invalidField('application_id', `has two secrets, which is the maximum: revoke ${hints} first`)
}

async function add({ tx, application }: LockedApplication, { rights, ip_ranges, ends_at }: Terms) {
  const secret = newApplicationSecret()
  const row = {
    id: newId(),
    application_id: application.id,
    created_at: tx.clock.date(),
    secret_hash: sha256Bytes(secret),
    hint: `${secret.slice(0, 12)}…${secret.slice(-4)}`,
    rights,
    ip_ranges,
    ends_at,
  }
  await insertSecret(tx.db, row)
  await mailSecret(tx, application, row)
  return { ...row, secret }
}

const about = ({ id, hint }: Pick<SecretRow, 'id' | 'hint'>) => ({ secret_id: id, hint })

const termsOf = ({ rights, ip_ranges, ends_at }: Terms) => ({ rights, ip_ranges, ends_at: ends_at && iso(ends_at) })

/** Also later, and from more networks. A network that is part of a former one counts, because comparing costs more. */
function isWider(before: Terms, after: Terms): boolean {
  const hasMore = (earlier: readonly string[], later: readonly string[]) => later.some((one) => !earlier.includes(one))
  const hasMoreNetworks =
    before.ip_ranges.length > 0 && (after.ip_ranges.length === 0 || hasMore(before.ip_ranges, after.ip_ranges))
  const endOf = ({ ends_at }: Terms) => ends_at?.getTime() ?? Number.POSITIVE_INFINITY
  return hasMore(before.rights, after.rights) || hasMoreNetworks || endOf(after) > endOf(before)
}

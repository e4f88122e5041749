import { auditedContact, recordAudit } from '../audit/record.ts'
import type { Context, SessionView } from '../context.ts'
import { planForValues } from '../db/run-text.ts'
import type { Db } from '../db/tables.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { isUnendedSession } from '../sessions/queries.ts'
import { assertRecentProof } from '../sessions/session.ts'
import { userColumns } from '../users/columns.ts'
import { estimateMatches } from './estimate-queries.ts'
import { readFilter, type UserFilters } from './search-filter.ts'
import { countUsers, type FoundUser, findUsersAfter, type ReadingPlan, type SearchFilter } from './search-queries.ts'
import { explainTimeout } from './search-users.ts'

const maxRows = 100_000
const atATime = 500
const firstId = '00000000-0000-0000-0000-000000000000'

/** Requires recent authentication. The export's audit event is written before the first user is read. */
export async function exportSearch(
  ctx: Context,
  view: SessionView,
  device: RequestDevice | undefined,
  input: UserFilters,
): Promise<AsyncGenerator<FoundUser[]>> {
  assertRecentProof(ctx, view)
  const filter = await readFilter(ctx, input)
  const { way, rows } = await reading(ctx, async (db) => {
    const { atLeast, way } = await estimateMatches(db, filter)
    return { way, rows: atLeast > maxRows ? maxRows + 1 : await countUsers(db, filter, way) }
  }).catch(explainTimeout)
  if (rows > maxRows)
    throw invalidField('query', `matches more than ${maxRows} users: add a filter, such as created_from`)
  const details = { filters: auditedFilters(ctx, input), rows }
  await recordAudit(ctx, { event: 'users_exported', actor: view.user, device, details })
  return batchesOf(ctx, view, filter, way)
}

/** No transaction stays open between batches, because a slow client could keep it open for minutes. */
async function* batchesOf(ctx: Context, { session }: SessionView, filter: SearchFilter, way: ReadingPlan['way']) {
  const columns = [...userColumns(ctx.modules), ...(filter.deleted ? ['deleted_at'] : [])]
  let after = firstId
  for (let rows = 0; rows < maxRows; ) {
    // The session may have ended since the last batch.
    if (!(await isUnendedSession(ctx.db, session.id))) throw new AppError('INVALID_SESSION')
    const batch = { filter, after, limit: Math.min(atATime, maxRows - rows) }
    const users = await reading(ctx, (db) => findUsersAfter(db, columns, batch, way))
    const last = users.at(-1)
    if (!last) return
    yield users
    if (users.length < batch.limit) return
    after = last.id
    rows += users.length
  }
}

const reading = <Result>(ctx: Context, work: (db: Db) => Promise<Result>): Promise<Result> =>
  ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      await planForValues(db)
      return work(db)
    })

const contacts = ['q', 'external_id', 'email', 'name', 'user_name', 'phone']

/** Search text is masked because it may be an email address, a phone number or a name. */
const auditedFilters = (ctx: Context, input: UserFilters): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      contacts.includes(name) && typeof value === 'string' ? auditedContact(ctx, value) : value,
    ]),
  )

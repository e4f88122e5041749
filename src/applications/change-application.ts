import { asSuperadmin, type SuperadminRequest } from '../admin/as-superadmin.ts'
import type { AuditEvent } from '../audit/events.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction } from '../context.ts'
import { waitForLock } from '../db/advisory-locks.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { looksLikeId, newId } from '../lib/ids.ts'
import { timeField } from '../lib/time-field.ts'
import { enqueueJob } from '../outbox/enqueue.ts'
import { endOfApplicationsJob } from '../sessions/end-of-applications.ts'
import { mailNewAddresses } from './mail-new-addresses.ts'
import {
  type Address,
  type ApplicationRow,
  countApplications,
  findApplicationVersion,
  findByKey,
  findEpoch,
  findTaken,
  insertApplication,
  lockApplication,
  replaceAddresses,
  updateApplication,
} from './queries.ts'
import { type ApplicationInput, assertAddresses, readApplication, takenProblem } from './read-input.ts'

type NewApplication = ApplicationInput & Required<Pick<ApplicationInput, 'key' | 'name' | 'kind'>>

export type ApplicationRequest = SuperadminRequest & { id: string }

export function createApplication(ctx: Context, request: SuperadminRequest, input: NewApplication): Promise<string> {
  const { key = '', name = '', kind = 'website', return: returns = [], origin = [], ...read } = readApplication(input)
  const { home_url = null, note = '', is_development = false } = read
  const addresses = addressesIn({ return: returns, origin })
  assertAddresses(addresses, is_development)
  return changing(ctx, request, 'create_application', async ({ tx, audit }) => {
    if ((await countApplications(tx.db)) >= tx.config.APPLICATIONS_MAX)
      throw invalidField('key', `is one too many: APPLICATIONS_MAX allows ${tx.config.APPLICATIONS_MAX} applications`)
    const taken = await findByKey(tx.db, key)
    if (taken)
      throw invalidField(
        'key',
        `belongs to another ${taken.deleted_at ? 'application, which was deleted' : 'application'}`,
      )
    const [id, now] = [newId(), tx.clock.date()]
    await assertFree(tx, addresses, id)
    const row = {
      id,
      key,
      name,
      kind,
      home_url,
      note,
      is_development,
      is_enabled: true,
      created_at: now,
      updated_at: now,
    }
    await insertApplication(tx.db, row)
    await replaceAddresses(tx.db, id, addresses)
    await audit('application_created', { application: id, key, addresses: addresses.map(({ address }) => address) })
    await mailNewAddresses(tx, { name, addresses })
    return id
  })
}

export function updateApplicationOf(
  ctx: Context,
  request: ApplicationRequest,
  { expected_updated_at, ...input }: Omit<ApplicationInput, 'key'> & { expected_updated_at?: string },
): Promise<void> {
  const expected = timeField('expected_updated_at', expected_updated_at)
  const { key: _key, return: returns, origin, ...members } = readApplication(input)
  return withLocked(ctx, request, 'update_application', async ({ tx, application, audit }) => {
    if (application.deleted_at) throw new AppError('NOT_FOUND')
    if (expected && expected.getTime() !== application.updated_at.getTime()) throw new AppError('EDIT_CONFLICT')
    const addresses = addressesIn({ return: returns, origin }, application.addresses)
    assertAddresses(addresses, members.is_development ?? application.is_development)
    await assertFree(tx, addresses, application.id)
    const given = Object.entries(members).filter(([, value]) => value !== undefined)
    await save(tx, application, Object.fromEntries(given))
    if (returns || origin) await replaceAddresses(tx.db, application.id, addresses)
    const { added, removed } = compare(application.addresses, addresses)
    await audit('application_updated', {
      changed: Object.keys(input),
      added: textsOf(added),
      removed: textsOf(removed),
    })
    await mailNewAddresses(tx, { name: members.name ?? application.name, addresses: added })
  })
}

export const setEnabled = (ctx: Context, request: ApplicationRequest, is_enabled: boolean): Promise<void> =>
  withLocked(ctx, request, is_enabled ? 'enable_application' : 'disable_application', async (locked) => {
    const { tx, application, audit } = locked
    if (application.deleted_at) throw new AppError('NOT_FOUND')
    if (application.is_enabled === is_enabled) return
    await save(tx, application, { is_enabled })
    await audit(is_enabled ? 'application_enabled' : 'application_disabled')
  })

/** The key and the addresses stay taken until the application is erased, so that it can be restored. */
export const deleteApplication = (ctx: Context, request: ApplicationRequest): Promise<void> =>
  withLocked(ctx, request, 'delete_application', async ({ tx, application, audit }) => {
    if (application.deleted_at) throw new AppError('NOT_FOUND')
    await save(tx, application, { deleted_at: tx.clock.date() })
    await audit('application_deleted')
  })

export const restoreApplication = (ctx: Context, request: ApplicationRequest): Promise<void> =>
  withLocked(ctx, request, 'restore_application', async ({ tx, application, audit }) => {
    if (!application.deleted_at) throw new AppError('NOT_FOUND')
    await save(tx, application, { deleted_at: null })
    await audit('application_restored')
    await mailNewAddresses(tx, application)
  })

type Audit = (event: AuditEvent, details?: Record<string, unknown>) => Promise<void>

/** Changes of applications wait for each other. After the commit, every node reads the applications again. */
function changing<Result>(
  ctx: Context,
  request: SuperadminRequest,
  deed: string,
  work: (locked: { tx: Transaction; audit: Audit }) => Promise<Result>,
): Promise<Result> {
  return asSuperadmin(ctx, request, deed, async (tx, actor) => {
    await waitForLock(tx.db, 'applications')
    const { device } = request.principal
    const result = await work({
      tx,
      audit: (event, details = {}) => recordAudit(tx, { event, actor, device, details }),
    })
    const version = await findApplicationVersion(tx.db)
    tx.after(() => tx.applications.invalidate(version))
    return result
  })
}

const withLocked = (
  ctx: Context,
  request: ApplicationRequest,
  deed: string,
  work: (locked: { tx: Transaction; audit: Audit; application: ApplicationRow }) => Promise<void>,
): Promise<void> =>
  changing(ctx, request, deed, async ({ tx, audit }) => {
    const application = looksLikeId(request.id) ? await lockApplication(tx.db, request.id) : undefined
    if (!application) throw new AppError('NOT_FOUND')
    const about = { application: application.id, key: application.key }
    await work({ tx, application, audit: (event, details = {}) => audit(event, { ...about, ...details }) })
    const epoch = await findEpoch(tx.db, application.id)
    if (epoch === application.epoch) return
    tx.after(() => tx.sessions.invalidate(application.id, epoch))
    await enqueueJob(tx, endOfApplicationsJob, {})
  })

async function save(
  tx: Transaction,
  { id, updated_at }: ApplicationRow,
  changes: Omit<Parameters<typeof updateApplication>[2], 'updated_at'>,
): Promise<void> {
  // Two changes within a millisecond must not have the same time, because the time identifies what an editor saw.
  const now = new Date(Math.max(tx.clock.now(), updated_at.getTime() + 1))
  await updateApplication(tx.db, id, { ...changes, updated_at: now })
}

async function assertFree(tx: Transaction, addresses: readonly Address[], ownId: string): Promise<void> {
  const taken = addresses.length > 0 ? await findTaken(tx.db, addresses, ownId) : []
  if (taken.length > 0) throw new AppError('VALIDATION_ERROR', { details: taken.map(takenProblem) })
}

/** Without new addresses of a kind, the present ones stay. */
const addressesIn = (
  given: { [Kind in Address['kind']]: string[] | undefined },
  present: readonly Address[] = [],
): Address[] =>
  (['return', 'origin'] as const).flatMap(
    (kind) => given[kind]?.map((address) => ({ kind, address })) ?? present.filter((one) => one.kind === kind),
  )

function compare(before: readonly Address[], after: readonly Address[]): { added: Address[]; removed: Address[] } {
  const isIn = (list: readonly Address[], { kind, address }: Address) =>
    list.some((one) => one.kind === kind && one.address === address)
  return { added: after.filter((one) => !isIn(before, one)), removed: before.filter((one) => !isIn(after, one)) }
}

const textsOf = (addresses: readonly Address[]): string[] => addresses.map(({ address }) => address)

import { asStaff, type StaffRequest } from '../admin/as-staff.ts'
import type { AuditEvent } from '../audit/events.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction } from '../context.ts'
import { waitForLock } from '../db/advisory-locks.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { looksLikeId, newId } from '../lib/ids.ts'
import { timeField } from '../lib/time-field.ts'
import { enqueueJob } from '../outbox/enqueue.ts'
import { announceRoles } from '../roles/announce-roles.ts'
import { endOfApplicationsJob } from '../sessions/end-of-applications.ts'
import { addressesIn, differencesOf, textsOf } from './differences.ts'
import { type Addressed, mailNewAddresses } from './mail-new-addresses.ts'
import {
  type Address,
  type ApplicationRow,
  countApplications,
  findApplicationVersion,
  findByKey,
  findKeys,
  findTaken,
  insertApplication,
  lockApplication,
  replaceAddresses,
  replaceLogo,
  updateApplication,
} from './queries.ts'
import { signOutProblems } from './read-appearance.ts'
import { assertGateway } from './read-gateway.ts'
import {
  type ApplicationInput,
  acceptedProblem,
  assertAddresses,
  type ReadInput,
  readApplication,
  takenProblem,
} from './read-input.ts'
import { mailAccepted } from './secrets/mail-accepted.ts'
import { assertPossible } from './sign-in-methods.ts'

type NewApplication = ApplicationInput & Required<Pick<ApplicationInput, 'key' | 'name' | 'kind'>>

export type ApplicationRequest = StaffRequest & { id: string }

export const createApplication = (ctx: Context, request: StaffRequest, input: NewApplication): Promise<string> => {
  const read = readApplication(input)
  return changing(ctx, request, 'create_application', (locked) => addApplication(locked, read))
}

export async function addApplication(
  { tx, audit, announce }: Locked,
  { key = '', name = '', kind = 'website', return: returns = [], origin = [], ...read }: ReadInput,
): Promise<string> {
  const { home_url = null, note = '', is_development = false, accepts = [] } = read
  const { accent = null, logo = null, terms_url = null, privacy_url = null, sign_out_url = null } = read
  const { sign_in_methods = [], registration = true } = read
  const { gateway_accept = [], gateway_scope = [], gateway_permission = null, gateway_resource = null } = read
  const addresses = addressesIn({ return: returns, origin })
  assertAddresses(addresses, is_development)
  assertSignOutUrl(sign_out_url, addresses)
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
  const times = { created_at: now, updated_at: now }
  await assertAccepted(tx, accepts, key)
  const columns = { id, key, name, kind, home_url, note, accepts, is_development, is_enabled: true }
  const appearance = { accent, logo, terms_url, privacy_url, sign_out_url }
  const gateway = { gateway_accept, gateway_scope, gateway_permission, gateway_resource }
  assertGateway(gateway)
  await assertPossible(tx, sign_in_methods)
  await insertApplication(tx.db, { ...columns, ...appearance, sign_in_methods, registration, ...gateway, ...times })
  if (logo) await replaceLogo(tx.db, id, read.logoBytes)
  await replaceAddresses(tx.db, id, addresses)
  await audit('application_created', { application: id, key, addresses: textsOf(addresses) })
  announce({ name, addresses })
  return id
}

export function updateApplicationOf(
  ctx: Context,
  request: ApplicationRequest,
  { expected_updated_at, ...input }: Omit<ApplicationInput, 'key'> & { expected_updated_at?: string },
): Promise<void> {
  const expected = timeField('expected_updated_at', expected_updated_at)
  const read = readApplication(input)
  return withLocked(ctx, request, 'update_application', async (locked) => {
    const { application } = locked
    if (application.deleted_at) throw new AppError('NOT_FOUND')
    if (expected && expected.getTime() !== application.updated_at.getTime()) throw new AppError('EDIT_CONFLICT')
    await changeApplication(locked, read)
  })
}

/** A request that changes nothing leaves no trace, and does not make the nodes read the applications again. */
export async function changeApplication(
  { tx, application, audit, announce }: LockedApplication,
  read: ReadInput,
): Promise<void> {
  const { columns, addresses, hasOtherAddresses, changed, changes, added, removed } = differencesOf(application, read)
  assertAddresses(addresses, columns.is_development ?? application.is_development)
  assertSignOutUrl(columns.sign_out_url === undefined ? application.sign_out_url : columns.sign_out_url, addresses)
  await assertFree(tx, addresses, application.id)
  if (changed.length === 0) return
  if (columns.accepts) await assertAccepted(tx, columns.accepts, application.key)
  assertGateway({ ...application, ...columns })
  if (columns.sign_in_methods) await assertPossible(tx, columns.sign_in_methods)
  await save(tx, application, columns)
  if (columns.logo !== undefined) await replaceLogo(tx.db, application.id, read.logoBytes)
  if (hasOtherAddresses) await replaceAddresses(tx.db, application.id, addresses)
  await audit('application_updated', { changed, changes, added: textsOf(added), removed: textsOf(removed) })
  announce({ name: columns.name ?? application.name, addresses: added })
  await mailAccepted(tx, application, columns.accepts)
}

export const setEnabled = (ctx: Context, request: ApplicationRequest, isEnabled: boolean): Promise<void> =>
  withLocked(ctx, request, isEnabled ? 'enable_application' : 'disable_application', async (locked) => {
    if (locked.application.deleted_at) throw new AppError('NOT_FOUND')
    await switchApplication(locked, isEnabled)
  })

export async function switchApplication(
  { tx, application, audit }: LockedApplication,
  is_enabled: boolean,
): Promise<void> {
  if (application.is_enabled === is_enabled) return
  await save(tx, application, { is_enabled })
  await audit(is_enabled ? 'application_enabled' : 'application_disabled')
}

/** The key and the addresses stay taken until the application is erased, so that it can be restored. */
export const deleteApplication = (ctx: Context, request: ApplicationRequest): Promise<void> =>
  withLocked(ctx, request, 'delete_application', async ({ tx, application, audit }) => {
    if (application.deleted_at) throw new AppError('NOT_FOUND')
    await save(tx, application, { deleted_at: tx.clock.date() })
    await audit('application_deleted')
  })

export const restoreApplication = (ctx: Context, request: ApplicationRequest): Promise<void> =>
  withLocked(ctx, request, 'restore_application', async ({ tx, application, audit, announce }) => {
    if (!application.deleted_at) throw new AppError('NOT_FOUND')
    await save(tx, application, { deleted_at: null })
    await audit('application_restored')
    announce(application)
  })

/** A transaction in which no other applications change. */
export interface Locked {
  tx: Transaction
  audit(event: AuditEvent, details?: Record<string, unknown>): Promise<void>
  /** Mails the addresses to all superadmins at the end of the transaction. */
  announce(added: Addressed): void
}

export interface LockedApplication extends Locked {
  application: ApplicationRow
}

/** Changes of applications wait for each other. After the commit, every node reads the applications again. */
export function changing<Result>(
  ctx: Context,
  request: StaffRequest,
  deed: string,
  work: (locked: Locked) => Promise<Result>,
): Promise<Result> {
  return asStaff(ctx, request, { permission: 'applications:manage', deed }, async (tx, actor) => {
    await waitForLock(tx.db, 'applications')
    const { device } = request.principal
    const announced: Addressed[] = []
    const result = await work({
      tx,
      audit: (event, details = {}) => recordAudit(tx, { event, actor, device, details }),
      announce: (added) => void announced.push(added),
    })
    await mailNewAddresses(tx, announced)
    const version = await findApplicationVersion(tx.db)
    tx.after(() => tx.applications.invalidate(version))
    return result
  })
}

export const withLocked = <Result>(
  ctx: Context,
  request: ApplicationRequest,
  deed: string,
  work: (locked: LockedApplication) => Promise<Result>,
): Promise<Result> =>
  changing(ctx, request, deed, async (locked) => {
    const application = looksLikeId(request.id) ? await lockApplication(locked.tx.db, request.id) : undefined
    if (!application) throw new AppError('NOT_FOUND')
    return work(lockedApplication(locked, application))
  })

export function lockedApplication(locked: Locked, application: ApplicationRow): LockedApplication {
  const about = { application: application.id, key: application.key }
  const { audit } = locked
  return { ...locked, application, audit: (event, details = {}) => audit(event, { ...about, ...details }) }
}

async function save(
  tx: Transaction,
  { id, epoch, updated_at }: ApplicationRow,
  changes: Omit<Parameters<typeof updateApplication>[2], 'updated_at'>,
): Promise<void> {
  // Two changes within a millisecond must not have the same time, because the time identifies what an editor saw.
  const now = new Date(Math.max(tx.clock.now(), updated_at.getTime() + 1))
  const changed = await updateApplication(tx.db, id, { ...changes, updated_at: now })
  if (changed.epoch === epoch) return
  // A trigger has ended the application's sessions. Their rows follow.
  tx.after(() => tx.sessions.invalidate(id, changed.epoch))
  // Responses contain the roles of enabled applications only.
  await announceRoles(tx, id)
  await enqueueJob(tx, endOfApplicationsJob, {})
}

function assertSignOutUrl(url: string | null, addresses: readonly Address[]): void {
  const details = signOutProblems(url, addresses)
  if (details.length > 0) throw new AppError('VALIDATION_ERROR', { details })
}

/** A key that is misspelt would have no effect. */
async function assertAccepted(tx: Transaction, keys: readonly string[], ownKey: string): Promise<void> {
  const known = keys.length > 0 ? await findKeys(tx.db, keys) : []
  const wrong = keys.find((key) => key === ownKey || !known.includes(key))
  if (wrong !== undefined) throw new AppError('VALIDATION_ERROR', { details: [acceptedProblem(wrong)] })
}

async function assertFree(tx: Transaction, addresses: readonly Address[], ownId: string): Promise<void> {
  const taken = addresses.length > 0 ? await findTaken(tx.db, addresses, ownId) : []
  if (taken.length > 0) throw new AppError('VALIDATION_ERROR', { details: taken.map(takenProblem) })
}

import { asStaff, type StaffRequest } from '../../../admin/as-staff.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context, Transaction } from '../../../context.ts'
import { waitForLock } from '../../../db/advisory-locks.ts'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { assertUnchanged, laterThan } from '../../../lib/expected-version.ts'
import { looksLikeId, newId } from '../../../lib/ids.ts'
import { sameResource } from '../../../lib/same-resource.ts'
import { timeField } from '../../../lib/time-field.ts'
import { changesOf } from '../changes.ts'
import { invalidateDirectory } from '../directory.ts'
import { findDirectoryVersion, findResources } from '../directory-queries.ts'
import type { oauthAuditEvents } from '../names.ts'
import {
  deleteResourceRow,
  findLiveApplication,
  insertResource,
  type LockedResource,
  lockResource,
  updateResource,
} from './queries.ts'
import { assertLifetime, type ResourceInput, readResource } from './read-input.ts'

export type ResourceRequest = StaffRequest & { id: string }

export const createResource = (ctx: Context, request: StaffRequest, input: ResourceInput): Promise<string> => {
  const read = readResource(input, ctx.config.PUBLIC_URL)
  return changing(ctx, request, 'create_oauth_resource', async ({ tx, audit }) => {
    const { application_id = '', identifier = '', aliases = [], name = identifier } = read
    const { token_format = 'jwt', access_ttl = null, alg = null, is_enabled = true } = read
    await assertApplication(tx, application_id)
    assertLifetime(token_format, access_ttl)
    const [id, now] = [newId(), tx.clock.date()]
    await assertFree(tx, id, [identifier, ...aliases])
    const terms = { application_id, identifier, aliases, name, token_format, access_ttl, alg, is_enabled }
    await insertResource(tx.db, { id, ...terms, created_at: now, updated_at: now })
    await audit('oauth_resource_created', { resource: id, ...terms })
    return id
  })
}

export const updateResourceOf = (
  ctx: Context,
  request: ResourceRequest,
  { expected_updated_at, ...input }: Omit<ResourceInput, 'application_id'> & { expected_updated_at?: string },
): Promise<void> => {
  const read = readResource(input, ctx.config.PUBLIC_URL)
  const expected = timeField('expected_updated_at', expected_updated_at)
  return withResource(ctx, request, 'update_oauth_resource', async ({ tx, audit, resource }) => {
    assertUnchanged(resource, expected)
    const { changed, before, after, columns } = changesOf(resource, read)
    if (changed.length === 0) return
    const next = { ...resource, ...columns }
    assertLifetime(next.token_format, next.access_ttl)
    await assertFree(tx, resource.id, [next.identifier, ...next.aliases])
    const { epoch } = await updateResource(tx.db, resource.id, {
      ...columns,
      updated_at: laterThan(resource, tx.clock.date()),
    })
    tx.after(() => tx.sessions.invalidate(resource.id, Number(epoch)))
    await audit('oauth_resource_updated', { resource: resource.id, changed, before, after })
  })
}

export const deleteResource = (ctx: Context, request: ResourceRequest): Promise<void> =>
  withResource(ctx, request, 'delete_oauth_resource', async ({ tx, audit, resource }) => {
    await deleteResourceRow(tx.db, resource.id)
    tx.after(() => tx.sessions.invalidate(resource.id, Number(resource.epoch) + 1))
    await audit('oauth_resource_deleted', { resource: resource.id, identifier: resource.identifier })
  })

interface Changing {
  tx: Transaction
  audit(event: (typeof oauthAuditEvents)[number], details: Record<string, unknown>): Promise<void>
}

/** Changes of resources wait for each other, so that no two get the same identifier. */
const changing = <Result>(
  ctx: Context,
  request: StaffRequest,
  deed: string,
  work: (locked: Changing) => Promise<Result>,
): Promise<Result> =>
  asStaff(ctx, request, { permission: 'applications:manage', deed }, async (tx, actor) => {
    await waitForLock(tx.db, 'oauthResources')
    const { device } = request.principal
    const result = await work({ tx, audit: (event, details) => recordAudit(tx, { event, actor, device, details }) })
    const version = await findDirectoryVersion(tx.db)
    tx.after(() => invalidateDirectory(tx, version))
    return result
  })

const withResource = (
  ctx: Context,
  request: ResourceRequest,
  deed: string,
  work: (locked: Changing & { resource: LockedResource }) => Promise<void>,
): Promise<void> =>
  changing(ctx, request, deed, async (locked) => {
    const resource = looksLikeId(request.id) ? await lockResource(locked.tx.db, request.id) : undefined
    if (!resource) throw new AppError('OAUTH_RESOURCE_UNKNOWN')
    await work({ ...locked, resource })
  })

async function assertApplication(tx: Transaction, id: string): Promise<void> {
  if (!looksLikeId(id) || !(await findLiveApplication(tx.db, id)))
    throw invalidField('application_id', 'must be the id of an application')
}

/** Disabled resources keep their identifiers. */
async function assertFree(tx: Transaction, id: string, identifiers: readonly string[]): Promise<void> {
  const others = (await findResources(tx.db)).filter((one) => one.id !== id)
  const taken = new Set(others.flatMap((one) => [one.identifier, ...one.aliases]).map(sameResource))
  if (identifiers.some((one) => taken.has(sameResource(one)))) throw new AppError('OAUTH_RESOURCE_TAKEN')
}

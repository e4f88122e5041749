import { signInsOf } from '../admin/security-figures.ts'
import { applicationLogoPath } from '../config/branding.ts'
import type { Context } from '../context.ts'
import type { StoredLogo } from '../db/rows/applications.ts'
import { AppError } from '../lib/errors.ts'
import { looksLikeId } from '../lib/ids.ts'
import { pageOf, paginationOf } from '../lib/paging.ts'
import { iso } from '../lib/time.ts'
import { countLiveOfApplications } from '../sessions/queries.ts'
import {
  type ApplicationRow,
  type ApplicationState,
  countMatching,
  findApplication,
  findApplications,
  findMatching,
} from './queries.ts'

export const listApplications = async (ctx: Context) => withSessions(ctx, await findApplications(ctx.db))

interface ApplicationsQuery {
  q?: string
  state?: ApplicationState
  page?: number
  limit?: number
}

export async function searchApplications(ctx: Context, { q, state, ...paging }: ApplicationsQuery) {
  const page = pageOf(paging)
  const filter = { q, state }
  const total = await countMatching(ctx.db, filter)
  const rows = total > page.offset ? await findMatching(ctx.db, filter, page) : []
  return { applications: await withSessions(ctx, rows), pagination: paginationOf(page, total) }
}

export async function getApplication(ctx: Context, id: string) {
  const row = looksLikeId(id) ? await findApplication(ctx.db, id) : undefined
  if (!row) throw new AppError('NOT_FOUND')
  const [application] = await withSessions(ctx, [row])
  return application!
}

const maxCounted = 10_000

async function withSessions(ctx: Context, rows: readonly ApplicationRow[]) {
  const { db, clock, config } = ctx
  const ids = rows.map(({ id }) => id)
  const usedSince = new Date(clock.now() - config.SESSION_IDLE_TTL)
  const live = await countLiveOfApplications(db, ids, { usedSince, upTo: maxCounted })
  const signIns = await signInsOf(ctx, ids)
  return rows.map((row) => ({
    ...withoutCounts(config, row),
    live_sessions: live.get(row.id) ?? 0,
    ...signIns(row.id),
  }))
}

/** As shown, but without the numbers of sessions and sign-ins. */
export const withoutCounts = ({ PUBLIC_URL }: Context['config'], { addresses, ...row }: ApplicationRow) => ({
  id: row.id,
  key: row.key,
  name: row.name,
  kind: row.kind,
  home_url: row.home_url,
  return_addresses: addresses.filter(({ kind }) => kind === 'return').map(({ address }) => address),
  origins: addresses.filter(({ kind }) => kind === 'origin').map(({ address }) => address),
  development: row.is_development,
  accepts: row.accepts,
  sign_in_methods: row.sign_in_methods,
  registration: row.registration,
  gateway_accept: row.gateway_accept,
  gateway_scope: row.gateway_scope,
  gateway_permission: row.gateway_permission,
  gateway_resource: row.gateway_resource,
  enabled: row.is_enabled,
  source: row.source,
  note: row.note,
  accent: row.accent,
  logo: row.logo && { url: PUBLIC_URL + applicationLogoPath(row.id, row.logo), ...sizeOf(row.logo) },
  terms_url: row.terms_url,
  privacy_url: row.privacy_url,
  sign_out_url: row.sign_out_url,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
  deleted_at: row.deleted_at && iso(row.deleted_at),
})

const sizeOf = ({ width, height }: StoredLogo) => ({ width, height })

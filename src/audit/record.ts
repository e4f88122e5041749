import type { Context } from '../context.ts'
import { insertRow } from '../db/run-text.ts'
import { recordEvents } from '../events/record.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { keyedHash } from '../lib/hash.ts'
import { newId } from '../lib/ids.ts'
import { eventsOf } from './derive-events.ts'
import type { AuditEvent } from './events.ts'
import { insertEvents } from './queries.ts'

/** The actor for changes that an operator makes from the command line. Operators have no account, so the id is null. */
export const commandLine = { id: null, user_type: 'command_line' } as const

interface Entry {
  event: AuditEvent
  outcome?: 'success' | 'failure'
  actor?: { id: string | null; user_type: string } | undefined
  target?: string | undefined
  /** Undefined for actions by the service itself or from the command line. */
  device?: RequestDevice | undefined
  /** May contain ids, names and masked values, but never secrets or plain-text contact data. */
  details?: Record<string, unknown> | undefined
}

/** Also derives events for back ends from this audit event, and records them. */
export async function recordAudit(ctx: AuditContext, entry: Entry): Promise<void> {
  await insertRow(ctx.db, 'audit_events', auditRow(ctx, entry))
  await recordEvents(ctx, eventsOf(entry))
}

export async function recordAll(ctx: AuditContext, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  await insertEvents(
    ctx.db,
    entries.map((entry) => auditRow(ctx, entry)),
  )
  await recordEvents(ctx, entries.flatMap(eventsOf))
}

type AuditContext = Pick<Context, 'clock' | 'db' | 'node'>

export function auditRow(
  ctx: AuditContext,
  { event, outcome = 'success', actor, target, device, details = {} }: Entry,
) {
  return {
    id: newId(),
    time: ctx.clock.date(),
    event,
    outcome,
    actor_id: actor?.id ?? null,
    actor_role: actor?.user_type ?? null,
    target_id: target ?? null,
    impersonator_id: device?.impersonatedBy ?? null,
    method: device?.method || null,
    ip: device?.address || null,
    user_agent: device?.userAgent ?? null,
    request_id: device?.requestId ?? null,
    node: ctx.node,
    details,
  }
}

/** Equal contacts produce equal values, but a value reveals only the first character of the contact. */
export const auditedContact = (ctx: Context, contact: string): string =>
  `${firstLetter(contact)}:${keyedHash(ctx.config.AUTH_SECRET, 'audit-contact', contact).slice(0, 22)}`

/** Returns a complete character because lone surrogates cannot be stored. */
const firstLetter = (text: string): string => text.match(/^./su)?.[0] ?? ''

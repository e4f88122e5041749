import { findAuditEventsOf } from '../audit/queries.ts'
import { commandLine } from '../audit/record.ts'
import { isFieldUsed } from '../config/profile-fields.ts'
import type { Context, PersonalData, UserRow } from '../context.ts'
import { iso } from '../lib/time.ts'
import { shownPasskey } from '../passkeys/list-passkeys.ts'
import { findOfferTime } from '../passkeys/offer-queries.ts'
import { releasePictures } from '../pictures/release-pictures.ts'
import { maskedListEntry } from '../sessions/list-entry.ts'
import { findSessionsOf } from '../sessions/queries.ts'
import { deleteRevocationsOf } from '../sessions/revocation-queries.ts'
import { findExternalId, updateUser } from '../users/queries.ts'
import { findRolesOf } from '../users/role-queries.ts'
import { loginUserWithModules } from '../users/shapes.ts'
import { listPasskeys } from '../webauthn/queries.ts'

/** Limits the export size. */
const limits = { sessions: 1_000, events: 10_000 }

/** When a user is erased, foreign keys delete or anonymize the rows in the tables without `erase`. */
export const corePersonalData: readonly PersonalData[] = [
  {
    tables: ['users'],
    unproven: async (tx, { id }) => {
      await updateUser(tx.db, id, { metadata: {}, picture: '' }, tx.clock.date())
      await releasePictures(tx, id)
    },
    collect: async (ctx, user) => ({
      user: { ...exportedUser(ctx, user), external_id: await findExternalId(ctx.db, user.id) },
    }),
  },
  {
    tables: ['sessions'],
    unproven: 'kept',
    collect: async (ctx, user) => {
      const rows = await findSessionsOf(ctx.db, user.id, new Date(0), limits.sessions)
      return {
        sessions: rows.map((row) => {
          // The hash prefix is omitted because exports contain no hashes.
          const { sessionPrefix: _prefix, ...shown } = maskedListEntry(ctx, row, user.user_type)
          return shown
        }),
      }
    },
  },
  {
    // Events are kept for their retention period. After erasure, the ids in them no longer identify a user. Back-end
    // events are not exported: apart from ids, they contain no data about users, and they only repeat audit events or
    // content changes.
    tables: ['audit_events', 'events'],
    unproven: 'kept',
    collect: async (_ctx, user) => ({
      audit: (await findAuditEventsOf(_ctx.db, user.id, limits.events)).map((event) => exportedEvent(event, user)),
    }),
  },
  {
    tables: ['passkeys', 'recovery_codes', 'passkey_offers'],
    // `passwordless/first-proof.ts` removes them, because it tells the user.
    unproven: 'kept',
    collect: async (ctx, user) => {
      const offeredAt = await findOfferTime(ctx.db, user.id)
      return {
        passkeys: (await listPasskeys(ctx.db, user.id)).map(shownPasskey),
        ...(offeredAt && { passkey_offered_at: iso(offeredAt) }),
      }
    },
  },
  // Not exported: hashes, pending changes that expire within a day, file names, and reasons entered by administrators.
  {
    tables: ['one_time_secrets', 'handover_codes', 'email_changes', 'pictures', 'user_blocks', 'stored_settings'],
    // Links are void, and a change of the address ends with them. Handover codes end with their session.
    unproven: 'kept',
  },
  // Not exported, because the operator owns the message texts.
  { tables: ['message_templates'], unproven: 'kept' },
  // A row exists while its user, whom the service created for a test, signs in to an application.
  { tables: ['application_tests'], unproven: 'kept' },
  {
    tables: ['user_roles'],
    unproven: 'kept',
    collect: async (ctx, user) => ({ roles: (await findRolesOf(ctx.db, user.id)).map(exportedRole) }),
  },
  { tables: ['session_revocations'], unproven: 'kept', erase: deleteRevocationsOf },
]

type HeldRole = Awaited<ReturnType<typeof findRolesOf>>[number]

/** Without the administrator who granted the role. */
const exportedRole = ({ application, key, name, granted_at, until }: HeldRole) => ({
  ...{ application, role: key, name },
  granted_at: iso(granted_at),
  until: until && iso(until),
})

function exportedUser(ctx: Context, user: UserRow): Record<string, unknown> {
  const shown = {
    ...loginUserWithModules(ctx, user),
    phone: user.phone ?? '',
    created_at: iso(user.created_at),
    updated_at: iso(user.updated_at),
  }
  // A field that was used in the past can still have a value, which belongs to the user's data.
  return Object.fromEntries(Object.entries(shown).filter(([name, value]) => value || isFieldUsed(ctx.config, name)))
}

type EventRow = Awaited<ReturnType<typeof findAuditEventsOf>>[number]

/** Omits details, which may name other users, and other users' IP addresses and devices. */
function exportedEvent({ time, event, outcome, ip, user_agent, ...acting }: EventRow, user: UserRow) {
  const { actor_id } = acting
  const isOther = isOfAdministrator(acting, user)
  return {
    time: iso(time),
    event,
    outcome,
    by: isOther ? ('administrator' as const) : actor_id && ('user' as const),
    ip: isOther ? null : ip,
    user_agent: isOther ? null : user_agent,
  }
}

type Acting = Pick<EventRow, 'actor_id' | 'actor_role' | 'impersonator_id'>

function isOfAdministrator({ actor_id, actor_role, impersonator_id }: Acting, user: UserRow): boolean {
  if (impersonator_id !== null) return impersonator_id !== user.id
  return actor_id === null ? actor_role === commandLine.user_type : actor_id !== user.id
}

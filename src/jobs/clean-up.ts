import { purgeExpired } from '../adapters/rate-limit/postgres.ts'
import { usageKept } from '../admin/security-figures.ts'
import { deleteOldUsage } from '../admin/usage-queries.ts'
import { eraseApplications } from '../applications/queries.ts'
import { eraseInterruptedTests } from '../applications/sign-in-test/test-user.ts'
import { deleteOldEvents, shortenAddresses } from '../audit/queries.ts'
import { removeSeals } from '../audit/remove-seals.ts'
import { sealEvents } from '../audit/seal-events.ts'
import type { Context } from '../context.ts'
import { rawQuery } from '../db/run-text.ts'
import { deleteEndedChanges } from '../email-addresses/change-queries.ts'
import { completeDueChanges, expireEmailChanges } from '../email-addresses/end-changes.ts'
import { deleteOldServiceEvents } from '../events/queries.ts'
import { deleteExpiredHandoverCodes } from '../handover/queries.ts'
import { day, hour } from '../lib/time.ts'
import { deleteExpiredOneTimeTokens } from '../one-time-tokens/queries.ts'
import { deleteOldMessages, erasePayloads } from '../outbox/queries.ts'
import { removeUnusedPictures } from '../pictures/release-pictures.ts'
import { eraseUsers } from '../profile/delete-user.ts'
import { deleteEndedGrants, deleteOrphanedGrants } from '../roles/grants/queries.ts'
import { endSessionsOfApplications } from '../sessions/end-of-applications.ts'
import { deleteEndedSessions, deleteUnusedSessions } from '../sessions/end-queries.ts'
import { revocationsKept } from '../sessions/revocation-feed.ts'
import { deleteOldRevocations } from '../sessions/revocation-queries.ts'
import { deleteExpiredFlows, deleteExpiredTokens } from '../social/queries.ts'
import { deleteIdleCounters } from '../users/counter-queries.ts'
import { sumUpUserCounts } from '../users/stored-count-queries.ts'

/** Each job returns the number of removed rows. A job that removed a full batch runs again immediately. */
export type CleanupJobs = Record<string, (ctx: Context) => Promise<number>>

const batch = 1_000
const retention = {
  sessions: 30 * day,
  messages: 7 * day,
  failedPayloads: day,
  secrets: 7 * day,
  counters: 30 * day,
  applications: 14 * day,
}

/** Removes rows in batches so that no statement locks many rows. Locked rows are skipped. */
export async function cleanUp(ctx: Context, moduleJobs: CleanupJobs = {}): Promise<void> {
  const { db, clock, config, log } = ctx
  const ago = (duration: number) => new Date(clock.now() - duration)
  const maxUnusedAge = Math.max(config.SESSION_IDLE_TTL, config.ADMIN_SESSION_IDLE_TTL) + retention.sessions
  const jobs: CleanupJobs = {
    ...moduleJobs,
    ended_sessions: () => deleteEndedSessions(db, ago(retention.sessions), batch),
    unused_sessions: () => deleteUnusedSessions(db, ago(maxUnusedAge), batch),
    // Disabling an application ends them at once, unless it was disabled by hand.
    application_sessions: () => endSessionsOfApplications(ctx),
    session_revocations: () => deleteOldRevocations(db, ago(revocationsKept), batch),
    erased_users: () => eraseUsers(ctx, ago(config.DELETED_RETENTION), batch),
    secrets: () => deleteExpiredOneTimeTokens(db, ago(retention.secrets), batch),
    handover_codes: () => deleteExpiredHandoverCodes(db, ago(retention.secrets), batch),
    due_email_changes: () => completeDueChanges(ctx, batch),
    expired_email_changes: () => expireEmailChanges(ctx, batch),
    email_changes: () => deleteEndedChanges(db, ago(retention.secrets), batch),
    social_flows: () => deleteExpiredFlows(db, ago(0), batch),
    social_tokens: () => deleteExpiredTokens(db, ago(hour), batch),
    failed_payloads: () => erasePayloads(db, ago(retention.failedPayloads), ago(0), batch),
    messages: () => deleteOldMessages(db, ago(retention.messages), batch),
    sealed_events: () => sealEvents(ctx, batch),
    audit_addresses: () => shortenAddresses(db, ago(config.AUDIT_IP_FULL), batch),
    audit_events: () => deleteOldEvents(db, ago(config.AUDIT_RETENTION), batch),
    audit_seals: () => removeSeals(ctx, ago(config.AUDIT_RETENTION + retention.sessions), batch),
    events: () => deleteOldServiceEvents(db, ago(config.EVENT_RETENTION), batch),
    rate_limits: () => purgeExpired(rawQuery(db), batch),
    // Pictures less than an hour old may be part of an upload in progress.
    pictures: () => removeUnusedPictures(ctx, ago(hour), batch),
    account_counters: () => deleteIdleCounters(db, ago(retention.counters), batch),
    application_tests: () => eraseInterruptedTests(ctx, batch),
    erased_applications: () => eraseApplications(db, ago(retention.applications), batch),
    ended_grants: () => deleteEndedGrants(db, ago(day), batch),
    orphaned_grants: () => deleteOrphanedGrants(db, batch),
    usage_counts: () => deleteOldUsage(db, ago(usageKept), batch),
    // Replaces rows with their sum. Returns the decrease in the number of rows.
    user_counts: () => sumUpUserCounts(db, 10 * batch),
  }
  const removed: Record<string, number> = {}
  for (const [name, job] of Object.entries(jobs)) {
    try {
      removed[name] = await repeat(() => job(ctx))
    } catch (error) {
      // A failed job must not stop the other jobs.
      ctx.metrics.jobFailed('cleanup')
      log.error({ err: error, job: name }, 'a cleanup job failed')
    }
  }
  log.info({ removed }, 'cleaned up')
}

async function repeat(job: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const count = await job()
    total += count
    if (count < batch) return total
  }
}

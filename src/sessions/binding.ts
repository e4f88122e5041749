import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../audit/record.ts'
import type { FixedConfig } from '../config/load.ts'
import type { Context, SessionBinding, SessionView } from '../context.ts'
import { deviceOf, type EndUser } from '../http/access/device.ts'
import { canonicalAddress } from '../lib/address.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import { AppError } from '../lib/errors.ts'
import { keyedHash } from '../lib/hash.ts'
import { day, minute } from '../lib/time.ts'

/** A route that accepts sessions. `needs` completes the sentence "Send …". */
export interface Door {
  /** Default: the request's route. */
  name?: string
  needs: string
}

type Parts = Pick<Context, 'clock' | 'db' | 'log' | 'node'> & { config: FixedConfig }

/** Each change of a session is recorded once within this time, on each node. */
const window = day
/** Further changes within the window are not recorded, so that a stolen token cannot fill the audit trail. */
const maxReports = 10

/** Compares the IP address and the user agent of a request with those at sign-in (SESSION_BINDING). */
export function createBinding(parts: Parts): SessionBinding {
  const { SESSION_BINDING: mode } = parts.config
  const reports = new BoundedMap<string, { until: number; changes: Set<string> }>({ maxWeight: 10_000 })
  const nextWarnings = new Map<string, number>()

  const isNew = (sessionId: string, change: string): boolean => {
    const now = parts.clock.now()
    const known = reports.get(sessionId)
    const report = known && now < known.until ? known : { until: now + window, changes: new Set<string>() }
    if (report !== known) reports.set(sessionId, report)
    if (report.changes.size >= maxReports || report.changes.has(change)) return false
    report.changes.add(change)
    return true
  }

  async function report(view: SessionView, changed: string[], { ip, user_agent }: EndUser, request: FastifyRequest) {
    if (!isNew(view.session.id, JSON.stringify([ip, user_agent]))) return
    const device = deviceOf(request)
    await recordAudit(parts, {
      event: 'session_context_changed',
      outcome: mode === 'enforce' ? 'failure' : 'success',
      target: view.user.id,
      device: { ...device, address: ip ?? device.address, userAgent: user_agent ?? device.userAgent },
      details: { session: view.session.id, changed },
    })
  }

  function warn({ name, needs }: Door, { method, routeOptions }: FastifyRequest): void {
    const route = name ?? `${method} ${routeOptions.url}`
    const now = parts.clock.now()
    if (now < (nextWarnings.get(route) ?? 0)) return
    nextWarnings.set(route, now + minute)
    parts.log.warn(
      { route },
      `refused a session because ${route} did not describe the user, which SESSION_BINDING=enforce requires: send ${needs}`,
    )
  }

  async function reject(view: SessionView, changed: string[], endUser: EndUser, door: Door, request: FastifyRequest) {
    if (changed.length === 0) warn(door, request)
    else await report(view, changed, endUser, request)
    throw new AppError('INVALID_SESSION')
  }

  return {
    check(view, endUser, door, request) {
      if (mode === 'off') return undefined
      const { ip, user_agent, compare } = endUser
      const isUnknown = user_agent === undefined || (ip === undefined && compare !== 'user_agent')
      const changed = changedMembers(view, endUser)
      if (mode === 'enforce') {
        return isUnknown || changed.length > 0 ? reject(view, changed, endUser, door, request) : undefined
      }
      // The response does not wait for the audit event.
      if (changed.length > 0)
        report(view, changed, endUser, request).catch((err) => parts.log.warn({ err }, notRecorded))
      return undefined
    },
  }
}

const notRecorded = 'could not record that a session was used from another IP address or user agent'

const maxAgentLength = 512
const noChange: string[] = []

function changedMembers({ session }: SessionView, { ip, user_agent }: EndUser): string[] {
  const hasMoved = ip !== undefined && ip !== session.ip_address && (canonicalAddress(ip) ?? ip) !== session.ip_address
  const hasOtherAgent = user_agent !== undefined && user_agent.slice(0, maxAgentLength) !== session.user_agent
  if (!hasMoved && !hasOtherAgent) return noChange
  return [...(hasMoved ? ['ip'] : []), ...(hasOtherAgent ? ['user_agent'] : [])]
}

/**
 * Lets a back end compare the users of a cached session itself. The key is the hash of the session token, so that the
 * values cannot be guessed without the token.
 */
export const bindingHashes = (tokenHash: string, { session }: SessionView) => ({
  ip: keyedHash(tokenHash, 'ip', session.ip_address),
  user_agent: keyedHash(tokenHash, 'user_agent', session.user_agent),
})

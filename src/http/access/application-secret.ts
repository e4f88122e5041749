import type { FastifyRequest } from 'fastify'
import type { ApplicationSecret, Context } from '../../context.ts'
import { isCheckedSecret, newCheckedSecret } from '../../lib/checked-secret.ts'
import { sha256 } from '../../lib/hash.ts'
import type { KnownBridgeSecret, RequestWithSecret } from './known-secret.ts'

const prefix = 'wbs_'

export const newApplicationSecret = (): string => newCheckedSecret(prefix)

/** Whether the request brings a value in the form of an application's secret, with a correct checksum. */
export const bringsApplicationSecret = (request: Pick<FastifyRequest, 'headers'>): boolean =>
  secretIn(request) !== undefined

function secretIn({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const header = headers['x-bridge-secret']
  return typeof header === 'string' && isCheckedSecret(prefix, header) ? header : undefined
}

export function applicationSecrets({ applications, usage, clock }: Pick<Context, 'applications' | 'usage' | 'clock'>) {
  const stored = (request: RequestWithSecret): ApplicationSecret | undefined => {
    const secret = secretIn(request)
    return secret === undefined ? undefined : applications.current().ofSecret(sha256(secret))
  }
  const problemOf = ({ application, endsAt, isAllowedFrom }: ApplicationSecret, request: RequestWithSecret) => {
    if (!application.isEnabled) return 'application_disabled'
    if (endsAt <= clock.now()) return 'ended'
    return isAllowedFrom(request.clientAddress) ? undefined : 'network'
  }
  const toKnown = ({ id, application, rights }: ApplicationSecret): KnownBridgeSecret => ({
    name: id,
    uses: usage.counterOf('bridge_secret', id),
    application,
    may: (right) => rights.includes(right),
  })
  const known = new WeakMap<ApplicationSecret, KnownBridgeSecret>()

  return {
    find(request: RequestWithSecret): KnownBridgeSecret | undefined {
      const secret = stored(request)
      if (!secret || problemOf(secret, request) !== undefined) return undefined
      const found = known.get(secret) ?? toKnown(secret)
      known.set(secret, found)
      return found
    },
    /** For the audit trail. The caller learns only that the secret is not accepted. */
    explain(request: RequestWithSecret): Record<string, unknown> {
      const secret = stored(request)
      if (!secret) return {}
      const { id, application } = secret
      return { application: application.id, key: application.key, secret_id: id, reason: problemOf(secret, request) }
    },
  }
}

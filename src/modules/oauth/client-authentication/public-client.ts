import type { Client } from '../clients/client-view.ts'
import type { AuthenticationMethod } from './authentication-method.ts'

interface Sent {
  client_id?: string | undefined
  client_secret?: string | undefined
}

/** Others require a proof, so that introspection tells nothing to programs that know only a client_id (RFC 7662, 4). */
const acceptingRoutes: readonly string[] = ['/oauth/token', '/oauth/revoke']

/** A client that cannot keep a secret only names itself (RFC 6749, 2.1). The code and its verifier prove the rest. */
export const publicClient: AuthenticationMethod = {
  names: ['none'],
  read({ raw, body, routeOptions }) {
    const { client_id: clientId = '', client_secret = '' } = (body ?? {}) as Sent
    const hasProof = raw.headers.authorization !== undefined || client_secret !== ''
    if (clientId === '' || hasProof || !acceptingRoutes.includes(routeOptions.url ?? '')) return undefined
    return { clientId, match: (client) => (isPublic(client) ? client?.id : undefined) }
  },
}

export const isPublic = (client: Client | undefined): boolean => client?.authMethod === 'none'

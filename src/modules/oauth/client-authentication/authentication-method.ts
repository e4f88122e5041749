import type { FastifyRequest } from 'fastify'
import type { Client } from '../clients/client-view.ts'

/** What may contain a proof, and the route, because not every route accepts every method. */
export type ClientRequestParts = Pick<FastifyRequest, 'raw' | 'body' | 'routeOptions'>

/** A way in which clients prove who they are (RFC 6749, 2.3). */
export interface AuthenticationMethod {
  /** As in `token_endpoint_auth_methods_supported` (RFC 8414). */
  readonly names: readonly string[]
  /** Undefined if the request does not use the method. Throws invalid_request if it uses the method wrongly. */
  read(request: ClientRequestParts): PresentedProof | undefined
}

export interface PresentedProof {
  clientId: string
  /** The id of the secret that matches, or of a client without one. Takes the same time if there is no client. */
  match(client: Client | undefined, now: number): string | undefined
}

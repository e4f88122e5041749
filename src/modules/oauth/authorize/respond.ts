import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import type { PageVisit } from '../../../ui/shared/visit.ts'
import { formPostPage } from './form-post/view.ts'

/** Where and how a client is answered. Its address was checked. */
export interface ResponseTarget {
  redirectUri: string
  mode: 'query' | 'form_post'
  state: string | undefined
}

export type AuthorizationResponse = { code: string } | { error: string; error_description?: string }

/**
 * RFC 6749, 4.1.2. Each response names the issuer (RFC 9207). The status is 303, because with others, browsers would send the
 * form of a page again, to the client (RFC 9700, 4.12).
 */
export function respondToClient(
  { config }: Pick<Context, 'config'>,
  visit: PageVisit,
  { redirectUri, mode, state }: ResponseTarget,
  response: AuthorizationResponse,
): FastifyReply {
  const members = { ...response, ...(state !== undefined && { state }), iss: config.PUBLIC_URL }
  if (mode === 'form_post')
    return visit.show((page) => formPostPage({ action: redirectUri, members }, page), 200, null, redirectUri)
  return visit.redirectTo(withMembers(redirectUri, members))
}

/** Appends the members to the address byte for byte, because a parser would respell it. */
export const withMembers = (address: string, members: Record<string, string>): string =>
  `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(members)}`

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Reply } from '../support/test-app.ts'

export const verifier = 'v'.repeat(50)
export const codeChallenge = createHash('sha256').update(verifier).digest('base64url')

export const shop = 'https://shop.test/callback'

/** The URL that an application sends a browser to. */
export const signInAt = (members: Record<string, string>, path = '/login'): string =>
  `${path}?${new URLSearchParams(members)}`

/** A redirect's target. */
export const locationOf = (reply: Reply): string => {
  assert.equal(reply.status, 303, reply.text.slice(0, 300))
  return String(reply.headers.location)
}

/** The id of the sign-in flow in one of the service's URLs. */
export const flowIn = (address: string): string => {
  const [, id] = /[?&]flow=([\w-]{12})$/.exec(address) ?? []
  assert.ok(id, address)
  return id
}

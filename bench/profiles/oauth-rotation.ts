import { createRemoteJWKSet, jwtVerify } from 'jose'
import { signInSuperadmin } from '../applications.ts'
import { issuedTokens, jwtApi, type OAuthPopulation } from '../oauth.ts'
import { production, type Service } from '../service.ts'
import type { Stage } from '../stage.ts'
import { withClient } from '../with-client.ts'

const rounds = 20
const perRound = 500

/** Verifies new JWTs with jose, as an API does, while the keys are rotated in the middle. */
export async function verifyAcrossRotation(stage: Stage, service: Service, { clients }: OAuthPopulation) {
  const origin = `http://127.0.0.1:${service.port}`
  const sessionToken = await signInSuperadmin(stage, service.port)
  const keys = createRemoteJWKSet(new URL(`${origin}/oauth/jwks`))
  const options = { issuer: production.PUBLIC_URL, audience: jwtApi, typ: 'at+jwt', algorithms: ['ES256'] }
  const kids = new Set<string>()
  let failures = 0
  for (let round = 0; round < rounds; round++) {
    if (round === 0) await publishNext(stage, origin, sessionToken)
    if (round === rounds / 2) await rotate(origin, sessionToken)
    const tokens = await issuedTokens(`${origin}/oauth/token`, clients, jwtApi, perRound)
    const verified = await Promise.allSettled(tokens.map((token) => jwtVerify(token, keys, options)))
    failures += verified.filter(({ status }) => status === 'rejected').length
    for (const one of verified) if (one.status === 'fulfilled') kids.add(String(one.value.protectedHeader.kid))
  }
  return { figure: 'verifications across a rotation', verifications: rounds * perRound, failures, keys: kids.size }
}

/** The first rotation only publishes a key. It is made as old as it would be after a day, so that the next one uses it. */
async function publishNext({ databaseUrl }: Stage, origin: string, sessionToken: string): Promise<void> {
  await rotate(origin, sessionToken)
  await withClient(databaseUrl, (client) =>
    client.query(
      `UPDATE oauth_keys SET created_at = created_at - interval '1 day', active_from = active_from - interval '1 day'
       WHERE status = 'next'`,
    ),
  )
}

async function rotate(origin: string, sessionToken: string): Promise<void> {
  const reply = await fetch(`${origin}/auth/admin/oauth/keys/rotate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session-id': sessionToken },
    body: '{}',
  })
  if (reply.status !== 200) throw new Error(`the keys were not rotated: ${await reply.text()}`)
}

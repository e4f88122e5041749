import { setTimeout as sleep } from 'node:timers/promises'
import { signInSuperadmin } from '../applications.ts'
import { issuedTokens, type OAuthPopulation, opaqueApi } from '../oauth.ts'
import { bridgeSecret, type Service } from '../service.ts'
import type { Stage } from '../stage.ts'
import { withClient } from '../with-client.ts'

const tokens = 100_000
const others = 500

/**
 * Disables a client with 100,000 tokens on one node. Another node must reject its tokens, and must not read those of other
 * clients again.
 */
export async function measureRevocation(
  stage: Stage,
  service: Service,
  { clients }: OAuthPopulation,
  settings: Record<string, string>,
) {
  const [victim, ...rest] = clients
  if (!victim) throw new Error('no clients')
  const other = await stage.startService(settings, 'others')
  try {
    await addTokens(stage.databaseUrl, victim.id)
    const url = `http://127.0.0.1:${service.port}/oauth/token`
    const [own = ''] = await issuedTokens(url, [victim], opaqueApi, 1)
    const kept = await issuedTokens(url, rest, opaqueApi, others)
    for (const token of [own, ...kept, own, ...kept]) await validate(other, token)
    const sessionToken = await signInSuperadmin(stage, service.port)
    const started = performance.now()
    await disable(service, victim.id, sessionToken)
    const written = performance.now()
    while ((await validate(other, own)) !== 'rejected') await sleep(1)
    const rejected = performance.now()
    const after = []
    for (const token of kept) after.push(await validate(other, token))
    return {
      figure: 'a client with 100,000 tokens is disabled',
      request_ms: Math.round(written - started),
      rejected_elsewhere_after_ms: Math.round(rejected - written),
      others_from_memory: after.filter((one) => one === 'memory').length / others,
    }
  } finally {
    await other.stop()
  }
}

const addTokens = (databaseUrl: string, clientId: string): Promise<void> =>
  withClient(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO oauth_access_tokens (token_hash, client_id, client_epoch, scopes, resource_id, expires_at)
       SELECT sha256(n::text::bytea), c.id, c.epoch, c.scopes, c.resources[2], now() + interval '10 minutes'
       FROM oauth_clients c, generate_series(1, $2::int) n WHERE c.client_id = $1`,
      [clientId, tokens],
    )
    await client.query('ANALYZE oauth_access_tokens')
  })

async function disable(service: Service, clientId: string, sessionToken: string): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${service.port}/auth/admin/oauth/clients/${clientId}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-session-id': sessionToken },
    body: '{"enabled":false}',
  })
  if (reply.status !== 200) throw new Error(`the client was not disabled: ${await reply.text()}`)
}

/** Returns where the service found the token. */
async function validate(service: Service, credential: string): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${service.port}/auth/bridge/validate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-bridge-secret': bridgeSecret },
    body: JSON.stringify({ credential, resource: opaqueApi }),
  })
  const { success, cacheSource } = (await reply.json()) as { success: boolean; cacheSource?: string }
  return success ? String(cacheSource) : 'rejected'
}

import { asStaff } from '../../../admin/as-staff.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { AppError } from '../../../lib/errors.ts'
import { second } from '../../../lib/time.ts'
import type { ClientRequest } from '../clients/as-client-manager.ts'
import { findClientViews } from '../clients/client-queries.ts'
import type { Client } from '../clients/client-view.ts'
import { findClient } from '../clients/queries.ts'
import { clientCredentials } from '../token/client-credentials.ts'
import { type IssuedToken, issueMachineToken } from '../token/issue-access-token.ts'
import { insertRevoked } from '../token/queries.ts'
import { type AccessToken, readTokens } from '../token/read-tokens.ts'
import type { AskedAccess } from '../token/scopes.ts'
import { tokenIdOf } from '../token/token-text.ts'
import { decodedToken } from './decode-token.ts'
import {
  type ClientTestResult,
  type ClientTestStepName,
  clientTestSteps,
  type DecodedToken,
  FailedClientTest,
  reasonOfCode,
} from './test-steps.ts'

interface ClientTest extends Partial<AskedAccess> {
  /** Counts the request for a token against the limit of the client. */
  count(client: Client): void
}

/**
 * Issues a token as the token endpoint does, checks it, and revokes it. Only the authentication is left out, because the
 * service does not know the secret. The token never leaves this function.
 */
export async function testClient(ctx: Context, request: ClientRequest, test: ClientTest): Promise<ClientTestResult> {
  const attempt = { permission: 'applications:manage', deed: 'test_oauth_client' } as const
  await asStaff(ctx, request, attempt, async (tx) => {
    if (!(await findClient(tx.db, request.clientId))) throw new AppError('OAUTH_CLIENT_NOT_FOUND')
  })
  const result = await runTest(ctx, request.clientId, test)
  const failed = result.steps.find(({ outcome }) => outcome === 'failed')
  const { actor, device } = request.principal
  const details = { client: request.clientId, result: result.outcome }
  await recordAudit(ctx, {
    ...{ event: 'oauth_client_tested', actor, device },
    details: { ...details, ...(failed && { step: failed.step, reason: failed.reason }) },
  })
  return result
}

async function runTest(ctx: Context, clientId: string, test: ClientTest): Promise<ClientTestResult> {
  let at: ClientTestStepName = 'client'
  let token: DecodedToken | null = null
  const reach = (step: ClientTestStepName) => {
    at = step
  }
  try {
    token = await passSteps(ctx, clientId, { ...test, reach })
    return {
      outcome: 'passed',
      steps: clientTestSteps.map((step) => ({ step, outcome: 'passed', reason: null })),
      token,
    }
  } catch (error) {
    if (!(error instanceof FailedClientTest)) throw error
    const failedAt = clientTestSteps.indexOf(at)
    const steps = clientTestSteps.map((step, index) => {
      if (index === failedAt) return { step, outcome: 'failed' as const, reason: error.reason }
      return { step, outcome: index < failedAt ? ('passed' as const) : ('skipped' as const), reason: null }
    })
    return { outcome: 'failed', steps, token: null }
  }
}

interface Running extends ClientTest {
  reach(step: ClientTestStepName): void
}

/** Throws FailedClientTest. */
async function passSteps(ctx: Context, clientId: string, running: Running): Promise<DecodedToken> {
  const [client] = await findClientViews(ctx, { clientIds: [clientId] })
  const now = ctx.clock.now()
  if (!client?.isLive) throw new FailedClientTest('not_live')
  if (client.endsAt !== null && client.endsAt <= now) throw new FailedClientTest('account_ended')
  running.reach('secret')
  if (!client.secrets.some(({ expiresAt }) => expiresAt === null || expiresAt > now))
    throw new FailedClientTest('no_secret')
  running.reach('token')
  const { access_token: text, expires_in } = await issue(ctx, client, running)
  try {
    running.reach('check')
    return decodedToken(ctx, text, await check(ctx, text))
  } finally {
    await revoke(ctx, text, new Date(now + expires_in * second), running)
  }
}

async function issue(ctx: Context, client: Client, { count, scope, resource }: ClientTest): Promise<IssuedToken> {
  if (!client.grantTypes.includes(clientCredentials.type)) throw new FailedClientTest('unauthorized_client')
  try {
    count(client)
    return await issueMachineToken(ctx, client, { scope: scope || undefined, resource: resource || undefined })
  } catch (error) {
    const reason = error instanceof AppError ? reasonOfCode(error.code) : undefined
    throw reason ? new FailedClientTest(reason) : error
  }
}

async function check(ctx: Context, text: string): Promise<AccessToken> {
  const token = (await readTokens(ctx, [text])).get(text)
  if (!token) throw new FailedClientTest('rejected')
  return token
}

/** Also after a failed check. */
async function revoke(ctx: Context, text: string, expires_at: Date, { reach }: Running): Promise<void> {
  const token_id = tokenIdOf(text)
  await transact(ctx, async (tx) => {
    await insertRevoked(tx.db, { token_id, created_at: tx.clock.date(), expires_at })
    tx.after(() => tx.sessions.invalidate(token_id, 2))
  })
  if ((await readTokens(ctx, [text])).size === 0) return
  reach('revoke')
  throw new FailedClientTest('still_valid')
}

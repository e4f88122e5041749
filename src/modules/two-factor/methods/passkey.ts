import type { Context, Transaction } from '../../../context.ts'
import { invalidField } from '../../../lib/errors.ts'
import { type ChallengeBinding, consumeChallenge, issueChallenge } from '../passkeys/challenge.ts'
import { challengeIn, readAssertion, readRegistration, warmUp } from '../passkeys/check-response.ts'
import { creationOptions, requestOptions } from '../passkeys/options.ts'
import { findPasskey, insertPasskey, listCredentials, notePasskeyUse } from '../passkeys/queries.ts'
import { canUsePasskeys, relyingPartyOf } from '../passkeys/relying-party.ts'
import { isPasskeyResponse, type PasskeyResponse } from '../passkeys/schemas.ts'
import type { MethodRow } from '../queries.ts'
import type { CheckResult, FactorMethod, FactorRequest, StartResult } from './method.ts'
import { sentCodeLifetime } from './sent-code.ts'

export const passkeyMethod: FactorMethod = {
  maxPerUser: 10,
  isAvailable: ({ config }) => canUsePasskeys(config),
  masked: () => null,
  prepare: (_ctx, _user, { name }) => ({ identifier: null, ...(name && { metadata: { name } }) }),
  start,
  assertForm: ({ response }) => {
    if (!isPasskeyResponse(response))
      throw invalidField('response', 'must be the credential as returned by toJSON() in the browser')
  },
  check: async (ctx, row, factorRequest, { response }) => {
    if (!isPasskeyResponse(response)) return { right: false }
    return factorRequest.action === 'setup'
      ? keepPasskey(ctx, row, factorRequest, response)
      : checkPasskey(ctx, row, factorRequest, response)
  },
}

async function start(tx: Transaction, row: MethodRow, factorRequest: FactorRequest): Promise<StartResult> {
  warmUp()
  const lifetime = sentCodeLifetime(tx, factorRequest)
  const { challenge } = await issueChallenge(tx, { ...boundTo(row, factorRequest), lifetime })
  const known = await listCredentials(tx.db, row.user_id)
  const party = relyingPartyOf(tx.config)
  const options =
    factorRequest.action === 'setup'
      ? creationOptions(party, { user: factorRequest.user, challenge, lifetime, existing: known })
      : requestOptions(party, { challenge, lifetime, allowed: known, userVerification: 'preferred' })
  return { sent: false, shown: { options } }
}

async function keepPasskey(
  ctx: Context,
  row: MethodRow,
  factorRequest: FactorRequest,
  response: PasskeyResponse,
): Promise<CheckResult> {
  const made = await readRegistration(relyingPartyOf(ctx.config), response)
  if (!made || !(await consume(ctx, row, factorRequest, response))) return { right: false }
  return { right: await insertPasskey(ctx.db, row.id, made) }
}

/**
 * Users might not know which passkey a device has, so any of the user's passkeys is accepted. For `remove`, only the
 * chosen method's passkey is accepted because another one could be the passkey to remove.
 */
async function checkPasskey(
  ctx: Context,
  row: MethodRow,
  factorRequest: FactorRequest,
  response: PasskeyResponse,
): Promise<CheckResult> {
  const stored = await findPasskey(ctx.db, Buffer.from(response.id, 'base64url'))
  if (stored?.user_id !== row.user_id) return { right: false }
  if (factorRequest.action === 'remove' && stored.method_id !== row.id) return { right: false }
  const demand = { publicKey: stored.public_key, userVerification: 'preferred' } as const
  const assertion = await readAssertion(relyingPartyOf(ctx.config), response, demand)
  if (!assertion || !(await consume(ctx, row, factorRequest, response))) return { right: false }
  const movedOn = await notePasskeyUse(ctx.db, stored.method_id, assertion, ctx.clock.date())
  return movedOn ? { right: true } : { right: false, reason: 'sign_count' }
}

const consume = (ctx: Context, row: MethodRow, factorRequest: FactorRequest, response: PasskeyResponse) =>
  consumeChallenge(ctx, challengeIn(response) ?? '', boundTo(row, factorRequest))

/** Binds the challenge to the session and the action. */
function boundTo({ id, user_id: userId }: MethodRow, { sessionId, action }: FactorRequest): ChallengeBinding {
  return action === 'setup'
    ? { ceremony: 'passkey_setup', userId, target: `${sessionId}:${id}` }
    : { ceremony: 'passkey_check', userId, target: `${sessionId}:${action}` }
}

import { canUsePasskeys } from '../../../config/passkeys.ts'
import type { Transaction } from '../../../context.ts'
import { invalidField } from '../../../lib/errors.ts'
import { notePasskeyProof } from '../../../sessions/queries.ts'
import { type ChallengeBinding, consumeChallenge, issueChallenge } from '../../../webauthn/challenge.ts'
import { challengeIn, readAssertion, readRegistration, warmUp } from '../../../webauthn/check-response.ts'
import { keepPasskey, maxPasskeys } from '../../../webauthn/keep-passkey.ts'
import { creationOptions, requestOptions } from '../../../webauthn/options.ts'
import { findPasskey, listCredentials, notePasskeyUse, type StoredPasskey } from '../../../webauthn/queries.ts'
import { relyingPartyOf } from '../../../webauthn/relying-party.ts'
import { isPasskeyResponse, type PasskeyResponse } from '../../../webauthn/schemas.ts'
import type { MethodRow } from '../queries.ts'
import type { CheckResult, FactorMethod, FactorRequest, StartResult } from './method.ts'
import { sentCodeLifetime } from './sent-code.ts'

export const passkeyMethod: FactorMethod = {
  maxPerUser: maxPasskeys,
  isAvailable: ({ config }) => canUsePasskeys(config),
  masked: () => null,
  prepare: (_ctx, _user, { name }) => ({ identifier: null, ...(name && { metadata: { name } }) }),
  start,
  assertForm: ({ response }) => {
    if (!isPasskeyResponse(response))
      throw invalidField('response', 'must be the credential as returned by toJSON() in the browser')
  },
  check: async (tx, row, factorRequest, { response }) => {
    if (!isPasskeyResponse(response)) return { right: false }
    return factorRequest.action === 'setup'
      ? enrol(tx, row, factorRequest, response)
      : checkPasskey(tx, row, factorRequest, response)
  },
}

async function start(tx: Transaction, row: MethodRow, factorRequest: FactorRequest): Promise<StartResult> {
  warmUp()
  const lifetime = sentCodeLifetime(tx, factorRequest)
  const challenge = await issueChallenge(tx, { ...boundTo(row, factorRequest), lifetime })
  const known = await listCredentials(tx.db, row.user_id)
  const party = relyingPartyOf(tx.config)
  const options =
    factorRequest.action === 'setup'
      ? creationOptions(party, {
          user: factorRequest.user,
          challenge,
          lifetime,
          existing: known,
          requires: 'preferred',
        })
      : requestOptions(party, { challenge, lifetime, allowed: known, userVerification: 'preferred' })
  return { sent: false, shown: { options } }
}

async function enrol(
  tx: Transaction,
  row: MethodRow,
  factorRequest: FactorRequest,
  response: PasskeyResponse,
): Promise<CheckResult> {
  const created = await readRegistration(relyingPartyOf(tx.config), response, 'present')
  if (!created || !(await consume(tx, row, factorRequest, response))) return { right: false }
  const name = typeof row.metadata.name === 'string' ? row.metadata.name : undefined
  const { user, device } = factorRequest
  return { right: (await keepPasskey(tx, user, { id: row.id, created, via: 'settings', name, device })) !== undefined }
}

/**
 * Users might not know which passkey a device has, so any of the user's passkeys is accepted. For `remove`, only the
 * chosen method's passkey is accepted because another one could be the passkey to remove.
 */
async function checkPasskey(
  tx: Transaction,
  row: MethodRow,
  factorRequest: FactorRequest,
  response: PasskeyResponse,
): Promise<CheckResult> {
  const stored = await findPasskey(tx.db, Buffer.from(response.id, 'base64url'))
  if (stored?.user_id !== row.user_id) return { right: false }
  if (factorRequest.action === 'remove' && stored.id !== row.id) return { right: false }
  const demand = { publicKey: stored.public_key, userVerification: verificationOf(stored, factorRequest) }
  const assertion = await readAssertion(relyingPartyOf(tx.config), response, demand)
  if (!assertion || !(await consume(tx, row, factorRequest, response))) return { right: false }
  const now = tx.clock.date()
  if (!(await notePasskeyUse(tx.db, stored.id, assertion, now))) return { right: false, reason: 'sign_count' }
  const { action, sessionId } = factorRequest
  if (action === 'reauth' && assertion.uv) await notePasskeyProof(tx.db, sessionId, now)
  return { right: true }
}

/**
 * A passkey that the browser created without asking becomes a factor when its authenticator has verified the user. After
 * a sign-in, a passkey may be the only proof, so an authenticator that can verify the user must do so.
 */
const verificationOf = (
  { uv_seen, created_via }: StoredPasskey,
  { action }: FactorRequest,
): 'required' | 'preferred' =>
  (uv_seen && action !== 'login') || (!uv_seen && created_via === 'upgrade') ? 'required' : 'preferred'

const consume = (tx: Transaction, row: MethodRow, factorRequest: FactorRequest, response: PasskeyResponse) =>
  consumeChallenge(tx, challengeIn(response) ?? '', boundTo(row, factorRequest))

/** Binds the challenge to the session and the action. */
function boundTo({ id, user_id: userId }: MethodRow, { sessionId, action }: FactorRequest): ChallengeBinding {
  return action === 'setup'
    ? { ceremony: 'passkey_setup', userId, target: `${sessionId}:${id}` }
    : { ceremony: 'passkey_check', userId, target: `${sessionId}:${action}` }
}

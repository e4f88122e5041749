import type { Context } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { minute } from '../../lib/time.ts'
import { checkOneTimeCode } from '../../one-time-tokens/consume-code.ts'
import { recordingRejection } from '../../one-time-tokens/one-time-token.ts'
import { issueChallenge } from '../../webauthn/challenge.ts'
import { warmUp } from '../../webauthn/check-response.ts'
import { creationOptions } from '../../webauthn/options.ts'
import { relyingPartyOf } from '../../webauthn/relying-party.ts'
import { assertRegistrable } from './send-code.ts'

const lifetime = 5 * minute

interface ProvenAddress {
  registrationId: string
  code: string
}

/**
 * Returns options for the passkey of a user who does not exist yet. The code stays valid, so that the user can try
 * again if the browser does not create the passkey.
 */
export async function startRegistration(ctx: Context, proof: ProvenAddress, device: RequestDevice) {
  await assertRegistrable(ctx, device)
  warmUp()
  return recordingRejection(ctx, 'passkey_registration_code', { device }, async () => {
    const { registrationId, code } = proof
    const started = await transact(ctx, async (tx) => {
      const proven = await checkOneTimeCode(tx, 'passkey_registration_code', { id: registrationId, code })
      // Returns undefined because an error would roll back the counted attempt.
      if (!proven?.target) return undefined
      const id = newId()
      const binding = { ceremony: 'passkey_registration', userId: null, target: registrationId } as const
      const challenge = await issueChallenge(tx, { ...binding, id, lifetime })
      return { challenge, user: { id, email: proven.target, display_name: null, name: '' } }
    })
    if (!started) throw new AppError('INVALID_CODE')
    const creation = { ...started, lifetime, existing: [], requires: 'required' } as const
    return { options: creationOptions(relyingPartyOf(ctx.config), creation), expiresIn: lifetime / 1000 }
  })
}

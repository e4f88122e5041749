import type { Config } from '../config/load.ts'
import { canUsePasskeys } from '../config/passkeys.ts'
import type { UserRow } from '../context.ts'

type Settings = Pick<Config, 'APP_NAME' | 'WEBAUTHN_RP_ID' | 'WEBAUTHN_ORIGINS'>

/** The relying party depends only on the configuration, never on the request (WebAuthn level 3, 13.4.9). */
export interface RelyingParty {
  id: string
  name: string
  origins: string[]
}

export const relyingPartyOf = ({ APP_NAME, WEBAUTHN_RP_ID, WEBAUTHN_ORIGINS }: Settings): RelyingParty => ({
  id: WEBAUTHN_RP_ID,
  name: APP_NAME,
  origins: [...WEBAUTHN_ORIGINS],
})

/** The user handle is the user id, which contains no personal data. */
export const userHandleOf = ({ id }: Pick<UserRow, 'id'>): string =>
  Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')

/** Whether users can create passkeys and sign in with them. */
export const offersPasskeys = ({ config }: { config: Config }): boolean =>
  config.PASSKEYS_ENABLED && canUsePasskeys(config)

import { isIP } from 'node:net'
import type { Config } from '../../../config/load.ts'
import type { UserRow } from '../../../context.ts'

type Settings = Pick<Config, 'APP_NAME' | 'WEBAUTHN_RP_ID' | 'WEBAUTHN_ORIGINS'>

/** Whom a passkey is made for (WebAuthn, 13.4.9). From the configuration alone: no request has a say in it. */
export interface RelyingParty {
  id: string
  name: string
  /** The pages, and apps, that may use the passkeys. */
  origins: string[]
}

export const relyingPartyOf = ({ APP_NAME, WEBAUTHN_RP_ID, WEBAUTHN_ORIGINS }: Settings): RelyingParty => ({
  id: WEBAUTHN_RP_ID,
  name: APP_NAME,
  origins: [...WEBAUTHN_ORIGINS],
})

/** Browsers keep passkeys for names, not for addresses, and only on pages that nobody on the way can have changed. */
export function canUsePasskeys({ WEBAUTHN_RP_ID: id, WEBAUTHN_ORIGINS: origins }: Settings): boolean {
  const isSafe = (origin: string) => !origin.startsWith('http:') || new URL(origin).hostname === 'localhost'
  return isIP(id.replace(/^\[|\]$/g, '')) === 0 && origins.some(isSafe)
}

/** The name by which an authenticator knows a user: their id, which says nothing about them. */
export const userHandleOf = ({ id }: Pick<UserRow, 'id'>): string =>
  Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')

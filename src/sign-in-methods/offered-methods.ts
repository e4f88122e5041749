import { enabledProviderNames } from '../config/enabled-providers.ts'
import type { Config } from '../config/load.ts'
import { offersPasskeys } from '../webauthn/relying-party.ts'

/** The ways to sign in that the settings allow. */
export interface OfferedMethods {
  password: boolean
  /** A passkey whose authenticator has verified the user. */
  passkey: boolean
  /** A link or code to a verified address. */
  email: boolean
  /** A link or code to a trusted phone number. */
  phone: boolean
  providers: readonly string[]
}

/** Links and codes need a sender: in production, a configured one, and otherwise the development inbox. */
export const offeredMethods = (config: Config): OfferedMethods => ({
  password: config.PASSWORDS_ENABLED,
  passkey: offersPasskeys({ config }),
  email: config.TOKEN_LOGIN_ENABLED && (!config.isProduction || config.SMTP_URL !== undefined),
  phone: config.TOKEN_LOGIN_ENABLED && (!config.isProduction || Boolean(config.SMS_WEBHOOK_URL ?? config.TWILIO_FROM)),
  providers: enabledProviderNames(config),
})

/** Whether a way to sign in is offered before a change but not afterwards. */
export const removesMethod = (before: OfferedMethods, after: OfferedMethods): boolean =>
  (['password', 'passkey', 'email', 'phone'] as const).some((way) => before[way] && !after[way]) ||
  before.providers.some((name) => !after.providers.includes(name))

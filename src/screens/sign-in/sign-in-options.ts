import type { Config } from '../../config/load.ts'
import { pagesOfferPasskeys } from '../../config/passkeys.ts'
import type { Context } from '../../context.ts'
import { recoverPath } from '../../ui/paths.ts'
import type { SignInOptions, SignInProvider } from './login/view.ts'

/** A page cannot send the bridge secret, so it offers login links only if no secret is required. */
export const acceptsLoginLinks = (config: Config): boolean =>
  config.TOKEN_LOGIN_ENABLED && !config.TOKEN_LOGIN_REQUIRES_BRIDGE

export const registerPath = '/register'
export const registerWithPasswordPath = `${registerPath}?with=password`

const isRegistrationOpenHere = (config: Config): boolean =>
  config.REGISTRATION_ENABLED && !config.REGISTRATION_REQUIRES_BRIDGE

/** Registrations with a password. */
export const acceptsRegistrations = (config: Config): boolean =>
  isRegistrationOpenHere(config) && config.PASSWORDS_ENABLED

type Settings = Pick<Context, 'config' | 'mailer'>

/** Registrations without a password. The address is proven by a mailed code. */
export const acceptsPasskeyRegistrations = (settings: Settings): boolean =>
  isRegistrationOpenHere(settings.config) && settings.mailer.isConfigured && pagesOfferPasskeys(settings.config)

/** A mailed code and a recovery code lead to a new passkey. */
export const acceptsRecoveries = (settings: Settings): boolean =>
  settings.mailer.isConfigured && pagesOfferPasskeys(settings.config)

export function registrationPathOf(settings: Settings): string | undefined {
  if (acceptsPasskeyRegistrations(settings)) return registerPath
  return acceptsRegistrations(settings.config) ? registerPath : registrationByMailOf(settings.config)
}

/** The page for users whose browser cannot create passkeys, or who prefer a password. */
export const registrationWithoutPasskeyOf = (config: Config): string | undefined =>
  acceptsRegistrations(config) ? registerWithPasswordPath : registrationByMailOf(config)

/** Without passwords, a person registers by opening a sign-in link, if the settings allow it. */
function registrationByMailOf(config: Config): string | undefined {
  const isByMail = acceptsLoginLinks(config) && config.TOKEN_LOGIN_AUTO_REGISTER && config.REGISTRATION_ENABLED
  return !config.PASSWORDS_ENABLED && isByMail ? '/login/mail' : undefined
}

export const signInOptionsOf = (ctx: Context, providers: SignInProvider[]): SignInOptions => ({
  // Browsers offer passkeys in the field for the email address, which belongs to the password's form.
  passkey: pagesOfferPasskeys(ctx.config)
    ? { autofill: ctx.config.PASSKEY_AUTOFILL && ctx.config.PASSWORDS_ENABLED }
    : undefined,
  recoverPath: acceptsRecoveries(ctx) ? recoverPath : undefined,
  byMail: acceptsLoginLinks(ctx.config),
  password: ctx.config.PASSWORDS_ENABLED,
  registerPath: registrationPathOf(ctx),
  providers,
})

/** Returns the front end URL, or the account path if there is no front end. */
export const afterSignIn = ({ FRONTEND_URL, PUBLIC_URL }: Config): string =>
  FRONTEND_URL === PUBLIC_URL ? '/account' : FRONTEND_URL

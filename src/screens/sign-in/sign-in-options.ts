import type { Config } from '../../config/load.ts'
import { pagesOfferPasskeys } from '../../config/passkeys.ts'
import type { Context } from '../../context.ts'
import type { SignInRules } from '../../http/responses/sign-in-rules.ts'
import { recoverPath } from '../../ui/paths.ts'
import type { SignInOptions, SignInProvider } from './login/view.ts'

/** A page cannot send the bridge secret, so it offers login links only if no secret is required. */
export const acceptsLoginLinks = (config: Config): boolean =>
  config.TOKEN_LOGIN_ENABLED && !config.TOKEN_LOGIN_REQUIRES_BRIDGE

export const registerPath = '/register'
export const registerWithPasswordPath = `${registerPath}?with=password`

const isRegistrationOpenHere = (config: Config, rules: SignInRules): boolean =>
  config.REGISTRATION_ENABLED && !config.REGISTRATION_REQUIRES_BRIDGE && rules.acceptsRegistrations

/** Registrations with a password. */
export const acceptsRegistrations = (config: Config, rules: SignInRules): boolean =>
  isRegistrationOpenHere(config, rules) && config.PASSWORDS_ENABLED && rules.accepts('password')

type Settings = Pick<Context, 'config' | 'mailer'>

/** Registrations without a password. The address is proven by a mailed code. */
export const acceptsPasskeyRegistrations = (settings: Settings, rules: SignInRules): boolean =>
  isRegistrationOpenHere(settings.config, rules) &&
  rules.accepts('passkey') &&
  settings.mailer.isConfigured &&
  pagesOfferPasskeys(settings.config)

/** A mailed code and a recovery code lead to a new passkey. */
export const acceptsRecoveries = (settings: Settings): boolean =>
  settings.mailer.isConfigured && pagesOfferPasskeys(settings.config)

export function registrationPathOf(settings: Settings, rules: SignInRules): string | undefined {
  if (acceptsPasskeyRegistrations(settings, rules)) return registerPath
  return acceptsRegistrations(settings.config, rules) ? registerPath : registrationByMailOf(settings.config, rules)
}

/** The page for users whose browser cannot create passkeys, or who prefer a password. */
export const registrationWithoutPasskeyOf = (config: Config, rules: SignInRules): string | undefined =>
  acceptsRegistrations(config, rules) ? registerWithPasswordPath : registrationByMailOf(config, rules)

/** Without passwords, a person registers by opening a sign-in link, if the settings allow it. */
function registrationByMailOf(config: Config, rules: SignInRules): string | undefined {
  const isByMail = acceptsLoginLinks(config) && config.TOKEN_LOGIN_AUTO_REGISTER && config.REGISTRATION_ENABLED
  const isAccepted = rules.acceptsRegistrations && rules.accepts('email')
  return !config.PASSWORDS_ENABLED && isByMail && isAccepted ? '/login/mail' : undefined
}

/** Without rules, everything that the settings allow. */
export const signInOptionsOf = (ctx: Context, providers: SignInProvider[], rules: SignInRules): SignInOptions => {
  const { config } = ctx
  const password = config.PASSWORDS_ENABLED && rules.accepts('password')
  const passkey = pagesOfferPasskeys(config) && rules.accepts('passkey')
  return {
    // Browsers offer passkeys in the field for the email address, which belongs to the password's form.
    passkey: passkey ? { autofill: config.PASSKEY_AUTOFILL && password } : undefined,
    recoverPath: passkey && acceptsRecoveries(ctx) ? recoverPath : undefined,
    byMail: acceptsLoginLinks(config) && rules.accepts('email'),
    password,
    registerPath: registrationPathOf(ctx, rules),
    providers: providers.filter(({ name }) => rules.accepts(name)),
  }
}

/** Returns the front end URL, or the account path if there is no front end. */
export const afterSignIn = ({ FRONTEND_URL, PUBLIC_URL }: Config): string =>
  FRONTEND_URL === PUBLIC_URL ? '/account' : FRONTEND_URL

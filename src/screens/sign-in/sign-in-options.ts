import type { Config } from '../../config/load.ts'
import { canOriginUsePasskeys } from '../../config/passkeys.ts'
import type { Context } from '../../context.ts'
import { offersPasskeys } from '../../webauthn/relying-party.ts'
import type { SignInOptions, SignInProvider } from './login/view.ts'

/** A page cannot send the bridge secret, so it offers login links only if no secret is required. */
export const acceptsLoginLinks = (config: Config): boolean =>
  config.TOKEN_LOGIN_ENABLED && !config.TOKEN_LOGIN_REQUIRES_BRIDGE

export const acceptsRegistrations = (config: Config): boolean =>
  config.REGISTRATION_ENABLED && !config.REGISTRATION_REQUIRES_BRIDGE && config.PASSWORDS_ENABLED

/** Without passwords, a person registers by opening a sign-in link, if the settings allow it. */
export function registrationPathOf(config: Config): string | undefined {
  if (acceptsRegistrations(config)) return '/register'
  const isByMail = acceptsLoginLinks(config) && config.TOKEN_LOGIN_AUTO_REGISTER && config.REGISTRATION_ENABLED
  return !config.PASSWORDS_ENABLED && isByMail ? '/login/mail' : undefined
}

/** Passkeys may be possible only on the pages of the front end, or only in apps. */
const offersPasskeysHere = (ctx: Context): boolean =>
  offersPasskeys(ctx) && canOriginUsePasskeys(ctx.config, new URL(ctx.config.PUBLIC_URL).origin)

export const signInOptionsOf = (ctx: Context, providers: SignInProvider[]): SignInOptions => ({
  // Browsers offer passkeys in the field for the email address, which belongs to the password's form.
  passkey: offersPasskeysHere(ctx)
    ? { autofill: ctx.config.PASSKEY_AUTOFILL && ctx.config.PASSWORDS_ENABLED }
    : undefined,
  byMail: acceptsLoginLinks(ctx.config),
  password: ctx.config.PASSWORDS_ENABLED,
  registerPath: registrationPathOf(ctx.config),
  providers,
})

/** Returns the front end URL, or the account path if there is no front end. */
export const afterSignIn = ({ FRONTEND_URL, PUBLIC_URL }: Config): string =>
  FRONTEND_URL === PUBLIC_URL ? '/account' : FRONTEND_URL

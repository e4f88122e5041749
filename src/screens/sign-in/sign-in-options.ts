import type { Config } from '../../config/load.ts'
import type { Context } from '../../context.ts'
import type { SecondFactorPages } from '../../ui/shared/second-factor-pages.ts'
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

export const signInOptionsOf = (
  ctx: Context,
  { providers, secondFactor }: { providers: SignInProvider[]; secondFactor: SecondFactorPages | undefined },
): SignInOptions => ({
  button: secondFactor?.signInButton(ctx),
  byMail: acceptsLoginLinks(ctx.config),
  password: ctx.config.PASSWORDS_ENABLED,
  registerPath: registrationPathOf(ctx.config),
  providers,
})

/** Returns the front end URL, or the account path if there is no front end. */
export const afterSignIn = ({ FRONTEND_URL, PUBLIC_URL }: Config): string =>
  FRONTEND_URL === PUBLIC_URL ? '/account' : FRONTEND_URL

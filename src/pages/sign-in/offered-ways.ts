import type { Config } from '../../config/load.ts'
import type { Context } from '../../context.ts'
import type { WaysIn } from './login/view.ts'

/** A page has no bridge secret to send along. */
export const takesLinks = (config: Config): boolean => config.TOKEN_LOGIN_ENABLED && !config.TOKEN_LOGIN_REQUIRES_BRIDGE

/** The same for registrations. */
export const takesRegistrations = (config: Config): boolean =>
  config.REGISTRATION_ENABLED && !config.REGISTRATION_REQUIRES_BRIDGE

/** What can be chosen on the sign-in page here, now. */
export const offeredWays = ({ config, secondFactor }: Context, providers: WaysIn['providers']): WaysIn => ({
  passkey: secondFactor.takesPasskeys(),
  byMail: takesLinks(config),
  register: takesRegistrations(config),
  providers,
})

/** Where people go who are signed in: the front end, or our own page where there is none. */
export const afterSignIn = ({ FRONTEND_URL, PUBLIC_URL }: Config): string =>
  FRONTEND_URL === PUBLIC_URL ? '/account' : FRONTEND_URL

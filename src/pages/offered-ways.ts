import type { Config } from '../config/load.ts'
import type { WaysIn } from './login-page.ts'
import type { Api } from './visit.ts'

/** A page has no bridge secret to send along. */
export const takesLinks = (config: Config): boolean => config.TOKEN_LOGIN_ENABLED && !config.TOKEN_LOGIN_REQUIRES_BRIDGE

/** The same for registrations. */
export const takesRegistrations = (config: Config): boolean =>
  config.REGISTRATION_ENABLED && !config.REGISTRATION_REQUIRES_BRIDGE

/** What can be chosen on the sign-in page here, now. */
export async function offeredWays(api: Api, config: Config): Promise<WaysIn> {
  const [factors, social] = await Promise.all([
    api<{ available_methods: string[] }>({ method: 'GET', path: '/auth/two_factor/system' }),
    api<{ providers: { provider: string }[] }>({ method: 'GET', path: '/auth/social/providers' }),
  ])
  return {
    passkey: factors.ok && factors.body.available_methods.includes('passkey'),
    byMail: takesLinks(config),
    register: takesRegistrations(config),
    providers: social.ok ? social.body.providers.map(({ provider }) => provider) : [],
  }
}

/** Where people go who are signed in: the front end, or our own page where there is none. */
export const afterSignIn = ({ FRONTEND_URL, PUBLIC_URL }: Config): string =>
  FRONTEND_URL === PUBLIC_URL ? '/account' : FRONTEND_URL

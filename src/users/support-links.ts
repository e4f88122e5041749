import type { Config } from '../config/load.ts'

interface Settings {
  config: Pick<Config, 'PASSWORDS_ENABLED' | 'FRONTEND_URL' | 'PUBLIC_URL'>
}

/** Where users secure their accounts if someone else made a change: a new password ends all sessions. */
export const supportLink = ({ config }: Settings): string => resetLinkOr({ config }, '/account/sessions')

/** The page for a new password or, without passwords, a page of the account. */
export const resetLinkOr = ({ config }: Settings, page: `/account${string}`): string =>
  config.PASSWORDS_ENABLED ? `${config.FRONTEND_URL}/reset-password` : `${config.PUBLIC_URL}${page}`

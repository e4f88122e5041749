import type { Context } from '../../../context.ts'
import type { PageTexts } from '../../texts/index.ts'
import { offersProviders } from '../linked/offers-providers.ts'
import { linkedPath } from '../linked/paths.ts'
import { onboardingPath } from '../onboarding/paths.ts'
import { privacyPath } from '../privacy/paths.ts'
import { securityPath } from '../security/shared/paths.ts'

/** A page of the account that its navigation leads to. */
export interface AccountEntry {
  path: string
  /** Its name there, in the texts of every language. */
  label: keyof PageTexts['account']['entries']
  /** Without it, the page leaves no trace. */
  isThere?: (ctx: Context) => boolean
}

/** For pages of a module. */
export const withModule =
  (id: string, component = 'core') =>
  ({ modules }: Context): boolean =>
    modules.refusalOf({ id, component }) === undefined

/** In the order of the navigation. */
const entries: AccountEntry[] = [
  { path: '/account', label: 'overview' },
  { path: '/account/profile', label: 'profile' },
  { path: '/account/email', label: 'email' },
  { path: '/account/password', label: 'password' },
  { path: '/account/sessions', label: 'sessions' },
  { path: securityPath, label: 'security', isThere: withModule('two-factor') },
  { path: linkedPath, label: 'linked', isThere: offersProviders },
  { path: privacyPath, label: 'privacy' },
  { path: onboardingPath, label: 'onboarding', isThere: withModule('onboarding') },
]

export const entriesOf = (ctx: Context): AccountEntry[] => entries.filter(({ isThere }) => isThere?.(ctx) ?? true)

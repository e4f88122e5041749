import type { Context, NavigationEntry } from '../../../context.ts'
import { type PageLanguage, type PageTexts, textsFor } from '../../texts/index.ts'
import { offersProviders } from '../linked/offers-providers.ts'
import { linkedPath } from '../linked/paths.ts'
import { personalDataPath } from '../personal-data/paths.ts'

interface CoreEntry {
  path: string
  label: keyof PageTexts['account']['entries']
  /** Without it, the page is always there. */
  isThere?: (ctx: Context) => boolean
}

/** Those of the core, in the order of the navigation. */
const coreEntries: CoreEntry[] = [
  { path: '/account', label: 'overview' },
  { path: '/account/profile', label: 'profile' },
  { path: '/account/email', label: 'email' },
  { path: '/account/password', label: 'password' },
  { path: '/account/sessions', label: 'sessions' },
  { path: linkedPath, label: 'linked', isThere: offersProviders },
  { path: personalDataPath, label: 'personalData' },
]

/** What the navigation of the account leads to now: the pages of the core, and those of modules where they want to be. */
export function entriesOf(ctx: Context): NavigationEntry[] {
  const entries: NavigationEntry[] = coreEntries
    .filter(({ isThere }) => isThere?.(ctx) ?? true)
    .map(({ path, label }) => ({ path, label: (lang) => textsFor(lang as PageLanguage).account.entries[label] }))
  for (const entry of ctx.modules.navigation()) {
    const before = entries.findIndex(({ path }) => path === entry.after)
    entries.splice(before < 0 ? entries.length : before + 1, 0, entry)
  }
  return entries
}

import type { Context, NavigationEntry } from '../../../context.ts'
import { adminEntriesOf } from '../../admin/shared/entries.ts'
import { type PageLanguage, type PageTexts, textsFor } from '../../texts/index.ts'
import { linkedPath } from '../linked/schemas.ts'
import { personalDataPath } from '../personal-data/schemas.ts'

const names = ['GOOGLE', 'GITHUB', 'FACEBOOK', 'APPLE', 'DISCORD', 'MICROSOFT', 'OIDC'] as const

export const offeredProviderNames = ({ config }: Pick<Context, 'config'>): string[] =>
  config.SOCIAL_LOGIN
    ? names.filter((name) => config[`${name}_CLIENT_ID`] !== undefined).map((name) => name.toLowerCase())
    : []

const offersProviders = (ctx: Pick<Context, 'config'>): boolean => offeredProviderNames(ctx).length > 0

interface CoreEntry {
  path: string
  label: keyof PageTexts['account']['entries']
  isThere?: (ctx: Context) => boolean
}

const coreEntries: CoreEntry[] = [
  { path: '/account', label: 'overview' },
  { path: '/account/profile', label: 'profile' },
  { path: '/account/email', label: 'email' },
  { path: '/account/password', label: 'password' },
  { path: '/account/sessions', label: 'sessions' },
  { path: linkedPath, label: 'linked', isThere: offersProviders },
  { path: personalDataPath, label: 'personalData' },
]

export function entriesOf(ctx: Context, role: string): NavigationEntry[] {
  const entries: NavigationEntry[] = coreEntries
    .filter(({ isThere }) => isThere?.(ctx) ?? true)
    .map(({ path, label }) => ({ path, label: (lang) => textsFor(lang as PageLanguage).account.entries[label] }))
  for (const entry of ctx.modules.navigation()) {
    const before = entries.findIndex(({ path }) => path === entry.after)
    entries.splice(before < 0 ? entries.length : before + 1, 0, entry)
  }
  const [console] = adminEntriesOf(ctx, role)
  return console ? [...entries, { path: console.path, label: consoleLabel }] : entries
}

/** The label of the link to the console, which staff see on every account page. */
const consoleLabel = (lang: string) => textsFor(lang as PageLanguage).account.entries.console

import { enabledProviderNames } from '../../config/enabled-providers.ts'
import type { Context, NavigationEntry } from '../../context.ts'
import { adminEntriesOf } from '../console/entries.ts'
import { linkedPath, personalDataPath } from '../paths.ts'
import { type PageLanguage, type PageTexts, textsFor } from '../texts/index.ts'

const offersProviders = ({ config }: Pick<Context, 'config'>): boolean => enabledProviderNames(config).length > 0

const hasPasswords = ({ config }: Pick<Context, 'config'>): boolean => config.PASSWORDS_ENABLED

interface CoreEntry {
  path: string
  label: keyof PageTexts['account']['entries']
  icon: string
  isThere?: (ctx: Context) => boolean
}

const coreEntries: CoreEntry[] = [
  { path: '/account', label: 'overview', icon: 'home' },
  { path: '/account/profile', label: 'profile', icon: 'profile' },
  { path: '/account/email', label: 'email', icon: 'mail' },
  { path: '/account/password', label: 'password', icon: 'key', isThere: hasPasswords },
  { path: '/account/sessions', label: 'sessions', icon: 'device' },
  { path: linkedPath, label: 'linked', icon: 'link', isThere: offersProviders },
  { path: personalDataPath, label: 'personalData', icon: 'hand' },
]

export function entriesOf(ctx: Context): NavigationEntry[] {
  const entries: NavigationEntry[] = coreEntries.map(({ path, label, icon }) => ({
    path,
    label: (lang) => textsFor(lang as PageLanguage).account.entries[label],
    icon,
  }))
  for (const entry of ctx.modules.navigation()) {
    const before = entries.findIndex(({ path }) => path === entry.after)
    entries.splice(before < 0 ? entries.length : before + 1, 0, entry)
  }
  // Filtered last, because modules place their entries after core entries.
  const absent = coreEntries.filter(({ isThere }) => !(isThere?.(ctx) ?? true)).map(({ path }) => path)
  return entries.filter(({ path }) => !absent.includes(path))
}

/** Returns the link to the console, or undefined if the role has no page there. */
export function consoleEntryOf(ctx: Context, role: string): NavigationEntry | undefined {
  const [first] = adminEntriesOf(ctx, role)
  return first && { path: first.path, label: consoleLabel, icon: 'console' }
}

/** The label of the link to the console, which staff see on every account page. */
const consoleLabel = (lang: string) => textsFor(lang as PageLanguage).account.entries.console

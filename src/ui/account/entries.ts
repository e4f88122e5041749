import { enabledProviderNames } from '../../config/enabled-providers.ts'
import { pagesOfferPasskeys } from '../../config/passkeys.ts'
import type { Context, NavigationEntry } from '../../context.ts'
import { adminEntriesOf } from '../console/entries.ts'
import { linkedPath, personalDataPath, securityPath } from '../paths.ts'
import { type PageLanguage, type PageTexts, textsFor } from '../texts/index.ts'

const offersProviders = ({ config }: Pick<Context, 'config'>): boolean => enabledProviderNames(config).length > 0

const hasPasswords = ({ config }: Pick<Context, 'config'>): boolean => config.PASSWORDS_ENABLED

const hasPasskeys = ({ config }: Pick<Context, 'config'>): boolean => pagesOfferPasskeys(config)

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
  { path: securityPath, label: 'security', icon: 'shield', isThere: hasPasskeys },
  { path: '/account/sessions', label: 'sessions', icon: 'device' },
  { path: linkedPath, label: 'linked', icon: 'link', isThere: offersProviders },
  { path: personalDataPath, label: 'personalData', icon: 'hand' },
]

export function entriesOf(ctx: Context): NavigationEntry[] {
  const ofCore: NavigationEntry[] = coreEntries.map(({ path, label, icon }) => ({
    path,
    label: (lang) => textsFor(lang as PageLanguage).account.entries[label],
    icon,
  }))
  // Removed last, because modules place their entries after core entries.
  const absent = ofCore.filter((_, at) => !(coreEntries[at]?.isThere?.(ctx) ?? true))
  const entries = [...ofCore]
  for (const entry of ctx.modules.navigation()) {
    const before = entries.findIndex(({ path }) => path === entry.after)
    entries.splice(before < 0 ? entries.length : before + 1, 0, entry)
  }
  const shown = entries.filter((entry) => !absent.includes(entry))
  // A module may add to a page of the core, and then has an entry for it in case the core has nothing to show there.
  return shown.filter(({ path }, at) => shown.findIndex((one) => one.path === path) === at)
}

/** Returns the link to the console, or undefined if the role has no page there. */
export function consoleEntryOf(ctx: Context, role: string): NavigationEntry | undefined {
  const [first] = adminEntriesOf(ctx, role)
  return first && { path: first.path, label: consoleLabel, icon: 'console' }
}

/** The label of the link to the console, which staff see on every account page. */
const consoleLabel = (lang: string) => textsFor(lang as PageLanguage).account.entries.console

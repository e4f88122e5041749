import type { Setting } from './kinds.ts'
import type { Config } from './load.ts'
import { backEndSettings } from './settings/back-ends.ts'
import { clientSettings } from './settings/clients.ts'
import { dataSettings } from './settings/data.ts'
import { firstAdminSettings } from './settings/first-admin.ts'
import { hookSettings } from './settings/hooks.ts'
import { limitSettings } from './settings/limits.ts'
import { messageSettings } from './settings/messages.ts'
import { moduleHubSettings } from './settings/modules.ts'
import { brandSettings } from './settings/names.ts'
import { passkeySettings } from './settings/passkeys.ts'
import { providerSettings } from './settings/providers.ts'
import { serviceSettings } from './settings/service.ts'
import { sessionSettings } from './settings/sessions.ts'
import { signInSettings } from './settings/sign-in.ts'
import { telemetrySettings } from './settings/telemetry.ts'

export const coreSettings = {
  ...serviceSettings,
  ...brandSettings,
  ...backEndSettings,
  ...clientSettings,
  ...sessionSettings,
  ...signInSettings,
  ...hookSettings,
  ...passkeySettings,
  ...providerSettings,
  ...firstAdminSettings,
  ...messageSettings,
  ...dataSettings,
  ...moduleHubSettings,
  ...limitSettings,
  ...telemetrySettings,
} as const

export type CoreSettings = typeof coreSettings

/** Without a prototype, so that `constructor` is not found as a setting. */
export const settings: Record<string, Setting<unknown>> = Object.assign(Object.create(null), coreSettings)

export const chapters: Record<string, Record<string, Setting<unknown>>> = {
  Service: serviceSettings,
  'Names and languages': brandSettings,
  'Back ends and keys': backEndSettings,
  'Clients, origins and proxies': clientSettings,
  Sessions: sessionSettings,
  'Registration and passwords': { ...signInSettings, ...hookSettings },
  Passkeys: passkeySettings,
  'Sign-in with other providers': providerSettings,
  'First superadmin': firstAdminSettings,
  Messages: messageSettings,
  'Files, personal data and audit': dataSettings,
  Modules: moduleHubSettings,
  'Rate limits': limitSettings,
  OpenTelemetry: telemetrySettings,
}

export interface ModuleSettings {
  chapter: string
  /** Translations of the chapter's name for the console, by language. */
  chapterNames?: Readonly<Record<string, string>>
  settings: Readonly<Record<string, Setting<unknown>>>
  /** Translations of the settings' descriptions for the console, by language and name. */
  meanings?: Readonly<Record<string, Readonly<Record<string, string>>>>
  derive?(config: Config): Partial<Config>
  /** `input` contains the values before derived values are added. */
  check?(config: Config, input: Readonly<Partial<Record<keyof Config, unknown>>>): (string | false)[]
}

export const moduleSettings: ModuleSettings[] = []

/** Must be called before the configuration is read. */
export function addSettings(declared: ModuleSettings): void {
  const { chapter, settings: added } = declared
  const taken = Object.keys(added).find((name) => name in settings)
  if (taken) throw new Error(`the setting ${taken} is already declared`)
  moduleSettings.push(declared)
  Object.assign(settings, added)
  chapters[chapter] = { ...chapters[chapter], ...added }
}

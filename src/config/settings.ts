import type { Setting } from './kinds.ts'
import type { Config } from './load.ts'
import { backEnds } from './settings/back-ends.ts'
import { clients } from './settings/clients.ts'
import { data } from './settings/data.ts'
import { firstAdmin } from './settings/first-admin.ts'
import { limits } from './settings/limits.ts'
import { messages } from './settings/messages.ts'
import { modules } from './settings/modules.ts'
import { names } from './settings/names.ts'
import { providers } from './settings/providers.ts'
import { service } from './settings/service.ts'
import { sessions } from './settings/sessions.ts'
import { signIn } from './settings/sign-in.ts'

export const coreSettings = {
  ...service,
  ...names,
  ...backEnds,
  ...clients,
  ...sessions,
  ...signIn,
  ...providers,
  ...firstAdmin,
  ...messages,
  ...data,
  ...modules,
  ...limits,
} as const

export type CoreSettings = typeof coreSettings

export const settings: Record<string, Setting<unknown>> = { ...coreSettings }

export const chapters: Record<string, Record<string, Setting<unknown>>> = {
  Service: service,
  'Names and languages': names,
  'Back ends and keys': backEnds,
  'Clients, origins and proxies': clients,
  Sessions: sessions,
  'Registration and passwords': signIn,
  'Sign-in with other providers': providers,
  'First superadmin': firstAdmin,
  Messages: messages,
  'Files, personal data and audit': data,
  Modules: modules,
  'Rate limits': limits,
}

export interface ModuleSettings {
  chapter: string
  settings: Readonly<Record<string, Setting<unknown>>>
  derive?(config: Config): Partial<Config>
  /** `given` contains the values before derivation. */
  check?(config: Config, given: Readonly<Partial<Record<keyof Config, unknown>>>): (string | false)[]
}

export const moduleSettings: ModuleSettings[] = []

/** Call it before the configuration is read. */
export function addSettings(declared: ModuleSettings): void {
  const { chapter, settings: added } = declared
  const taken = Object.keys(added).find((name) => name in settings)
  if (taken) throw new Error(`the setting ${taken} is already declared`)
  moduleSettings.push(declared)
  Object.assign(settings, added)
  chapters[chapter] = { ...chapters[chapter], ...added }
}

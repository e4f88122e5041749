import type { Setting } from './kinds.ts'
import { backEnds } from './settings/back-ends.ts'
import { blog } from './settings/blog.ts'
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
  ...blog,
  ...limits,
} as const

export type CoreSettings = typeof coreSettings

/** Every setting of the core and of the modules. */
export const settings: Record<string, Setting<unknown>> = { ...coreSettings }

/** The same in the order in which the documentation lists them. */
export const chapters: Record<string, Record<string, Setting<unknown>>> = {
  Service: service,
  'Names and languages': names,
  'Back ends and keys': backEnds,
  'Clients, origins and proxies': clients,
  'Sessions and second factors': sessions,
  'Registration and passwords': signIn,
  'Sign-in with other providers': providers,
  'First superadmin': firstAdmin,
  Messages: messages,
  'Files, personal data and audit': data,
  Modules: modules,
  'Blog and post types': blog,
  'Rate limits': limits,
}

/** The settings of a module, under the title that they have in the documentation. */
export interface ModuleSettings {
  chapter: string
  settings: Readonly<Record<string, Setting<unknown>>>
}

/** Makes them known. Before the configuration is read. */
export function addSettings({ chapter, settings: added }: ModuleSettings): void {
  const taken = Object.keys(added).find((name) => name in settings)
  if (taken) throw new Error(`the setting ${taken} is taken`)
  Object.assign(settings, added)
  chapters[chapter] = { ...chapters[chapter], ...added }
}

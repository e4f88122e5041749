import { moduleSettings } from '../../../config/settings.ts'
import { ChangeSettingsRoute, type SettingsRoute } from '../../../stored-settings/schemas.ts'
import { adminTextsFor } from '../../../ui/console/texts/index.ts'
import { call, type ResponseOf } from '../../../ui/shared/api-route.ts'
import { type ListedModule, modulePath } from '../modules/modules.ts'

export const settingsPath = '/admin/settings'

export type ListedSetting = SettingList['settings'][number]

/** A module that is not installed and whose settings have no effect. */
export interface AbsentModule {
  name: string
  path: string
}

/**
 * Returns the modules that are not installed, by the chapter of their settings. If two modules share a switch, the
 * module that the other requires is listed first and owns the chapter. A module without a switch declares its chapter.
 */
export function absentModules(
  settings: readonly ListedSetting[],
  modules: readonly ListedModule[],
  chapterOf: (moduleId: string) => string | undefined = () => undefined,
): ReadonlyMap<string, AbsentModule> {
  const owners = new Map<string, ListedModule>()
  for (const module of modules)
    for (const { name, chapter } of settings)
      if (module.switches.includes(name) && !owners.has(chapter)) owners.set(chapter, module)
  for (const module of modules) {
    const chapter = module.switches.length === 0 ? chapterOf(module.module_id) : undefined
    if (chapter !== undefined && !owners.has(chapter)) owners.set(chapter, module)
  }
  const absent = [...owners].filter(([, { status }]) => status === 'not_installed')
  return new Map(absent.map(([chapter, { module_id: id, name }]) => [chapter, { name, path: modulePath(id) }]))
}

export interface WantedChange {
  name: string
  /** Null resets the setting. */
  value: string | null
}

type SettingList = ResponseOf<typeof SettingsRoute>['data']

/** If the version is missing or invalid, the API rejects the change as a conflict. */
export const settingsCall = (changes: readonly WantedChange[], version = '', lockedOut = '') =>
  call(ChangeSettingsRoute, {
    body: {
      changes,
      version: isCount(version) ? Number(version) : Number.MAX_SAFE_INTEGER,
      ...(isCount(lockedOut) && { locked_out: Number(lockedOut) }),
    },
  })

const isCount = (text: string): boolean => /^\d{1,9}$/.test(text)

/** Returns the last segment of a chapter's path. */
export const chapterSlug = (chapter: string): string =>
  chapter
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

export const chapterPath = (chapter: string): string => `${settingsPath}/${chapterSlug(chapter)}`

/** If there is no translation, returns the name that the module declares. */
export function chapterName(lang: string, chapter: string): string {
  const { chapters } = adminTextsFor(lang).settings
  const slug = chapterSlug(chapter)
  if (Object.hasOwn(chapters, slug)) return chapters[slug as keyof typeof chapters]
  const names = moduleSettings.find((module) => module.chapter === chapter)?.chapterNames
  return (names && Object.hasOwn(names, lang) ? names[lang] : undefined) ?? chapter
}

export function chapterLead(lang: string, chapter: string): string | undefined {
  const { leads } = adminTextsFor(lang).settings
  const slug = chapterSlug(chapter)
  return Object.hasOwn(leads, slug) ? leads[slug as keyof typeof leads] : undefined
}

/** Returns the link to the setting on its chapter's page. */
export const settingPath = ({ chapter, name }: Pick<ListedSetting, 'chapter' | 'name'>): string =>
  `${chapterPath(chapter)}#${settingAnchor(name)}`

export const settingAnchor = (name: string): string => `field-${name}`

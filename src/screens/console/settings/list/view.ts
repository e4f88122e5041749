import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor, settingMeaning } from '../../../../ui/console/texts/index.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fillPlural } from '../../../../ui/texts/index.ts'
import { settingFacts, settingWords } from '../setting-words.ts'
import {
  type AbsentModule,
  chapterLead,
  chapterName,
  chapterPath,
  type ListedSetting,
  settingPath,
  settingsPath,
} from '../settings.ts'

export interface SettingsPage {
  area: AdminArea
  settings: readonly ListedSetting[]
  absent: ReadonlyMap<string, AbsentModule>
  /** Module descriptions, by the chapter of the module's settings. */
  leads: ReadonlyMap<string, string>
  search: { q?: string | undefined; changed?: string | undefined }
  mayChange: boolean
}

/** Keeps the page below 60 kB. If a search finds more settings, the page asks for a narrower search. */
const maxShown = 50

/** If there is no search, lists chapters and setting names. Otherwise, lists the matching settings and their values. */
export function settingsPage(
  { area, settings, absent, leads, search, mayChange }: SettingsPage,
  page: PageContext,
): string {
  const { settings: texts, brand } = adminTextsFor(page.lang)
  const isSearch = !!search.q || !!search.changed
  const found = settings.filter((setting) => isFound(page.lang, setting, search))
  const chaptersOf = (shown: readonly ListedSetting[]) =>
    [...new Set(shown.map(({ chapter }) => chapter))].map((chapter) => {
      const members = shown.filter((setting) => setting.chapter === chapter)
      const link = { path: chapterPath(chapter), label: texts.open }
      const module = absent.get(chapter)
      return {
        name: chapterName(page.lang, chapter),
        ...(module ? { path: module.path, label: texts.installFirst } : link),
        members,
      }
    })
  const index = chaptersOf(isSearch ? [] : settings).map(({ members, ...chapter }) => ({
    ...chapter,
    count: countText(page.lang, members),
    lead: chapterLead(page.lang, members[0]?.chapter ?? '') ?? leads.get(members[0]?.chapter ?? ''),
    names: members.map(({ name, meaning }) => ({ name, label: settingWords(page.lang, name, meaning).label })),
  }))
  const chapters = chaptersOf(isSearch ? found.slice(0, maxShown) : []).map(({ members, ...chapter }) => ({
    ...chapter,
    settings: members.map((setting) => ({ ...settingFacts(page.lang, setting), path: settingPath(setting) })),
  }))
  return renderAdminLayout(
    area,
    {
      template: new URL('./settings.eta', import.meta.url),
      title: texts.title,
      lead: texts.lead,
      styles: ['settings.css'],
      action: mayChange ? { path: `${settingsPath}/brand`, label: brand.open, icon: 'content' } : undefined,
      data: {
        texts,
        path: settingsPath,
        search,
        index,
        chapters,
        isEmpty: found.length === 0,
        more:
          isSearch && found.length > maxShown ? fillPlural(page.lang, texts.more, found.length - maxShown) : undefined,
        note: mayChange ? undefined : texts.onlySuperadmins,
        nothing: {
          icon: 'search',
          title: texts.nothing,
          text: texts.nothingText,
          action: { path: settingsPath, label: texts.showAll },
        },
      },
    },
    page,
  )
}

function countText(lang: string, settings: readonly ListedSetting[]): string {
  const { settings: texts } = adminTextsFor(lang)
  const stored = settings.filter(({ source }) => source === 'database').length
  const all = fillPlural(lang, texts.count, settings.length)
  return stored > 0 ? `${all} · ${fillPlural(lang, texts.countStored, stored)}` : all
}

function isFound(
  lang: string,
  { name, meaning, source, unused }: ListedSetting,
  { q, changed }: SettingsPage['search'],
): boolean {
  const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const text =
    `${name} ${name.replaceAll('_', ' ')} ${meaning} ${settingMeaning(lang, name, meaning).meaning}`.toLowerCase()
  const isChanged = source !== 'default' || unused !== null
  return words.every((word) => text.includes(word)) && (!changed || isChanged)
}

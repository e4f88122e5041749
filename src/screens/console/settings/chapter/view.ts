import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../ui/texts/index.ts'
import { newApplicationPath } from '../../applications/paths.ts'
import { problemSentence } from '../problem-sentence.ts'
import { choicesOf, settingFacts, settingWords, valueWords } from '../setting-words.ts'
import {
  type AbsentModule,
  chapterLead,
  chapterName,
  chapterPath,
  type ListedSetting,
  settingsPath,
} from '../settings.ts'
import { hasField, storedText, type TypedSettings } from './changes.ts'
import { type LastChange, lastChangeData } from './last-change.ts'

export interface ChapterOutcome {
  done?: string | undefined
  /** The names of the changed settings, separated by commas. */
  changed?: string | undefined
  last?: LastChange | undefined
  typed?: TypedSettings
  rejection?: ApiRejection
}

export interface ChapterPage {
  area: AdminArea
  chapter: string
  settings: readonly ListedSetting[]
  /** The module of this chapter, if it is not installed. */
  absent?: AbsentModule | undefined
  version: number
  mayChange: boolean
  forms: { save: string; picture: string }
  /** The URL of the page on which the visitor reauthenticates before a change. */
  confirmPath?: string | undefined
  outcome: ChapterOutcome
}

export function chapterPage(data: ChapterPage, page: PageContext): string {
  const { area, chapter, settings, outcome, mayChange } = data
  const { lang } = page
  const { settings: texts } = adminTextsFor(lang)
  const isEditable = (setting: ListedSetting) => mayChange && hasField(setting)
  const problems = problemsByName(lang, settings, outcome.rejection)
  const isPicture = (setting: ListedSetting) => mayChange && setting.changeable && setting.picture
  const [first] = Object.keys(problems)
  const isFirstFault = ({ name }: ListedSetting) => name === first
  return renderAdminLayout(
    area,
    {
      template: new URL('./chapter.eta', import.meta.url),
      title: chapterName(lang, chapter),
      lead: chapterLead(lang, chapter),
      parent: { path: settingsPath, label: texts.title },
      styles: ['settings.css'],
      scripts: ['unsaved.js'],
      done: doneText(lang, settings, outcome),
      problem: first === undefined ? problemOf(lang, outcome.rejection) : undefined,
      data: {
        texts,
        path: chapterPath(chapter),
        forms: data.forms,
        version: data.version,
        confirmPath: settings.some((one) => isEditable(one) || isPicture(one)) ? data.confirmPath : undefined,
        faults: faultsOf(lang, settings, problems),
        draft: outcome.typed ? 'draft' : '',
        undo: outcome.last && mayChange ? lastChangeData(lang, settings, outcome.last) : undefined,
        absent: data.absent && absentData(lang, data.absent),
        note: mayChange ? undefined : texts.onlySuperadmins,
        connectPath: connectPathOf(data),
        fields: settings.filter(isEditable).map((setting) => ({
          ...fieldOf(lang, setting, outcome),
          problem: problems[setting.name],
          acceptance: acceptanceOf(lang, setting, outcome.rejection),
          isFirstFault: isFirstFault(setting),
        })),
        pictures: settings.filter(isPicture).map((setting) => ({
          ...settingFacts(lang, setting),
          problem: problems[setting.name],
          isFirstFault: isFirstFault(setting),
          isStored: setting.source === 'database' || setting.unused !== null,
        })),
        fixedTitle: mayChange ? texts.fixed : texts.values,
        fixedText: mayChange ? texts.fixedText : undefined,
        fixed: settings
          .filter((setting) => !isEditable(setting) && !isPicture(setting))
          .map((setting) => ({
            ...settingFacts(lang, setting),
            // The text above the list says it once.
            ...(mayChange && setting.reason === 'read_at_start' && { reason: undefined }),
            isStored: mayChange && setting.unused !== null,
          })),
      },
    },
    page,
  )
}

/** Only superadmins can add applications. */
const connectPathOf = ({ settings, mayChange }: ChapterPage): string | undefined =>
  mayChange && settings.some(({ name }) => name === 'ALLOWED_REDIRECTS') ? newApplicationPath : undefined

const faultsOf = (lang: string, settings: readonly ListedSetting[], problems: ReturnType<typeof problemsByName>) =>
  settings
    .filter(({ name }) => problems[name])
    .map(({ name, meaning }) => ({ id: name, label: settingWords(lang, name, meaning).label }))

function absentData(lang: string, { name, path }: AbsentModule) {
  const { settings: texts } = adminTextsFor(lang)
  return { text: fill(texts.notInstalled, { module: name }), path, label: texts.installFirst }
}

function fieldOf(lang: PageContext['lang'], setting: ListedSetting, { typed, rejection }: ChapterOutcome) {
  const { settings: texts } = adminTextsFor(lang)
  const stored = storedText(setting)
  const text = typed?.[setting.name] ?? stored
  const facts = settingFacts(lang, setting)
  return {
    ...facts,
    text,
    // After a conflict, the form also shows the value that another user has stored.
    current:
      text === stored || rejection?.code !== 'EDIT_CONFLICT'
        ? undefined
        : fill(texts.current, { value: stored || facts.byDefault }),
    choices: choicesOf(lang, setting, stored)?.map(({ isDefault, ...choice }) => ({
      ...choice,
      isChosen: choice.value === text || (isDefault && (text === '' || text === setting.default)),
    })),
    placeholder: valueWords(lang, setting, setting.default),
  }
}

/** For a change that would lock users out: a checkbox with which the administrator accepts their number. */
function acceptanceOf(lang: PageContext['lang'], { name }: ListedSetting, rejection: ApiRejection | undefined) {
  const { message = '' } = rejection?.details?.find(({ field }) => field === name) ?? {}
  const [, count] = /\blocked_out=(\d+)$/.exec(message) ?? []
  return count && { count, label: fillPlural(lang, adminTextsFor(lang).settings.lockOut, Number(count)) }
}

type SettingProblems = Record<string, ReturnType<typeof problemSentence>>

function problemsByName(
  lang: string,
  settings: readonly ListedSetting[],
  rejection: ApiRejection | undefined,
): SettingProblems {
  if (rejection?.code !== 'VALIDATION_ERROR') return {}
  const own = (rejection.details ?? []).filter(({ field }) => settings.some(({ name }) => name === field))
  return Object.fromEntries(own.map(({ field, message }) => [field, problemSentence(lang, message)]))
}

function problemOf(lang: PageContext['lang'], rejection: ApiRejection | undefined) {
  const { settings: texts, rejections } = adminTextsFor(lang)
  return problemText(lang, rejection, {
    ...rejections,
    EDIT_CONFLICT: texts.conflict,
    PAYLOAD_TOO_LARGE: texts.tooLarge,
  })
}

function doneText(
  lang: PageContext['lang'],
  settings: readonly ListedSetting[],
  { done, changed = '', last }: ChapterOutcome,
) {
  const { settings: texts } = adminTextsFor(lang)
  if (done === 'unchanged') return texts.unchanged
  if (done === 'saved' && last) return texts.saved
  const found = settings.filter(({ name }) => changed.split(',').includes(name))
  const names = found.map(({ name, meaning }) => settingWords(lang, name, meaning).label).join(', ')
  return done === 'saved' && names ? fill(texts.savedNames, { names }) : undefined
}

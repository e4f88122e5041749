import type { ApiRefusal } from '../../../shared/call-api.ts'
import { problemText } from '../../../shared/problem-text.ts'
import type { PageContext } from '../../../shared/render.ts'
import { fill, textsFor } from '../../../texts/index.ts'
import { type AdminArea, renderAdminLayout } from '../../shared/layout.ts'
import { adminTextsFor } from '../../texts/index.ts'
import { problemSentence } from '../problem-sentence.ts'
import {
  type AbsentModule,
  chapterName,
  chapterPath,
  type ListedSetting,
  settingFacts,
  settingsPath,
} from '../settings.ts'
import { hasField, storedText, type TypedSettings } from './changes.ts'

export interface ChapterOutcome {
  done?: string | undefined
  /** The names of the changed settings, separated by commas. */
  changed?: string | undefined
  typed?: TypedSettings
  refusal?: ApiRefusal
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
  outcome: ChapterOutcome
}

export function chapterPage(data: ChapterPage, page: PageContext): string {
  const { area, chapter, settings, outcome, mayChange } = data
  const { lang } = page
  const { settings: texts } = adminTextsFor(lang)
  const isEditable = (setting: ListedSetting) => mayChange && hasField(setting)
  const problems = problemsByName(lang, settings, outcome.refusal)
  return renderAdminLayout(
    area,
    {
      template: new URL('./chapter.eta', import.meta.url),
      title: chapterName(lang, chapter),
      parent: { path: settingsPath, label: texts.title },
      done: doneText(lang, settings, outcome),
      problem: problemOf(lang, outcome.refusal, problems),
      data: {
        texts,
        path: chapterPath(chapter),
        forms: data.forms,
        version: data.version,
        absent: data.absent && {
          text: fill(texts.notInstalled, { module: data.absent.name }),
          path: data.absent.path,
          label: texts.installFirst,
        },
        note: mayChange ? undefined : texts.onlySuperadmins,
        fields: settings.filter(isEditable).map((setting) => fieldOf(lang, setting, outcome, problems)),
        pictures: settings
          .filter((setting) => mayChange && setting.changeable && setting.picture)
          .map((setting) => ({
            ...settingFacts(lang, setting),
            problem: problems[setting.name],
            isStored: setting.source === 'database' || setting.unused !== null,
          })),
        fixed: settings
          .filter((setting) => !isEditable(setting) && !(mayChange && setting.changeable))
          .map((setting) => ({
            ...settingFacts(lang, setting),
            isStored: mayChange && setting.unused !== null,
          })),
      },
    },
    page,
  )
}

function fieldOf(
  lang: PageContext['lang'],
  setting: ListedSetting,
  { typed, refusal }: ChapterOutcome,
  problems: Readonly<SettingProblems>,
) {
  const { settings: texts } = adminTextsFor(lang)
  const stored = storedText(setting)
  const text = typed?.[setting.name] ?? stored
  const byDefault = fill(texts.byDefault, { value: setting.default })
  return {
    ...settingFacts(lang, setting),
    text,
    // After a conflict, the form shows the values that another user has stored.
    current:
      text === stored || refusal?.code !== 'EDIT_CONFLICT'
        ? undefined
        : fill(texts.current, { value: stored || byDefault }),
    choices: setting.choices && [
      { value: '', label: byDefault },
      ...setting.choices.map((value) => ({ value, label: value })),
    ],
    placeholder: setting.default,
    problem: problems[setting.name],
  }
}

type SettingProblems = Record<string, ReturnType<typeof problemSentence>>

function problemsByName(
  lang: string,
  settings: readonly ListedSetting[],
  refusal: ApiRefusal | undefined,
): SettingProblems {
  if (refusal?.code !== 'VALIDATION_ERROR') return {}
  const own = (refusal.details ?? []).filter(({ field }) => settings.some(({ name }) => name === field))
  return Object.fromEntries(own.map(({ field, message }) => [field, problemSentence(lang, message)]))
}

function problemOf(lang: PageContext['lang'], refusal: ApiRefusal | undefined, problems: SettingProblems) {
  const { settings: texts, refusals } = adminTextsFor(lang)
  if (Object.keys(problems).length > 0) return textsFor(lang).form.problems.fields
  return problemText(lang, refusal, { ...refusals, EDIT_CONFLICT: texts.conflict, PAYLOAD_TOO_LARGE: texts.tooLarge })
}

function doneText(
  lang: PageContext['lang'],
  settings: readonly ListedSetting[],
  { done, changed = '' }: ChapterOutcome,
) {
  const { settings: texts } = adminTextsFor(lang)
  if (done === 'unchanged') return texts.unchanged
  const names = changed.split(',').filter((one) => settings.some(({ name }) => name === one))
  return done === 'saved' && names.length > 0 ? fill(texts.saved, { names: names.join(', ') }) : undefined
}

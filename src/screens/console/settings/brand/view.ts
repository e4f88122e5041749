import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { hasField, storedText, type TypedSettings } from '../chapter/changes.ts'
import { problemSentence } from '../problem-sentence.ts'
import { settingFacts, valueWords } from '../setting-words.ts'
import { type ListedSetting, settingsPath } from '../settings.ts'
import { brandFields } from './preview.ts'

export const brandPath = `${settingsPath}/brand`
export const previewPath = `${brandPath}/preview`

export interface BrandPage {
  area: AdminArea
  settings: readonly ListedSetting[]
  version: number
  mayChange: boolean
  forms: { save: string; logo: string }
  /** Which colours pages use instead of the accent colour. */
  accentNote: string
  /** The URL of the page on which the visitor reauthenticates before a change. */
  confirmPath?: string | undefined
  outcome: { done?: string | undefined; typed?: TypedSettings; rejection?: ApiRejection }
}

export function brandPage(data: BrandPage, page: PageContext): string {
  const { area, settings, mayChange, outcome } = data
  const { lang } = page
  const { brand: texts, settings: words, rejections } = adminTextsFor(lang)
  const problems = new Map(
    (outcome.rejection?.details ?? []).map(({ field, message }) => [field, problemSentence(lang, message)]),
  )
  const own = { ...rejections, EDIT_CONFLICT: words.conflict, PAYLOAD_TOO_LARGE: words.tooLarge }
  const logo = settings.find(({ name }) => name === 'APP_LOGO')
  return renderAdminLayout(
    area,
    {
      template: new URL('./brand.eta', import.meta.url),
      title: texts.title,
      lead: texts.lead,
      parent: { path: settingsPath, label: words.title },
      scripts: ['live-preview.js', 'accent.js', 'unsaved.js'],
      done: outcome.done === 'saved' ? texts.saved : outcome.done === 'unchanged' ? words.unchanged : undefined,
      styles: ['settings.css', 'previews.css'],
      problem: problems.size > 0 ? undefined : problemText(lang, outcome.rejection, own),
      data: {
        texts,
        words,
        path: brandPath,
        previewPath,
        forms: data.forms,
        version: data.version,
        accentNote: data.accentNote,
        draft: outcome.typed ? 'draft' : '',
        confirmPath: mayChange ? data.confirmPath : undefined,
        picture: page.theme.logo,
        faults: [...problems.keys()].map((name) =>
          name === 'APP_LOGO'
            ? { id: 'picture', label: texts.logo }
            : { id: name, label: texts.fields[name as keyof typeof texts.fields] ?? name },
        ),
        note: mayChange ? undefined : words.onlySuperadmins,
        mayChange,
        fields: brandFields.flatMap((name) => {
          const setting = settings.find((one) => one.name === name)
          return setting ? [fieldOf(setting)] : []
        }),
        logo: logo && {
          ...settingFacts(lang, logo),
          isChangeable: mayChange && logo.changeable,
          isStored: logo.source === 'database' || logo.unused !== null,
          problem: problems.get('APP_LOGO'),
        },
      },
    },
    page,
  )

  function hintOf(setting: ListedSetting): string {
    const byDefault = settingFacts(lang, setting).byDefault
    return setting.name === 'APP_ACCENT' ? `${texts.accentHint} ${byDefault}` : byDefault
  }

  function fieldOf(setting: ListedSetting) {
    const name = setting.name as (typeof brandFields)[number]
    const isEditable = mayChange && hasField(setting)
    const facts = settingFacts(lang, setting)
    const value = isEditable ? (outcome.typed?.[name] ?? storedText(setting)) : (setting.value ?? '')
    return {
      name,
      label: texts.fields[name],
      value,
      colour: name === 'APP_ACCENT' && isEditable ? shownColour(value, setting.default) : undefined,
      placeholder: valueWords(lang, setting, setting.default),
      isEditable,
      hint: isEditable ? hintOf(setting) : facts.reason,
      problem: problems.get(name),
      isFirstFault: [...problems.keys()][0] === name,
    }
  }
}

/** A colour field cannot be empty, so it contains the default unless a valid colour has been entered. */
export const shownColour = (text: string, byDefault: string): string =>
  /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : byDefault

/** Without scripts, the colour field and the text field can differ. A changed colour field takes precedence. */
export function withPickedColour({ accent_picked: picked, accent_before: before, ...typed }: TypedSettings) {
  return picked === undefined || picked === before ? typed : { ...typed, APP_ACCENT: picked }
}

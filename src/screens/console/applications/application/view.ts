import { settingsWith } from '../../../../applications/declared.ts'
import { applicationKinds } from '../../../../applications/read-input.ts'
import type { Config } from '../../../../config/load.ts'
import { day } from '../../../../lib/time.ts'
import { atTime, onDay } from '../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, type PageLanguage } from '../../../../ui/texts/index.ts'
import { linesOf } from '../lines-of.ts'
import { applicationPath, applicationsPath, connectPath, restorableDays, type ShownApplication } from '../paths.ts'
import { applicationProblems } from '../problems.ts'
import { recipeFor } from '../recipes.ts'
import { applicationState } from '../state.ts'
import { type FormTexts, formTextsOf, savedMeanwhile, type TypedChanges, textsOfApplication } from './form-texts.ts'
import { methodOptions } from './rule-fields.ts'

export interface ApplicationPage {
  area: AdminArea
  application: ShownApplication
  forms: { edit: string; act: string }
  timeZone: string | null
  config: Config
  typed?: TypedChanges
  rejection?: ApiRejection
  done?: string | undefined
  /** A return address that the form proposes. */
  add?: string | undefined
}

export function applicationPage(data: ApplicationPage, page: PageContext): string {
  const { area, application, forms, typed, rejection } = data
  const { lang } = page
  const { applications: texts } = adminTextsFor(lang)
  const isDeleted = application.deleted_at !== null
  const { top, fields } = applicationProblems(lang, rejection)
  return renderAdminLayout(
    area,
    {
      template: new URL('./application.eta', import.meta.url),
      title: application.name,
      lead: leadOf(data, lang),
      parent: { path: applicationsPath, label: texts.title },
      action: isDeleted
        ? undefined
        : {
            path: connectPath(application.id, recipeFor(application.kind).name),
            label: texts.connect,
            icon: 'link',
            isPlain: true,
          },
      scripts: ['unsaved.js'],
      done:
        data.add === undefined ? doneText(texts.done, data.done) : fill(texts.rejected.added, { address: data.add }),
      problem: top,
      data: {
        texts,
        path: applicationPath(application.id),
        forms,
        isDeleted,
        isEnabled: application.enabled,
        ...applicationState(lang, application),
        facts: factsOf(data, lang),
        declared: isDeleted ? [] : declaredNotes(data, lang),
        kinds: applicationKinds.map((value) => ({ value, label: texts.kinds[value] })),
        draft: typed || data.add !== undefined ? 'draft' : '',
        problems: fields,
        ...formData(data, lang),
      },
    },
    page,
  )
}

/** For each address that the settings contain as well, how to leave it to the application. */
function declaredNotes({ application, config }: ApplicationPage, lang: PageLanguage): string[] {
  const { applications: texts } = adminTextsFor(lang)
  const addresses = [...new Set([...application.return_addresses, ...application.origins])]
  return addresses.flatMap((address) =>
    settingsWith(config, address).map(({ name, rest }) =>
      name === 'FRONTEND_URL'
        ? fill(texts.alsoFrontend, { address })
        : fill(texts.alsoDeclared, { address, line: `${name}=${rest.join(',')}` }),
    ),
  )
}

function factsOf({ application, timeZone }: ApplicationPage, lang: PageLanguage) {
  const { facts, secrets } = adminTextsFor(lang).applications
  const { live_sessions, last_sign_in_at } = application
  return [
    { name: facts.key, value: application.key },
    { name: facts.sessions, value: new Intl.NumberFormat(lang).format(live_sessions) },
    { name: facts.lastSignIn, value: last_sign_in_at ? atTime(lang, last_sign_in_at, timeZone) : secrets.never },
    { name: facts.created, value: atTime(lang, application.created_at, timeZone) },
    { name: facts.updated, value: atTime(lang, application.updated_at, timeZone) },
  ]
}

function formData({ application, typed, rejection, add, config }: ApplicationPage, lang: PageLanguage) {
  const { applications: texts } = adminTextsFor(lang)
  const stored = textsOfApplication(application)
  const shown = typed ? formTextsOf(typed) : withAddress(stored, add)
  const isConflict = rejection?.code === 'EDIT_CONFLICT'
  const saved = isConflict ? savedMeanwhile(texts, shown, stored) : {}
  const current: Partial<Record<keyof FormTexts, string>> = Object.fromEntries(
    Object.entries(saved).map(([name, value]) => [name, fill(texts.current, { value })]),
  )
  const hint = (name: keyof FormTexts, text = '') => [text, current[name]].filter(Boolean).join(' ') || undefined
  return {
    typed: shown,
    methods: methodOptions(texts, application, { config, checked: shown.sign_in_methods.split('\n') }),
    rows: { return_addresses: rowsFor(shown.return_addresses), origins: rowsFor(shown.origins) },
    // After the page has shown the other changes, saving again overwrites them.
    expected: isConflict ? application.updated_at : (typed?.expected_updated_at ?? application.updated_at),
    hints: {
      name: hint('name', texts.nameHint),
      kind: hint('kind'),
      return_addresses: hint('return_addresses', texts.returnHint),
      origins: hint('origins', texts.originsHint),
      development: hint('development'),
      home_url: hint('home_url'),
      sign_out_url: hint('sign_out_url', texts.signOutHint),
      sign_in_methods: hint('sign_in_methods', texts.methodsHint),
      existing_only: hint('existing_only'),
      note: hint('note', texts.noteHint),
    },
  }
}

const withAddress = (texts: FormTexts, address: string | undefined): FormTexts =>
  address === undefined
    ? texts
    : { ...texts, return_addresses: linesOf(`${texts.return_addresses}\n${address}`).join('\n') }

/** Shows a few lines more than there are, so that there is space for another address. */
const rowsFor = (text: string): number => Math.min(12, Math.max(2, text.split('\n').length + 1))

function leadOf({ application, timeZone }: ApplicationPage, lang: PageLanguage): string {
  const { applications: texts } = adminTextsFor(lang)
  if (application.deleted_at !== null) {
    const erasedAt = new Date(Date.parse(application.deleted_at) + restorableDays * day).toISOString()
    return fill(texts.deletedLead, { day: onDay(lang, erasedAt, timeZone) })
  }
  return application.enabled ? texts.oneLead : texts.disabledLead
}

function doneText(texts: Readonly<Record<string, string>>, done: string | undefined): string | undefined {
  return done !== undefined && Object.hasOwn(texts, done) ? texts[done] : undefined
}

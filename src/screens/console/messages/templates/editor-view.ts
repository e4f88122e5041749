import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { FieldProblem } from '../../../../lib/errors.ts'
import { languageName } from '../../../../lib/locale.ts'
import type { TemplateRoute, VersionsRoute } from '../../../../messages/template-schemas.ts'
import { atTime } from '../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ShownProblem } from '../../../../ui/console/translate-problem.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, type PageLanguage } from '../../../../ui/texts/index.ts'
import { brandPath } from '../../settings/brand/view.ts'
import { editorPath, messageLabel, templatesPath } from '../paths.ts'
import { stateChips } from './list-view.ts'
import { templateProblem } from './template-problem.ts'

export type Source = Template['built_in']

export type Template = ResponseOf<typeof TemplateRoute>['data']

export type Version = ResponseOf<typeof VersionsRoute>['data']['versions'][number]

export interface EditorOutcome {
  done?: string | undefined
  draft?: Source
  problem?: ApiRejection
}

export interface EditorPage {
  area: AdminArea
  template: Template
  versions: Version[]
  mayEdit: boolean
  form: string
  timeZone: string | null
  outcome: EditorOutcome
}

export function editorPage(data: EditorPage, page: PageContext): string {
  const { template, outcome, mayEdit } = data
  const { lang } = page
  const { messages: texts } = adminTextsFor(lang)
  const path = editorPath(template.name, template.language)
  const shown = outcome.draft ?? template
  return renderAdminLayout(
    data.area,
    {
      template: new URL('./editor.eta', import.meta.url),
      title: `${messageLabel(lang, template.name)} · ${languageName(lang, template.language)}`,
      parent: { path: templatesPath, label: texts.templates },
      styles: ['settings.css', 'previews.css'],
      scripts: template.channel === 'mail' ? ['live-preview.js', 'unsaved.js'] : ['unsaved.js'],
      done: doneText(outcome.done, lang),
      problem: problemOf(outcome.problem, lang),
      data: {
        texts,
        path,
        form: data.form,
        draft: outcome.draft ? 'draft' : '',
        mayEdit: mayEdit && template.customizable,
        note: template.customizable ? (mayEdit ? undefined : texts.onlySuperadmins) : texts.fixedLong,
        isMail: template.channel === 'mail',
        isOwn: template.state !== 'built_in',
        state: texts.templateStates[template.state],
        chip: stateChips[template.state],
        version: template.version,
        subject: shown.subject,
        text: shown.text,
        html: shown.html ?? '',
        brand: mayEdit ? brandPath : undefined,
        start: template.generated_html,
        problems: fieldProblems(data, lang),
        faultsText: adminTextsFor(lang).settings.faults,
        faults: (outcome.problem?.details ?? []).flatMap(({ field }) =>
          fields.includes(field) ? [{ id: field, label: texts[field as 'subject'] }] : [],
        ),
        variables: template.variables.map((name) => `{{${name}}}`),
        subjectHint: fill(texts.subjectHint, { placeholders: placeholders(template.subject_variables) }),
        required: requiredText(template, lang),
        versions: data.versions.map((version) => versionRow(version, path, data, page)),
      },
    },
    page,
  )
}

const fields = ['subject', 'text', 'html']

const placeholders = (names: readonly string[]): string => names.map((name) => `{{${name}}}`).join(', ')

function requiredText({ required_variables: groups }: Template, lang: PageContext['lang']): string | undefined {
  const { messages: texts } = adminTextsFor(lang)
  const either = new Intl.ListFormat(lang, { type: 'disjunction' })
  const all = groups.map((group) => either.format(group.map((name) => `{{${name}}}`)))
  return all.length > 0 ? fill(texts.required, { placeholders: all.join(', ') }) : undefined
}

function fieldProblems({ template, outcome }: EditorPage, lang: PageLanguage): Record<string, ShownProblem> {
  const problems = outcome.problem ? (outcome.problem.details ?? []) : outcome.draft ? [] : template.problems
  return Object.fromEntries(problems.map(({ field, message }) => [field, templateProblem(lang, message)]))
}

/** The problems of a draft that cannot be shown, with the labels of its fields. */
export const draftProblems = (lang: PageLanguage, problems: readonly FieldProblem[]) =>
  problems.map(({ field, message }) => {
    const { text, lang: spoken } = templateProblem(lang, message)
    const { messages: texts } = adminTextsFor(lang)
    return { field: fields.includes(field) ? texts[field as 'subject'] : field, message: text, lang: spoken }
  })

function problemOf(problem: ApiRejection | undefined, lang: PageContext['lang']): string | undefined {
  const { messages: texts } = adminTextsFor(lang)
  const own = { EDIT_CONFLICT: texts.conflict, EMAIL_NOT_VERIFIED: texts.notVerified }
  // The page shows these errors at the affected fields.
  if (problem?.code === 'VALIDATION_ERROR' && problem.details?.some(({ field }) => fields.includes(field)))
    return undefined
  return problemText(lang, problem, own)
}

function versionRow(version: Version, path: string, { template, timeZone }: EditorPage, { lang }: PageContext) {
  const { messages: texts } = adminTextsFor(lang)
  const at = atTime(lang, version.changed_at, timeZone)
  return {
    label: fill(texts.version, { number: version.version }),
    note: version.built_in ? texts.returned : undefined,
    by: version.changed_by ? fill(texts.changedBy, { time: at, name: version.changed_by }) : at,
    path: version.version === template.version ? undefined : `${path}/versions/${version.version}`,
  }
}

function doneText(done: string | undefined, lang: PageContext['lang']): string | undefined {
  const { done: texts } = adminTextsFor(lang).messages
  return done !== undefined && Object.hasOwn(texts, done) ? texts[done as keyof typeof texts] : undefined
}

const eta = new Eta({ views: fileURLToPath(new URL('./', import.meta.url)), cache: true, autoEscape: true })

/** The text that the preview shows if the draft is invalid. */
export const frameNote = (
  lang: PageLanguage,
  sentence: string,
  problems: readonly (FieldProblem & { lang: string })[],
): string => eta.render('frame-note', { lang, sentence, problems })

import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { type AdminTexts, adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { Choice, ChoiceGroup } from '../../../../ui/fields/field.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { textsFor } from '../../../../ui/texts/index.ts'
import { applicationsPath } from '../paths.ts'
import { applicationProblems } from '../problems.ts'
import { type Recipe, recipeGroups, recipes } from '../recipes.ts'
import type { EntryProblems, TypedApplication } from './read-entries.ts'

export interface NewApplicationPage {
  area: AdminArea
  form: string
  typed?: TypedApplication
  /** Found by the page itself. */
  problems?: EntryProblems
  rejection?: ApiRejection
}

const fieldNames: Readonly<Record<string, string>> = {
  return_addresses: 'address',
  origins: 'address',
  development: 'address',
  kind: 'with',
}

export function newApplicationPage(data: NewApplicationPage, page: PageContext): string {
  const { area, form, typed = {}, rejection } = data
  const { lang } = page
  const { applications: texts, shared } = adminTextsFor(lang)
  const { top, fields } = data.problems
    ? { top: textsFor(lang).form.problems.fields, fields: entrySentences(texts, data.problems) }
    : applicationProblems(lang, rejection, (member) => fieldNames[member] ?? member)
  return renderAdminLayout(
    area,
    {
      template: new URL('./new.eta', import.meta.url),
      title: texts.newTitle,
      lead: texts.newLead,
      parent: { path: applicationsPath, label: texts.title },
      problem: top,
      data: { texts, form, typed, problems: fields, groups: recipeChoices(texts), cancel: shared.cancel },
    },
    page,
  )
}

export function recipeChoices(texts: AdminTexts['applications'], isChosen = false): ChoiceGroup[] {
  const choiceOf = (recipe: Recipe): Choice => ({ value: recipe.name, label: recipeLabel(texts, recipe) })
  const groups = recipeGroups.map((group) => ({
    label: texts.groups[group],
    choices: recipes.filter((recipe) => recipe.group === group).map(choiceOf),
  }))
  return isChosen ? groups : [{ choices: [{ value: '', label: texts.choose }] }, ...groups]
}

function recipeLabel({ recipes }: AdminTexts['applications'], { name, label }: Recipe): string {
  const own: Readonly<Record<string, string>> = recipes
  return label ?? own[name] ?? name
}

const entrySentences = (texts: AdminTexts['applications'], problems: EntryProblems): Record<string, string> =>
  Object.fromEntries(Object.entries(problems).map(([field, problem]) => [field, texts.entries[problem]]))

import { durationInWords } from '../../../../lib/time.ts'
import type { ActionField, ActionSettings, ActionValues, UserAction } from '../../../../ui/console/console-part.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { describedRoles, roleName } from '../../../../ui/console/roles.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { Field } from '../../../../ui/fields/field.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { formProblems } from '../../../../ui/shared/form-problems.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { durationText, fullNameOf, userPagePath } from '../shared.ts'
import type { ManagedUser } from './read-user.ts'

export interface ActionPage {
  area: AdminArea
  person: ManagedUser
  action: UserAction
  form: string
  target: string
  /** The roles that the visitor may give to this user. */
  grantable: readonly string[]
  /** The period during which a deleted user can be restored, in milliseconds. */
  deletedRetention: number
  /** The lifetime of an invitation, in milliseconds. */
  inviteTtl: number
  settings: ActionSettings
  /** The values that the API rejected. */
  values?: ActionValues | undefined
  rejection?: ApiRejection | undefined
}

export function actionPage(data: ActionPage, page: PageContext): string {
  const { area, person, action, form, target, values, rejection } = data
  const { lang } = page
  const { actions: texts, rejections, shared } = adminTextsFor(lang)
  const name = fullNameOf(person.user)
  const question = rejection ? undefined : action.question?.(lang, values ?? {}, area.roles)
  const words = { ...action.words(lang), ...question }
  const fields = action.fields ?? []
  const problems = formProblems(lang, rejection, {
    fields: fields.map((field) => field.name),
    rejections: { ...rejections, ...texts.problems },
  })
  const path = userPagePath(person.user.id)
  return renderAdminLayout(
    area,
    {
      template: new URL('./action.eta', import.meta.url),
      title: fill(words.title, { name }),
      parent: { path, label: name },
      scripts: ['first-field.js'],
      problem: problems.top,
      data: {
        texts,
        shared,
        form,
        target,
        path,
        text: fill(question?.text ?? action.text?.(lang, data.settings) ?? words.text, {
          name,
          time: durationText(lang, data.deletedRetention),
          lifetime: durationInWords(data.inviteTtl / 1000, lang),
        }),
        button: fill(words.button, { name }),
        isQuestion: question !== undefined,
        isDangerous: action.isDangerous === true,
        updatedAt: (question && values?.updated_at) ?? person.user.updated_at,
        fields: fields.map((field) => shownField(field, data, page, problems.fields)),
        roles: action.name === 'role' && !question ? describedRoles(lang, data.grantable, area.roles) : [],
        current:
          action.name === 'role'
            ? fill(texts.currentRole, { role: roleName(lang, person.user.user_type, area.roles) })
            : undefined,
        email: name === person.user.email ? undefined : person.user.email,
      },
    },
    page,
  )
}

function shownField(
  field: ActionField,
  { area, person, grantable, values }: ActionPage,
  { lang }: PageContext,
  problems: Record<string, string>,
): Field {
  const choices = field.choices?.(lang, describedRoles(lang, grantable, area.roles), person)
  const { actions, create } = adminTextsFor(lang)
  return {
    name: field.name,
    label: field.label(lang),
    hint: field.hint?.(lang),
    hidesHint: true,
    note: field.isOptional ? create.optional : choices ? undefined : actions.required,
    required: choices ? field.isRequired === true : !field.isOptional,
    value: values?.[field.name] ?? field.value?.(person) ?? '',
    problem: problems[field.name],
    ...(choices
      ? { kind: 'select', choices }
      : { type: field.type ?? 'text', maxlength: field.maxLength, autocomplete: 'off' }),
  }
}

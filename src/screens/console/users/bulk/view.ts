import type { BulkRoute } from '../../../../admin/many-users-schemas.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { describedRoles, roleName } from '../../../../ui/console/roles.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { formProblems } from '../../../../ui/shared/form-problems.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../ui/texts/index.ts'
import { durationText, fullNameOf, type ListedUser, userPagePath, usersPath } from '../shared.ts'
import { endChoices } from '../user/actions/application-role.ts'
import { type BulkAction, bulkConfirmPath, reverting } from './choices.ts'

type ShownBulkResult = ResponseOf<typeof BulkRoute>['data']['results'][number]

export interface BulkPage {
  area: AdminArea
  form: string
  action: BulkAction
  ids: readonly string[]
  /** The users with these ids, except those that the API did not return. */
  users: readonly ListedUser[]
  roles: readonly string[]
  applicationRoles: readonly string[]
  /** The fields of a form that was rejected. */
  typed?: Readonly<Partial<Record<'reason' | 'user_type' | 'application_role' | 'days', string | undefined>>>
  rejection?: ApiRejection | undefined
  /** The results of the last attempt, if it failed for some users or can be reverted. */
  results?: readonly ShownBulkResult[] | undefined
  /** Whether the administrator selected themselves, which this action does not allow. */
  isSelfLeftOut?: boolean | undefined
  /** The period during which a deleted user can be restored, in milliseconds. */
  deletedRetention: number
}

/** Describes the action before it is confirmed. If there are results, lists the users for whom the action failed. */
export function bulkPage({ area, form, action, ids, users, typed = {}, ...data }: BulkPage, page: PageContext): string {
  const { lang } = page
  const { bulk: texts, people: listTexts, person, actions, applicationRoles, rejections, shared } = adminTextsFor(lang)
  const problems = formProblems(lang, data.rejection, {
    fields: ['reason', 'user_type', 'application_role'],
    rejections,
  })
  const words = texts.actions[action]
  const results = data.results ?? []
  const roles = describedRoles(lang, data.roles, area.roles)
  const names = new Map(users.map((user) => [user.id, fullNameOf(user)]))
  const failures = results.filter(({ ok }) => !ok)
  const undo = reverting[action]
  const succeeded = fillPlural(lang, words.done, results.length - failures.length)
  const changed = results.filter(({ ok }) => ok).map(({ id }) => id)
  return renderAdminLayout(
    area,
    {
      template: new URL('./bulk.eta', import.meta.url),
      title: data.results ? words.label : fillPlural(lang, words.title, ids.length),
      parent: { path: usersPath, label: listTexts.title },
      done: data.results && failures.length === 0 ? succeeded : undefined,
      problem: problems.top,
      data: {
        texts,
        shared,
        text: fill(words.text, { time: durationText(lang, data.deletedRetention) }),
        problems: problems.fields,
        action,
        form,
        formAction: bulkConfirmPath,
        ids: ids.join(' '),
        isDangerous: action === 'block' || action === 'delete',
        button: fillPlural(lang, words.button, ids.length),
        users: users.map((user) => ({
          name: fullNameOf(user),
          about: [fullNameOf(user) === user.email ? '' : user.email, roleName(lang, user.user_type, area.roles)]
            .filter(Boolean)
            .join(' · '),
          path: userPagePath(user.id),
        })),
        reason: typed.reason ?? '',
        role: {
          name: 'user_type',
          label: texts.role,
          value: typed.user_type ?? '',
          choices: [{ value: '', label: actions.chooseRole }, ...roles],
          kind: 'select' as const,
          required: true,
          problem: problems.fields.user_type,
        },
        roles,
        applicationRole: {
          name: 'application_role',
          label: applicationRoles.role,
          value: typed.application_role ?? '',
          choices: [
            { value: '', label: actions.chooseRole },
            ...data.applicationRoles.map((name) => ({ value: name, label: name })),
          ],
          kind: 'select' as const,
          required: true,
          problem: problems.fields.application_role,
        },
        end: {
          name: 'days',
          label: applicationRoles.end,
          value: typed.days ?? '',
          choices: endChoices(lang),
          kind: 'select' as const,
        },
        usersPath,
        required: actions.required,
        leftOut: data.isSelfLeftOut ? texts.leftOut : undefined,
        isFinished: data.results !== undefined,
        undo: undo &&
          changed.length > 0 && {
            action: undo,
            target: bulkConfirmPath,
            form,
            ids: changed.join(' '),
            label: person.undo,
          },
        succeeded,
        failed: fillPlural(lang, texts.failed, failures.length),
        failures: failures.map(({ id, code }) => ({
          name: names.get(id) ?? id,
          path: userPagePath(id),
          why: problemText(lang, code ?? 'OTHER', rejections) ?? '',
        })),
      },
    },
    page,
  )
}

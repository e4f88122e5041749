import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { describedRoles } from '../../../../ui/console/roles.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { formProblems } from '../../../../ui/shared/form-problems.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, textsFor } from '../../../../ui/texts/index.ts'
import { durationText, fullNameOf, type ListedUser, userPagePath, usersPath } from '../shared.ts'

export interface NewUserPage {
  area: AdminArea
  form: string
  roles: readonly string[]
  minimum: number
  /** The lifetime of the link in the invitation, in milliseconds. */
  inviteTtl: number
  hasLastName: boolean
  hasPasswords: boolean
  typed?: {
    email?: string | undefined
    name?: string | undefined
    last_name?: string | undefined
    user_type?: string | undefined
  }
  rejection?: ApiRejection | undefined
  /** The user who already has this email address. */
  taken?: ListedUser | undefined
}

const fields = ['email', 'name', 'last_name', 'user_type', 'password']

export function newUserPage(data: NewUserPage, page: PageContext): string {
  const { area, form, roles, minimum, inviteTtl, typed = {}, rejection } = data
  const { lang } = page
  const { create: texts, people, rejections, shared } = adminTextsFor(lang)
  const { password } = textsFor(lang)
  const problems = formProblems(lang, rejection, { fields, minPasswordLength: minimum, rejections })
  return renderAdminLayout(
    area,
    {
      template: new URL('./new.eta', import.meta.url),
      title: texts.title,
      parent: { path: usersPath, label: people.title },
      scripts: ['first-field.js'],
      problem: problems.top,
      problemLink: data.taken && {
        path: userPagePath(data.taken.id),
        label: fill(texts.showTaken, { name: fullNameOf(data.taken) }),
      },
      data: {
        texts,
        next: fill(data.hasPasswords ? texts.next : texts.nextWithoutPassword, { time: durationText(lang, inviteTtl) }),
        shared,
        form,
        typed,
        hasLastName: data.hasLastName,
        hasPasswords: data.hasPasswords,
        problems: problems.fields,
        roles: describedRoles(lang, roles, area.roles),
        passwordHint: fill(password.hint, { minimum }),
        usersPath,
      },
    },
    page,
  )
}

import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fillPlural } from '../../../../ui/texts/index.ts'
import { deleteRolePath, type EditableRole, rolePath, usersWithRole } from '../paths.ts'

export interface DeleteRolePage {
  area: AdminArea
  role: EditableRole
  form: string
  rejection?: ApiRejection | undefined
}

export function deleteRolePage({ area, role, form, rejection }: DeleteRolePage, page: PageContext): string {
  const { staffRoles: texts, rejections, shared } = adminTextsFor(page.lang)
  return renderAdminLayout(
    area,
    {
      template: new URL('./delete.eta', import.meta.url),
      title: texts.deleteTitle,
      parent: { path: rolePath(role.id), label: role.name },
      problem: problemText(page.lang, rejection, { ...rejections, ...texts.problems }),
      data: {
        texts,
        form,
        action: deleteRolePath(role.id),
        path: rolePath(role.id),
        cancel: shared.cancel,
        inUse: role.users > 0 ? fillPlural(page.lang, texts.inUse, role.users) : undefined,
        usersPath: usersWithRole(role.key),
        deletedUsersPath: usersWithRole(role.key, 'true'),
      },
    },
    page,
  )
}

import { isSuperadmin } from '../../../../http/access/permissions.ts'
import { AppError } from '../../../../lib/errors.ts'
import { ListPermissionsRoute, MovePermissionRoute } from '../../../../roles/declaration/permission-schemas.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { type PageDeclarations, postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { readApplications } from '../../applications/read-applications.ts'
import { permissionsPath } from '../paths.ts'
import * as schemas from '../schemas.ts'
import { type PermissionsPage, permissionsPage } from './view.ts'

export function declarePermissionPages(pages: PageDeclarations<AdminVisit>): void {
  pages.get(permissionsPath, { schema: schemas.PermissionsPageRoute, config: readByAnyone }, (member, { query }) =>
    showPermissions(member, { done: query.done }),
  )
  pages.post(
    permissionsPath,
    { schema: schemas.MovePermissionFormRoute, config: postedByAnyone },
    async (member, { body: { form_token, ...typed } }) => {
      const { permission = '', application = '' } = typed
      const move = call(MovePermissionRoute, { params: { permission }, body: { application } })
      const response = await member.submit(permissionsPath, form_token, move)
      if (response.ok) return member.go(`${permissionsPath}?done=moved`)
      return showPermissions(member, { typed, rejection: response.rejection }, response.status)
    },
  )
}

type State = Pick<PermissionsPage, 'typed' | 'rejection' | 'done'>

async function showPermissions(member: AdminVisit, state: State, status?: number) {
  if (!member.can('applications:read')) throw new AppError('FORBIDDEN')
  const { permissions } = await member.read(call(ListPermissionsRoute))
  const mayMove = isSuperadmin(member.profile.user) && permissions.length > 0
  const data = {
    ...{ area: member.area, permissions, mayMove, form: member.sign(permissionsPath), ...state },
    applications: mayMove ? await readApplications(member) : [],
  }
  return member.show((page) => permissionsPage(data, page), status)
}

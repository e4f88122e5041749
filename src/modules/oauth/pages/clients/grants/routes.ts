import type { Context } from '../../../../../context.ts'
import { AppError } from '../../../../../lib/errors.ts'
import type { AdminVisit } from '../../../../../ui/console/admin-visit.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../../ui/shared/call-api.ts'
import { type PageDeclarations, postedByAnyone, readByAnyone } from '../../../../../ui/shared/declare-pages.ts'
import { GetClientRoute } from '../../../clients/schemas.ts'
import { EndClientGrantsRoute, ListClientGrantsRoute } from '../../../grants/admin-schemas.ts'
import { clientListPath } from '../../paths.ts'
import * as schemas from '../../schemas.ts'
import { clientGrantsPath } from './paths.ts'
import { clientGrantsPage } from './view.ts'

const module = 'oauth'
const path = `${clientListPath}/:client_id/grants`

interface GrantsState {
  page?: string | undefined
  done?: string | undefined
  rejection?: ApiRejection
  status?: number
}

export function declareClientGrants(ctx: Context, pages: PageDeclarations<AdminVisit>): void {
  const show = async (member: AdminVisit, id: string, { page, status, ...state }: GrantsState) => {
    if (!member.can('grants:read')) throw new AppError('FORBIDDEN')
    const params = { client_id: id }
    const client = await member.read(call(GetClientRoute, { params }))
    const number = /^[1-9]\d{0,3}$/.test(page ?? '') ? page : '1'
    const found = await member.read(call(ListClientGrantsRoute, { params, query: { page: number, limit: 25 } }))
    const data = {
      ...{ area: member.area, client, found, mayEnd: member.can('grants:end'), maySeeUsers: member.can('users:read') },
      ...{ form: member.sign(clientGrantsPath(id)), now: ctx.clock.now() },
      ...{ timeZone: member.profile.user.tmz ?? null, ...state },
    }
    return member.show((context) => clientGrantsPage(data, context), status)
  }
  pages.get(
    path,
    { schema: schemas.ClientGrantsPageRoute, config: { ...readByAnyone, module } },
    (member, { params, query }) => show(member, params.client_id, query),
  )
  pages.post(
    path,
    { schema: schemas.EndClientGrantsFormRoute, config: { ...postedByAnyone, module } },
    async (member, { params, body }) => {
      const own = clientGrantsPath(params.client_id)
      const response = await member.submit(own, body.form_token, call(EndClientGrantsRoute, { params }))
      if (response.ok) return member.go(`${own}?done=ended`)
      return show(member, params.client_id, { rejection: response.rejection, status: response.status })
    },
  )
}

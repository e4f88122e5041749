import type { AdminVisit } from '../../../../../ui/console/admin-visit.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import { type PageDeclarations, readByAnyone } from '../../../../../ui/shared/declare-pages.ts'
import { GetClientRoute } from '../../../clients/schemas.ts'
import { maxRefusals } from '../../../refusals/list-refusals.ts'
import { ListRefusalsRoute } from '../../../refusals/schemas.ts'
import { clientListPath } from '../../paths.ts'
import * as schemas from '../../schemas.ts'
import { clientRefusalsPage } from './view.ts'

export function declareClientRefusals(pages: PageDeclarations<AdminVisit>): void {
  pages.get(
    `${clientListPath}/:client_id/refusals`,
    { schema: schemas.ClientRefusalsPageRoute, config: { ...readByAnyone, module: 'oauth' } },
    async (member, { params }) => {
      const client = await member.read(call(GetClientRoute, { params }))
      const list = call(ListRefusalsRoute, { params, query: { limit: maxRefusals } })
      const { refusals } = await member.read(list)
      const data = { area: member.area, client, refusals, timeZone: member.profile.user.tmz ?? null }
      return member.show((page) => clientRefusalsPage(data, page))
    },
  )
}

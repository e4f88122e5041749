import type { AdminVisit } from '../../../../../ui/console/admin-visit.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import { type PageDeclarations, readByAnyone } from '../../../../../ui/shared/declare-pages.ts'
import { GetClientRoute } from '../../../clients/schemas.ts'
import { maxClientRejections } from '../../../rejections/list-rejections.ts'
import { ListClientRejectionsRoute } from '../../../rejections/schemas.ts'
import { clientListPath } from '../../paths.ts'
import { readResources } from '../../read-choices.ts'
import * as schemas from '../../schemas.ts'
import { clientRejectionsPage } from './view.ts'

export function declareClientRejections(pages: PageDeclarations<AdminVisit>): void {
  pages.get(
    `${clientListPath}/:client_id/rejections`,
    { schema: schemas.ClientRejectionsPageRoute, config: { ...readByAnyone, module: 'oauth' } },
    async (member, { params }) => {
      const client = await member.read(call(GetClientRoute, { params }))
      const list = call(ListClientRejectionsRoute, { params, query: { limit: maxClientRejections } })
      const { rejections } = await member.read(list)
      const resources = await readResources(member)
      const data = { area: member.area, client, resources, rejections, timeZone: member.profile.user.tmz ?? null }
      return member.show((page) => clientRejectionsPage(data, page))
    },
  )
}

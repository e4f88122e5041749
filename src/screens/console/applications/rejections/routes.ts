import { maxRejections } from '../../../../applications/list-rejections.ts'
import { ListRejectionsRoute } from '../../../../applications/rejection-schemas.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { type PageDeclarations, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { applicationsPath, otherRejectionsPath, type ShownApplication } from '../paths.ts'
import { getShownApplication } from '../read-application.ts'
import * as schemas from '../schemas.ts'
import { groupRejections } from './group-rejections.ts'
import { missingAddress } from './missing-address.ts'
import { rejectionsPage } from './view.ts'

const rejectionsOfOne = `${applicationsPath}/:application_id/rejections`

export function declareRejections(pages: PageDeclarations<AdminVisit>): void {
  const show = async (member: AdminVisit, application?: ShownApplication) => {
    const rejections = groupRejections(await rejectionsOf(member, application?.id))
    const data = { area: member.area, application, rejections, timeZone: member.profile.user.tmz ?? null }
    return member.show((page) => rejectionsPage(data, page))
  }
  pages.get(otherRejectionsPath, { schema: schemas.OtherRejectionsPageRoute, config: readByAnyone }, (member) =>
    show(member),
  )
  pages.get(
    rejectionsOfOne,
    { schema: schemas.RejectionsPageRoute, config: readByAnyone },
    async (member, { params }) => show(member, await getShownApplication(member, params.application_id)),
  )
}

async function rejectionsOf(member: AdminVisit, application_id: string | undefined) {
  const { rejections } = await member.read(
    call(ListRejectionsRoute, { query: { application_id, limit: maxRejections } }),
  )
  return rejections
}

/**
 * The address if the application's rejections contain a page of it. Otherwise, a link to the form from another site could
 * propose any address.
 */
export async function addressToAdd(member: AdminVisit, id: string, address: string | undefined) {
  if (address === undefined) return undefined
  const rejections = await rejectionsOf(member, id)
  return rejections.some((rejection) => missingAddress(rejection) === address) ? address : undefined
}

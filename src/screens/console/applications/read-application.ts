import { GetApplicationRoute } from '../../../applications/schemas.ts'
import type { AdminVisit } from '../../../ui/console/admin-visit.ts'
import { call } from '../../../ui/shared/api-route.ts'
import type { ShownApplication } from './paths.ts'

/** If there is no such application, the visitor sees that the page was not found. */
export const getShownApplication = (member: AdminVisit, id: string): Promise<ShownApplication> =>
  member.read(call(GetApplicationRoute, { params: { application_id: id } }))

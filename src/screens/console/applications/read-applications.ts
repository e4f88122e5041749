import { ListApplicationsRoute } from '../../../applications/schemas.ts'
import type { AdminVisit } from '../../../ui/console/admin-visit.ts'
import { call, type ResponseOf } from '../../../ui/shared/api-route.ts'

export type OfferedApplication = ResponseOf<typeof ListApplicationsRoute>['data']['applications'][number]

const maxPages = 20

/** Those that are not deleted. */
export async function readApplications(member: AdminVisit): Promise<OfferedApplication[]> {
  const found: OfferedApplication[] = []
  for (let page = 1; page <= maxPages; page += 1) {
    const { applications, pagination } = await member.read(call(ListApplicationsRoute, { query: { page, limit: 100 } }))
    found.push(...applications)
    if (!pagination.has_more) break
  }
  return found.filter(({ deleted_at }) => deleted_at === null)
}

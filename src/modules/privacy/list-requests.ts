import type { Context } from '../../context.ts'
import { pageOf, paginationOf } from '../../lib/paging.ts'
import { iso } from '../../lib/time.ts'
import { countRequests, findRequests, type ListedRequest, type RequestState } from './request-list-queries.ts'

interface RequestSearch {
  state?: RequestState
  page?: number
  limit?: number
}

export async function listRequests({ db }: Context, { state = 'open', ...paging }: RequestSearch) {
  const page = pageOf(paging)
  const total = await countRequests(db, state)
  const requests = (await findRequests(db, state, page)).map(shownRequest)
  return { requests, pagination: paginationOf(page, total) }
}

const shownRequest = ({ requested_at, due_at, cancelled_at, ...request }: ListedRequest) => ({
  ...request,
  requested_at: iso(requested_at),
  due_at: iso(due_at),
  cancelled_at: cancelled_at && iso(cancelled_at),
})

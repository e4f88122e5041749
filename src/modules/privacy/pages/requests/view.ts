import { userPagePath } from '../../../../screens/console/users/shared.ts'
import { onDay } from '../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { type Pagination, pagerOf } from '../../../../ui/console/pager.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import { type PageProblem, problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import type { RequestState } from '../../request-list-queries.ts'
import type { PrivacyRequestsRoute } from '../../request-list-schemas.ts'
import { privacyTextsFor } from '../texts.ts'
import { requestPaths } from './schemas.ts'

type ShownRequest = ResponseOf<typeof PrivacyRequestsRoute>['data']['requests'][number]

export interface RequestsPage {
  area: AdminArea
  state: RequestState
  requests: readonly ShownRequest[]
  pagination: Pagination
  forms: { cancel: string; export: string }
  timeZone: string | null
  now: number
  outcome: { done?: string | undefined; problem?: PageProblem }
}

export function requestsPage(data: RequestsPage, page: PageContext): string {
  const { area, state, requests, outcome, forms } = data
  const { admin } = privacyTextsFor(page.lang)
  const texts = admin.requests
  const { done } = outcome
  return renderAdminLayout(
    area,
    {
      template: new URL('./requests.eta', import.meta.url),
      title: texts.title,
      lead: texts.lead,
      done:
        done !== undefined && Object.hasOwn(texts.done, done) ? texts.done[done as keyof typeof texts.done] : undefined,
      problem: problemText(page.lang, outcome.problem, texts.rejections),
      data: {
        texts,
        paths: requestPaths,
        forms,
        states: (['open', 'closed'] as const).map((one) => ({
          label: texts.states[one],
          path: one === 'open' ? requestPaths.list : `${requestPaths.list}?state=${one}`,
          isCurrent: one === state,
        })),
        rows: requests.map((request) => rowOf(request, data, page)),
        empty: { icon: 'shield', title: texts.none, text: texts.noneText },
        pager: pagerOf(page.lang, data.pagination, { state }, { path: requestPaths.list }),
      },
    },
    page,
  )
}

function rowOf(request: ShownRequest, { timeZone, now }: RequestsPage, { lang }: PageContext) {
  const { requests: texts } = privacyTextsFor(lang).admin
  const { kind, status } = request
  const on = (time: string) => onDay(lang, time, timeZone)
  const days = Math.max(0, Math.ceil((Date.parse(request.due_at) - now) / 86_400_000))
  const left = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }).format(days, 'day')
  const deadlines = { deletion: texts.deletedOn, export: texts.expiresOn }
  const isOpenDeletion = kind === 'deletion' && status === 'pending'
  return {
    id: request.user_id,
    email: request.email,
    path: userPagePath(request.user_id),
    kind: texts.kinds[kind],
    status: texts.statuses[status],
    chip: isOpenDeletion ? (days <= 3 ? 'bad' : 'warn') : status === 'ready' ? 'good' : '',
    deadline: request.cancelled_at
      ? fill(texts.cancelledOn, { day: on(request.cancelled_at) })
      : fill(deadlines[kind], { day: on(request.due_at), left }),
    requested: fill(texts.requestedOn, { day: on(request.requested_at) }),
    reason: request.reason ? fill(texts.reason, { reason: request.reason }) : undefined,
    isCancellable: isOpenDeletion,
    isExport: kind === 'export',
  }
}

import { ago, onDay } from '../../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import { pagerOf } from '../../../../../ui/console/pager.ts'
import type { ResponseOf } from '../../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fill } from '../../../../../ui/texts/index.ts'
import type { ListClientGrantsRoute } from '../../../grants/admin-schemas.ts'
import { clientPath, type ShownClient } from '../../paths.ts'
import { doneText, oauthProblems } from '../../problems.ts'
import { oauthTextsFor } from '../../texts.ts'
import { clientGrantsPath } from './paths.ts'

export interface ClientGrantsPage {
  area: AdminArea
  client: ShownClient
  found: ResponseOf<typeof ListClientGrantsRoute>['data']
  mayEnd: boolean
  maySeeUsers: boolean
  form: string
  now: number
  timeZone: string | null
  done?: string | undefined
  rejection?: ApiRejection | undefined
}

export function clientGrantsPage(data: ClientGrantsPage, page: PageContext): string {
  const { area, client, found, mayEnd, maySeeUsers, form, now, timeZone } = data
  const { grants: texts } = oauthTextsFor(page.lang)
  const path = clientGrantsPath(client.client_id)
  return renderAdminLayout(
    area,
    {
      template: new URL('./grants.eta', import.meta.url),
      title: fill(texts.title, { name: client.name }),
      lead: texts.lead,
      parent: { path: clientPath(client.client_id), label: client.name },
      done: doneText(texts.done, data.done),
      problem: oauthProblems(page.lang, data.rejection).top,
      data: {
        ...{ texts, path, form, mayEnd },
        rows: found.grants.map(({ user, scopes, offline, device, ...times }) => ({
          ...{ email: user.email, scopes: scopes.join(' ') },
          path: maySeeUsers ? `/admin/people/${user.id}` : undefined,
          facts: [
            fill(texts.created, { time: onDay(page.lang, times.created_at, timeZone) }),
            fill(texts.used, { time: ago(page.lang, times.last_used_at, now) }),
            ...(offline ? [texts.lasting] : []),
            ...(device === '' ? [] : [device]),
          ],
        })),
        empty: { icon: 'people', title: texts.none, text: texts.noneText },
        pager: pagerOf(page.lang, found.pagination, {}, { path }),
      },
    },
    page,
  )
}

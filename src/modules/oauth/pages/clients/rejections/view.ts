import { atTime } from '../../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import type { ResponseOf } from '../../../../../ui/shared/api-route.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../../ui/texts/index.ts'
import type { ListClientRejectionsRoute } from '../../../rejections/schemas.ts'
import { clientPath, type ShownClient } from '../../paths.ts'
import { oauthTextsFor } from '../../texts.ts'

type ShownClientRejection = ResponseOf<typeof ListClientRejectionsRoute>['data']['rejections'][number]

export interface ClientRejectionsPage {
  area: AdminArea
  client: ShownClient
  /** The newest first. */
  rejections: readonly ShownClientRejection[]
  timeZone: string | null
}

interface ClientRejectionGroup extends ShownClientRejection {
  /** `time` is that of the last one. */
  count: number
}

export function clientRejectionsPage(data: ClientRejectionsPage, page: PageContext): string {
  const { area, client, rejections } = data
  const { rejections: texts } = oauthTextsFor(page.lang)
  return renderAdminLayout(
    area,
    {
      template: new URL('./rejections.eta', import.meta.url),
      title: fill(texts.title, { name: client.name }),
      lead: texts.lead,
      parent: { path: clientPath(client.client_id), label: client.name },
      data: {
        rows: grouped(rejections).map((group) => rowOf(group, data, page)),
        empty: { icon: 'check', title: texts.none, text: texts.noneText },
      },
    },
    page,
  )
}

/** A wrong setting causes the same rejection at every request. */
function grouped(rejections: readonly ShownClientRejection[]): ClientRejectionGroup[] {
  const groups = new Map<string, ClientRejectionGroup>()
  for (const rejection of rejections) {
    const { reason, endpoint, scopes, resource } = rejection
    const key = JSON.stringify([reason, endpoint, scopes, resource])
    const group = groups.get(key)
    if (group) group.count += 1
    else groups.set(key, { ...rejection, count: 1 })
  }
  return [...groups.values()]
}

function rowOf(rejection: ClientRejectionGroup, { timeZone }: ClientRejectionsPage, { lang }: PageContext) {
  const { rejections: texts } = oauthTextsFor(lang)
  const { reason, endpoint, scopes, resource, time, count } = rejection
  const access = [...scopes, ...(resource === null ? [] : [resource])].join(', ')
  return {
    ...{ endpoint, ...texts.reasons[reason] },
    time: fill(fillPlural(lang, texts.repeated, count), { time: atTime(lang, time, timeZone) }),
    asked: access === '' ? undefined : fill(texts.asked, { access }),
  }
}

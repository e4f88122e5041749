import { atTime } from '../../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import type { ResponseOf } from '../../../../../ui/shared/api-route.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../../ui/texts/index.ts'
import type { ListRefusalsRoute } from '../../../refusals/schemas.ts'
import { clientPath, type ShownClient } from '../../paths.ts'
import { oauthTextsFor } from '../../texts.ts'

type ShownRefusal = ResponseOf<typeof ListRefusalsRoute>['data']['refusals'][number]

export interface ClientRefusalsPage {
  area: AdminArea
  client: ShownClient
  /** The newest first. */
  refusals: readonly ShownRefusal[]
  timeZone: string | null
}

interface RefusalGroup extends ShownRefusal {
  /** `time` is that of the last one. */
  count: number
}

export function clientRefusalsPage(data: ClientRefusalsPage, page: PageContext): string {
  const { area, client, refusals } = data
  const { refusals: texts } = oauthTextsFor(page.lang)
  return renderAdminLayout(
    area,
    {
      template: new URL('./refusals.eta', import.meta.url),
      title: fill(texts.title, { name: client.name }),
      lead: texts.lead,
      parent: { path: clientPath(client.client_id), label: client.name },
      data: {
        rows: grouped(refusals).map((group) => rowOf(group, data, page)),
        empty: { icon: 'check', title: texts.none, text: texts.noneText },
      },
    },
    page,
  )
}

/** A wrong setting causes the same rejection at every request. */
function grouped(refusals: readonly ShownRefusal[]): RefusalGroup[] {
  const groups = new Map<string, RefusalGroup>()
  for (const refusal of refusals) {
    const { reason, endpoint, scopes, resource } = refusal
    const key = JSON.stringify([reason, endpoint, scopes, resource])
    const group = groups.get(key)
    if (group) group.count += 1
    else groups.set(key, { ...refusal, count: 1 })
  }
  return [...groups.values()]
}

function rowOf(refusal: RefusalGroup, { timeZone }: ClientRefusalsPage, { lang }: PageContext) {
  const { refusals: texts } = oauthTextsFor(lang)
  const { reason, endpoint, scopes, resource, time, count } = refusal
  const access = [...scopes, ...(resource === null ? [] : [resource])].join(', ')
  return {
    ...{ endpoint, ...texts.reasons[reason] },
    time: fill(fillPlural(lang, texts.repeated, count), { time: atTime(lang, time, timeZone) }),
    asked: access === '' ? undefined : fill(texts.asked, { access }),
  }
}

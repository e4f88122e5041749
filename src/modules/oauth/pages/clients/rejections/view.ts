import { sameResource } from '../../../../../lib/same-resource.ts'
import { atTime } from '../../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import type { ResponseOf } from '../../../../../ui/shared/api-route.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fill, fillPlural, type PageLanguage } from '../../../../../ui/texts/index.ts'
import { accountPath, accountsPath } from '../../../../api-keys/pages/accounts/paths.ts'
import type { ListClientRejectionsRoute } from '../../../rejections/schemas.ts'
import { clientPath, resourcePath, type ShownClient, type ShownResource } from '../../paths.ts'
import { oauthTextsFor } from '../../texts.ts'
import { clientSecretsPath } from '../secrets/paths.ts'

type ShownClientRejection = ResponseOf<typeof ListClientRejectionsRoute>['data']['rejections'][number]

export interface ClientRejectionsPage {
  area: AdminArea
  client: ShownClient
  resources: readonly ShownResource[]
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

function rowOf(rejection: ClientRejectionGroup, data: ClientRejectionsPage, { lang }: PageContext) {
  const { rejections: texts } = oauthTextsFor(lang)
  const { reason, endpoint, scopes, resource, time, count } = rejection
  const access = [...scopes, ...(resource === null ? [] : [resource])].join(', ')
  return {
    ...{ endpoint, ...texts.reasons[reason] },
    time: fill(fillPlural(lang, texts.repeated, count), { time: atTime(lang, time, data.timeZone) }),
    asked: access === '' ? undefined : fill(texts.asked, { access }),
    links: linksOf(rejection, data, lang),
  }
}

/** To the pages where the cause can be changed. */
function linksOf({ reason, resource }: ClientRejectionGroup, data: ClientRejectionsPage, lang: PageLanguage) {
  const { area, client, resources } = data
  const { rejections: texts, secrets } = oauthTextsFor(lang)
  if (reason === 'secret') return [{ path: clientSecretsPath(client.client_id), label: secrets.link }]
  const settingsOf = (path: string, name: string) => ({ path, label: fill(texts.settingsOf, { name }) })
  const api = resource === null ? undefined : resources.find((one) => isNamed(one, resource))
  const { service_account: account } = client
  const isOfAccount = accountReasons.has(reason) && area.entries.some(({ path }) => path === accountsPath)
  return [
    settingsOf(clientPath(client.client_id), client.name),
    ...(api ? [settingsOf(resourcePath(api.id), api.name)] : []),
    ...(account && isOfAccount ? [settingsOf(accountPath(account.id), account.name)] : []),
  ]
}

/** Those that a service account can cause. */
const accountReasons = new Set<string>(['not_live', 'account_ended', 'invalid_client', 'invalid_scope'])

const isNamed = ({ identifier, aliases }: ShownResource, resource: string): boolean =>
  [identifier, ...aliases].some((one) => sameResource(one) === sameResource(resource))

import { ago } from '../../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import { type Pagination, pagerOf } from '../../../../../ui/console/pager.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fill, type PageLanguage } from '../../../../../ui/texts/index.ts'
import { clientStates } from '../../../clients/queries.ts'
import { clientListPath, clientPath, newClientPath, type ShownClient } from '../../paths.ts'
import { doneText } from '../../problems.ts'
import { oauthTextsFor } from '../../texts.ts'

type Listed = Omit<ShownClient, 'secrets'>

export interface ClientsPage {
  area: AdminArea
  found: { clients: readonly Listed[]; pagination: Pagination }
  search: { q?: string | undefined; state?: string | undefined }
  mayAdd: boolean
  now: number
  done?: string | undefined
}

export function clientsPage({ area, found, search, mayAdd, now, done }: ClientsPage, page: PageContext): string {
  const texts = oauthTextsFor(page.lang)
  const { clients: own } = texts
  const isSearch = Boolean(search.q || search.state)
  const hasSearch = isSearch || found.pagination.total > 0
  const add = { path: newClientPath, label: own.add }
  return renderAdminLayout(
    area,
    {
      template: new URL('./clients.eta', import.meta.url),
      styles: ['applications.css'],
      scripts: hasSearch ? ['search-while-typing.js'] : [],
      title: own.title,
      lead: own.lead,
      action: mayAdd ? { ...add, icon: 'add' } : undefined,
      done: doneText({ deleted: own.done.deleted }, done),
      data: {
        ...{ texts, hasSearch, path: clientListPath, q: search.q ?? '', state: search.state ?? '' },
        states: [
          { value: '', label: texts.anyState },
          ...clientStates.map((value) => ({ value, label: texts.states[value] })),
        ],
        rows: found.clients.map((client) => ({
          ...{ id: client.client_id, name: client.name, path: clientPath(client.client_id) },
          ...stateChip(page.lang, client),
          facts: [texts.types[client.type], client.application.key, lastUse(page.lang, client, now)],
        })),
        empty: isSearch
          ? { icon: 'search', ...own.noMatch, action: { path: clientListPath, label: own.showAll } }
          : { icon: 'code', title: own.none, text: own.noneText, action: mayAdd ? add : undefined },
        pager: pagerOf(page.lang, found.pagination, search, { path: clientListPath }),
      },
    },
    page,
  )
}

/** The state of a client or of an API. */
export function stateChip(lang: string, { enabled }: { enabled: boolean }) {
  const { states } = oauthTextsFor(lang)
  return enabled ? { state: states.enabled, chip: 'good' } : { state: states.disabled, chip: 'warn' }
}

function lastUse(lang: PageLanguage, { last_used_at }: { last_used_at: string | null }, now: number): string {
  const { used, neverUsed } = oauthTextsFor(lang)
  return last_used_at === null ? neverUsed : fill(used, { time: ago(lang, last_used_at, now) })
}

import type { Config } from '../../../../config/load.ts'
import { ago } from '../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { type Pagination, pagerOf } from '../../../../ui/console/pager.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, fillPlural, type PageLanguage } from '../../../../ui/texts/index.ts'
import { adoptPath, applicationPath, applicationsPath, newApplicationPath, type ShownApplication } from '../paths.ts'
import { applicationProblems } from '../problems.ts'
import { applicationState } from '../state.ts'

export interface ApplicationsPage {
  area: AdminArea
  found: { applications: readonly ShownApplication[]; pagination: Pagination }
  search: { q?: string | undefined; state?: string | undefined }
  config: Pick<Config, 'FRONTEND_URL' | 'ALLOWED_REDIRECTS' | 'CORS_ORIGINS' | 'PUBLIC_URL'>
  now: number
  adoptForm: string
  /** An address that could not be adopted. */
  rejected?: { address: string; rejection: ApiRejection } | undefined
}

/** An application can have many long addresses, and a page shows many applications. */
const maxShown = 3
const maxLength = 80
/** The settings have no limit. */
const maxDeclared = 50

export const listStates = ['enabled', 'disabled', 'deleted'] as const

export function applicationsPage(data: ApplicationsPage, page: PageContext): string {
  const { area, found, search, config, now, rejected } = data
  const { lang } = page
  const { applications: texts } = adminTextsFor(lang)
  const isSearch = Boolean(search.q || search.state)
  const { applications, pagination } = found
  const hasSearch = isSearch || pagination.total > 0
  return renderAdminLayout(
    area,
    {
      template: new URL('./applications.eta', import.meta.url),
      styles: ['applications.css'],
      scripts: hasSearch ? ['search-while-typing.js'] : [],
      title: texts.title,
      lead: texts.lead,
      action: { path: newApplicationPath, label: texts.add, icon: 'add' },
      problem: rejected && problemOf(rejected, lang),
      data: {
        texts,
        path: applicationsPath,
        q: search.q ?? '',
        state: search.state ?? '',
        hasSearch,
        states: [
          { value: '', label: texts.anyState },
          ...listStates.map((value) => ({ value, label: texts.states[value] })),
        ],
        rows: applications.map((application) => ({
          name: application.name,
          path: applicationPath(application.id),
          ...applicationState(lang, application),
          about: `${application.key} · ${texts.kinds[application.kind]}`,
          use: useOf(application, page, now),
          ...addressesOf(application, page),
        })),
        empty: isSearch
          ? { icon: 'search', ...texts.noMatch, action: { path: applicationsPath, label: texts.showAll } }
          : { icon: 'application', ...texts.nothing, action: undefined },
        pager: pagerOf(lang, pagination, search, { path: applicationsPath }),
        declared: declaredOf(config, page),
        adopt: { path: adoptPath, form: data.adoptForm },
      },
    },
    page,
  )
}

function problemOf({ address, rejection }: NonNullable<ApplicationsPage['rejected']>, lang: PageLanguage): string {
  const { top = '', fields } = applicationProblems(lang, rejection)
  return `${shortened(address)}: ${Object.values(fields)[0] ?? top}`
}

function useOf({ live_sessions, last_sign_in_at }: ShownApplication, { lang }: PageContext, now: number): string {
  const { applications: texts } = adminTextsFor(lang)
  const last = last_sign_in_at ? fill(texts.lastSignIn, { ago: ago(lang, last_sign_in_at, now) }) : texts.noSignIn
  return `${fillPlural(lang, texts.liveSessions, live_sessions)} · ${last}`
}

function addressesOf({ return_addresses, origins }: ShownApplication, { lang }: PageContext) {
  const { applications: texts } = adminTextsFor(lang)
  const all = [...new Set([...return_addresses, ...origins])]
  const more = all.length - maxShown
  return {
    addresses: all.length === 0 ? texts.noAddresses : all.slice(0, maxShown).map(shortened).join(', '),
    more: more > 0 ? fillPlural(lang, texts.moreAddresses, more) : undefined,
  }
}

const shortened = (address: string): string =>
  address.length > maxLength ? `${address.slice(0, maxLength)}…` : address

/** The addresses that the settings declare. The default of FRONTEND_URL is the address of this service. */
function declaredOf(config: ApplicationsPage['config'], { lang }: PageContext) {
  const { applications: texts } = adminTextsFor(lang)
  const { FRONTEND_URL, ALLOWED_REDIRECTS, CORS_ORIGINS, PUBLIC_URL } = config
  const lists = {
    FRONTEND_URL: FRONTEND_URL === PUBLIC_URL ? [] : [FRONTEND_URL],
    ALLOWED_REDIRECTS,
    CORS_ORIGINS,
  }
  return (['FRONTEND_URL', 'ALLOWED_REDIRECTS', 'CORS_ORIGINS'] as const).flatMap((setting) => {
    const all = lists[setting]
    const more = all.length - maxDeclared
    const rest = more > 0 ? [fillPlural(lang, texts.moreAddresses, more)] : []
    const shown = all.slice(0, maxDeclared).map((value) => {
      const address = setting === 'FRONTEND_URL' ? new URL(value).origin : value
      return { text: shortened(value), address, label: fill(texts.adoptLabel, { address: shortened(address) }) }
    })
    const values = [...shown, ...rest.map((text) => ({ text, address: undefined, label: undefined }))]
    return all.length === 0 ? [] : [{ setting, label: texts.settings[setting], values }]
  })
}

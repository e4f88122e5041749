import { type AccountArea, accountText, renderAccountLayout } from '../../../../ui/account/layout.ts'
import { ago, onDay } from '../../../../ui/account/when.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, type PageLanguage } from '../../../../ui/texts/index.ts'
import type { ScopeTerms } from '../../../api-keys/pages/scope-words.ts'
import { scopesForUsers } from '../../consent/scope-rows.ts'
import type { ListOwnGrantsRoute } from '../../grants/own-schemas.ts'
import { oauthTextsFor } from '../texts.ts'
import { removeAccessPath } from './schemas.ts'

type Listed = ResponseOf<typeof ListOwnGrantsRoute>['data']['applications'][number]

export interface AccessPage {
  area: AccountArea
  applications: readonly Listed[]
  terms: ScopeTerms
  form: string
  now: number
  timeZone: string | null
  done?: string | undefined
  rejection?: ApiRejection | undefined
}

export function accessPage({ area, applications, form, ...data }: AccessPage, page: PageContext): string {
  const { access: texts } = oauthTextsFor(page.lang)
  return renderAccountLayout(
    area,
    {
      template: new URL('./access.eta', import.meta.url),
      title: texts.title,
      done: accountText(texts.done, data.done),
      data: {
        ...{ texts, form, action: removeAccessPath },
        problem: problemText(page.lang, data.rejection, { GRANT_NOT_FOUND: texts.gone }),
        rows: applications.map((one) => rowOf(one, page.lang, data)),
      },
    },
    page,
  )
}

function rowOf(
  { client_id, name, scopes, targets, grants, first_used_at, last_used_at }: Listed,
  lang: PageLanguage,
  { terms, now, timeZone }: Pick<AccessPage, 'terms' | 'now' | 'timeZone'>,
) {
  const { access: texts } = oauthTextsFor(lang)
  const facts =
    first_used_at === null || last_used_at === null
      ? [texts.unused]
      : [
          fill(texts.first, { time: onDay(lang, first_used_at, timeZone) }),
          fill(texts.used, { time: ago(lang, last_used_at, now) }),
          ...(grants.some(({ offline }) => offline) ? [texts.lasting] : []),
          ...new Set(grants.map(({ device }) => device).filter(Boolean)),
        ]
  return {
    ...{ id: client_id, name, facts, removeLabel: fill(texts.removeOf, { name }) },
    host: targets.length > 0 ? fill(texts.leadsTo, { targets: targets.join(', ') }) : undefined,
    scopes: scopesForUsers(lang, scopes, terms)
      .map(({ text }) => text)
      .join(' · '),
  }
}

import { hour } from '../../../../../lib/time.ts'
import { atTime } from '../../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import type { ApiRejection } from '../../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../../ui/texts/index.ts'
import { signingAlgs } from '../../../rows.ts'
import { compromisedKeysPath, rotateKeysPath, type ShownSigningKey } from '../../paths.ts'
import { doneText, oauthProblems } from '../../problems.ts'
import { oauthTextsFor } from '../../texts.ts'

export interface SigningKeysPage {
  area: AdminArea
  keys: readonly ShownSigningKey[]
  form: string
  /** In milliseconds: OAUTH_KEY_PUBLISH_AHEAD. */
  publishAhead: number
  timeZone: string | null
  rejection?: ApiRejection | undefined
  done?: string | undefined
}

const statuses = ['next', 'current', 'retired', 'removed'] as const
const chips = { next: '', current: 'good', retired: 'warn', removed: 'bad' }

export function signingKeysPage(data: SigningKeysPage, page: PageContext): string {
  const { area, keys, form, publishAhead, rejection, done } = data
  const { keys: texts } = oauthTextsFor(page.lang)
  const hours = fillPlural(page.lang, texts.hours, Math.ceil(publishAhead / hour))
  const { top, fields } = oauthProblems(page.lang, rejection, ['alg'])
  return renderAdminLayout(
    area,
    {
      template: new URL('./keys.eta', import.meta.url),
      title: texts.title,
      lead: texts.lead,
      done: doneText(texts.done, done),
      problem: fields.alg ?? top,
      data: {
        ...{ texts, form, paths: { rotate: rotateKeysPath, compromised: compromisedKeysPath } },
        groups: signingAlgs
          .map((alg) => ({ alg, rows: ofAlg(keys, alg).map((key) => rowOf(key, data, page)) }))
          .filter(({ rows }) => rows.length > 0),
        empty: { icon: 'lock', title: texts.none, text: texts.noneText },
        rotateText: fill(texts.rotateText, { hours }),
        algs: algChoices(page.lang, keys),
      },
    },
    page,
  )
}

/** In the order of their lives: the next key first, and the latest of those that no longer sign before the others. */
const ofAlg = (keys: readonly ShownSigningKey[], alg: string): ShownSigningKey[] =>
  statuses.flatMap((status) =>
    keys
      .filter((key) => key.alg === alg && key.status === status)
      .toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at)),
  )

/** The algorithms that have keys, and all of them. */
export function algChoices(lang: string, keys: readonly ShownSigningKey[]) {
  const { allAlgs } = oauthTextsFor(lang).keys
  const present = signingAlgs.filter((alg) => keys.some((key) => key.alg === alg && key.status !== 'removed'))
  return [{ value: '', label: allAlgs }, ...present.map((alg) => ({ value: alg, label: alg }))]
}

function rowOf(key: ShownSigningKey, { timeZone }: SigningKeysPage, { lang }: PageContext) {
  const { keys: texts } = oauthTextsFor(lang)
  const { kid, status, published, created_at, active_from, retired_at, published_until } = key
  const fact = (name: string, time: string | null) => (time === null ? [] : [`${name} ${atTime(lang, time, timeZone)}`])
  return {
    ...{ kid, status: texts.statuses[status], meaning: texts.meanings[status], chip: chips[status] },
    facts: [
      published ? texts.published : texts.unpublished,
      ...fact(texts.created, created_at),
      ...fact(texts.signsFrom, retired_at === null ? active_from : null),
      ...fact(texts.retiredAt, retired_at),
      ...fact(texts.publishedUntil, published ? published_until : null),
    ],
  }
}

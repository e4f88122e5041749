import type { BridgeSecretsRoute, SecurityFiguresRoute } from '../../../admin/security-schemas.ts'
import { ago, atTime } from '../../../ui/account/when.ts'
import { adminTextsFor } from '../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../ui/shared/api-route.ts'
import { fill, type PageLanguage } from '../../../ui/texts/index.ts'

export type ShownSecret = ResponseOf<typeof BridgeSecretsRoute>['data']['secrets'][number]

export type SecurityFigures = ResponseOf<typeof SecurityFiguresRoute>['data']

/** A table in which the first cell of each row is the row's heading. */
export interface FigureTable {
  title: string
  text: string
  /** The text shown if there are no rows. */
  empty: string
  head: string[]
  rows: { name: string; isCode: boolean; cells: { text: string; title?: string | undefined }[] }[]
}

interface Seen {
  now: number
  timeZone: string | null
}

/** Returns the tables of bridge secrets, live sessions and rejected requests. */
export function figureTables(
  lang: PageLanguage,
  secrets: readonly ShownSecret[],
  { measured_at: measuredAt, sessions, refusals }: SecurityFigures,
  seen: Seen,
): FigureTable[] {
  const { security: texts } = adminTextsFor(lang)
  const number = (count: number) => ({ text: new Intl.NumberFormat(lang).format(count) })
  const time = (at: string | null) =>
    at === null ? { text: texts.never } : { text: ago(lang, at, seen.now), title: atTime(lang, at, seen.timeZone) }
  const isMeasured = measuredAt !== null
  return [
    {
      title: texts.secrets.title,
      text: texts.secrets.text,
      empty: texts.secrets.none,
      head: [texts.secrets.name, texts.lastUse, texts.lastDay, texts.lastMonth],
      rows: secrets.map(({ name, last_used_at, requests_last_day, requests_last_month }) => ({
        name: name === 'default' ? 'BRIDGE_SECRET' : name,
        isCode: true,
        cells: [time(last_used_at), number(requests_last_day), number(requests_last_month)],
      })),
    },
    {
      title: texts.sessions.title,
      text: isMeasured ? fill(texts.sessions.text, { time: atTime(lang, measuredAt, seen.timeZone) }) : '',
      empty: texts.sessions.none,
      head: [texts.sessions.age, texts.sessions.computer, texts.sessions.mobile, texts.sessions.other],
      rows: (isMeasured ? sessions : []).map(({ age, computer, mobile, other }) => ({
        name: texts.sessions.ages[age],
        isCode: false,
        cells: [number(computer), number(mobile), number(other)],
      })),
    },
    {
      title: texts.limits.title,
      text: texts.limits.text,
      empty: texts.limits.none,
      head: [texts.limits.name, texts.limits.last, texts.lastDay, texts.lastMonth],
      rows: refusals.map((one) => ({
        name: one.class,
        isCode: true,
        cells: [time(one.last_refused_at), number(one.requests_last_day), number(one.requests_last_month)],
      })),
    },
  ]
}

import type { AuditSealsRoute } from '../../../../audit/schemas.ts'
import { ago, atTime } from '../../../../ui/account/when.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { PageLanguage } from '../../../../ui/texts/index.ts'
import { fill, fillPlural } from '../../../../ui/texts/index.ts'

export type ShownSeals = ResponseOf<typeof AuditSealsRoute>['data']

const chips = { verified: 'good', broken: 'bad', incomplete: 'warn', none: '' } as const

const maxBroken = 10

export function sealsView(
  seals: ShownSeals,
  lang: PageLanguage,
  { now, timeZone }: { now: number; timeZone: string | null },
) {
  const { seals: texts } = adminTextsFor(lang).audit
  const number = (count: number) => new Intl.NumberFormat(lang).format(count)
  const { newest, oldest_unsealed_at: unsealed, broken } = seals
  const sentences = [
    newest &&
      fill(fillPlural(lang, texts.newest, newest.events), {
        number: number(newest.number),
        ago: ago(lang, newest.sealed_at, now),
      }),
    unsealed && fill(texts.unsealed, { time: atTime(lang, unsealed, timeZone) }),
    seals.unsealed_over_an_hour > 0 && fillPlural(lang, texts.late, seals.unsealed_over_an_hour),
    seals.without_key > 0 && fillPlural(lang, texts.withoutKey, seals.without_key),
    seals.checked_seals > 0 &&
      fill(fillPlural(lang, texts.checked, seals.checked_seals), { events: number(seals.checked_with_events) }),
  ].filter((sentence) => typeof sentence === 'string')
  return {
    title: texts.title,
    chip: { kind: chips[seals.state], label: texts.states[seals.state] },
    sentences,
    broken: broken.slice(0, maxBroken).map(({ seal, what }) => fill(texts.broken[what], { number: number(seal) })),
  }
}

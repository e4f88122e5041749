import type { PageContext } from '../../../shared/render.ts'
import { wordsFor } from '../../../shared/words-for.ts'
import { fill, textsFor } from '../../../texts/index.ts'
import { type Area, renderArea, wordsOf } from '../../shared/area.ts'
import { onDay } from '../../shared/when.ts'
import { paths } from '../paths.ts'

export const regions = ['global', 'eu', 'ca', 'eu_ca'] as const

/** What the person has decided, as the API shows it. */
export interface Choices {
  privacy_region: (typeof regions)[number]
  gdpr_consent: boolean
  gdpr_consent_at: string | null
  gdpr_consent_version: string | null
  ccpa_opt_out: boolean
  ccpa_opt_out_at: string | null
}

export interface PrivacyPage {
  area: Area
  /** Absent without the module that keeps them. */
  choices?: Choices | undefined
  /** Of what can be agreed to now; nothing to agree to without it. */
  version: string | undefined
  /** When the account goes. */
  deletionAt?: string | undefined
  timeZone: string | null
  forms: PrivacyForms
  done?: string | undefined
  problem?: string | undefined
}

/** Signed values. */
export interface PrivacyForms {
  region: string
  consent: string
  sale: string
  download: string
  mail: string
  cancel: string
}

/** What people decide about their data, and how they get or delete it. */
export function privacyPage(data: PrivacyPage, page: PageContext): string {
  const { account, privacy: texts } = textsFor(page.lang)
  const { choices, deletionAt } = data
  const day = (instant: string | null) => onDay(page.lang, instant ?? '', data.timeZone)
  return renderArea(
    data.area,
    {
      template: new URL('./privacy.eta', import.meta.url),
      title: texts.title,
      done: wordsOf({ ...account.done, ...texts.done }, data.done),
      data: {
        texts,
        paths,
        forms: data.forms,
        problem: wordsFor(page.lang, data.problem, texts.refusals),
        choices: choices && {
          regions: regions.map((value) => ({
            value,
            label: texts.region.names[value],
            isChosen: value === choices.privacy_region,
          })),
          consent: consentOf(data, choices, texts, day),
          sale: {
            isOut: choices.ccpa_opt_out,
            state: choices.ccpa_opt_out ? fill(texts.sale.out, { date: day(choices.ccpa_opt_out_at) }) : texts.sale.in,
          },
        },
        pending: deletionAt && fill(texts.deletion.pending, { date: day(deletionAt) }),
      },
    },
    page,
  )
}

type Texts = ReturnType<typeof textsFor>['privacy']

/** Undefined when there is nothing that could be agreed to, and never was. */
function consentOf({ version }: PrivacyPage, choices: Choices, texts: Texts, day: (instant: string | null) => string) {
  const { gdpr_consent: isGiven, gdpr_consent_at: at, gdpr_consent_version: given } = choices
  if (!isGiven && version === undefined && at === null) return undefined
  const isNewer = isGiven && version !== undefined && version !== given
  const state = isGiven
    ? fill(texts.consent.given, { version: given ?? '', date: day(at) })
    : at
      ? fill(texts.consent.withdrawn, { date: day(at) })
      : texts.consent.none
  return {
    isGiven,
    state: isNewer ? `${state} ${fill(texts.consent.newer, { version })}` : state,
    give: version !== undefined && (!isGiven || isNewer) && fill(texts.consent.give, { version }),
    version,
  }
}

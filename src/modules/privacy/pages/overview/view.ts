import { deletePath, personalDataDownloadPath } from '../../../../screens/account/personal-data/schemas.ts'
import type { FormOutcome } from '../../../../ui/account/account-visit.ts'
import { type AccountArea, accountText, renderAccountLayout } from '../../../../ui/account/layout.ts'
import { onDay } from '../../../../ui/account/when.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { textsFor as coreTexts, fill } from '../../../../ui/texts/index.ts'
import type { PrivacyStatusRoute } from '../../schemas.ts'
import { privacyPaths } from '../schemas.ts'
import { type PrivacyTexts, privacyTextsFor } from '../texts.ts'

export const regionChoices = ['global', 'eu', 'ca', 'eu_ca'] as const

export type PrivacyChoices = ResponseOf<typeof PrivacyStatusRoute>['data']

export interface PrivacyPage extends FormOutcome {
  area: AccountArea
  /** Undefined if the API returned no choices. */
  choices?: PrivacyChoices | undefined
  version: string | undefined
  deletionAt?: string | undefined
  timeZone: string | null
  forms: PrivacyForms
}

export interface PrivacyForms {
  region: string
  consent: string
  sale: string
  download: string
  mail: string
  cancel: string
}

export function privacyPage(data: PrivacyPage, page: PageContext): string {
  const { account, personalData: core } = coreTexts(page.lang)
  const texts = privacyTextsFor(page.lang)
  const { choices, deletionAt } = data
  const day = (instant: string | null) => onDay(page.lang, instant ?? '', data.timeZone)
  return renderAccountLayout(
    data.area,
    {
      template: new URL('./privacy.eta', import.meta.url),
      title: core.title,
      done: accountText({ ...account.done, ...texts.done }, data.done),
      data: {
        texts,
        paths: privacyPaths,
        forms: data.forms,
        problem: problemText(page.lang, data.problem, { ...core.rejections, ...texts.rejections }),
        choices: choices && {
          region: choices.privacy_region,
          regions: regionChoices.map((value) => ({ value, label: texts.region.names[value] })),
          consent: consentOf(data, choices, texts, day),
          sale: {
            isOut: choices.ccpa_opt_out,
            state: choices.ccpa_opt_out ? fill(texts.sale.out, { date: day(choices.ccpa_opt_out_at) }) : texts.sale.in,
          },
        },
        copy: {
          texts: core.data,
          path: personalDataDownloadPath,
          form: data.forms.download,
          mail: choices && {
            path: privacyPaths.mail,
            form: data.forms.mail,
            label: texts.data.mail,
            hint: texts.data.mailText,
          },
        },
        deletion: { texts: core.deletion, path: deletePath },
        pending: deletionAt && fill(texts.deletion.pending, { date: day(deletionAt) }),
      },
    },
    page,
  )
}

function consentOf(
  { version }: PrivacyPage,
  choices: PrivacyChoices,
  texts: PrivacyTexts,
  day: (instant: string | null) => string,
) {
  const { gdpr_consent: isGiven, gdpr_consent_at: at, gdpr_consent_version: givenVersion } = choices
  if (!isGiven && version === undefined && at === null) return undefined
  const isNewer = isGiven && version !== undefined && version !== givenVersion
  const state = isGiven
    ? fill(texts.consent.given, { version: givenVersion ?? '', date: day(at) })
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

import { countryCodes } from '../../../lib/locale.ts'
import { type AccountArea, accountText, renderAccountLayout } from '../../../pages/account/shared/layout.ts'
import { problemText } from '../../../pages/shared/problem-text.ts'
import type { PageContext } from '../../../pages/shared/render.ts'
import { textsFor as coreTexts, moduleTexts } from '../../../pages/texts/index.ts'
import en from './texts/en.json' with { type: 'json' }
import es from './texts/es.json' with { type: 'json' }

export interface OnboardingAnswers {
  name: string
  last_name: string
  is_business: boolean
  biz_name: string
  biz_country: string
  biz_state: string
  biz_postal_code: string
  biz_position: string
}

export interface OnboardingPage {
  area: AccountArea
  answers: OnboardingAnswers
  /** The steps in the order of ONBOARDING_STEPS. */
  steps: { name: string; outcome: 'done' | 'skipped' | undefined }[]
  step: string | null
  /** Whether to ask how the user found the service. The answer is write-only, so the question is asked only once. */
  asksSource: boolean
  forms: { complete: string; step: string }
  done?: string | undefined
  problem?: string | undefined
}

export function onboardingPage({ area, answers, steps, step, ...data }: OnboardingPage, page: PageContext): string {
  const { account } = coreTexts(page.lang)
  const texts = onboardingTextsFor(page.lang)
  return renderAccountLayout(
    area,
    {
      template: new URL('./onboarding.eta', import.meta.url),
      title: texts.title,
      done: accountText({ ...account.done, ...texts.done }, data.done),
      data: {
        texts,
        answers,
        forms: data.forms,
        problem: problemText(page.lang, data.problem, texts.refusals),
        steps: steps.map(({ name, outcome }) => ({ label: labelOf(name), outcome, isNext: name === step })),
        next: step && { name: step, label: labelOf(step) },
        countries: countriesIn(page.lang),
        sizes: ['1', '2-10', '11-50', '51-200', '201-500', '501-1000', '1001+'].map((value) => ({
          value,
          label: value === '1' ? texts.alone : value,
        })),
        asksSource: data.asksSource,
      },
    },
    page,
  )
}

/** Operators choose the step names, so they have no translations. */
const labelOf = (step: string): string => {
  const words = step.replaceAll(/[_-]+/g, ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

const inOrder = new Map<string, { code: string; name: string }[]>()

/** The list is cached because sorting the names takes longer than rendering the page. */
function countriesIn(lang: string) {
  const known = inOrder.get(lang)
  if (known) return known
  const names = new Intl.DisplayNames(lang, { type: 'region' })
  const countries = countryCodes()
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => one.name.localeCompare(other.name, lang))
  inOrder.set(lang, countries)
  return countries
}

export const onboardingTextsFor = moduleTexts({ en, es })

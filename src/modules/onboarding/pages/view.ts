import { countryCodes } from '../../../lib/locale.ts'
import { type AccountArea, accountText, renderAccountLayout } from '../../../ui/account/layout.ts'
import type { Field } from '../../../ui/fields/field.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { formProblems } from '../../../ui/shared/form-problems.ts'
import type { PageContext } from '../../../ui/shared/render.ts'
import { textsFor as coreTexts, fill, fillPlural, moduleTexts } from '../../../ui/texts/index.ts'
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
  /** Whether to ask how the user found the service. The page asks only once because no API returns the answer. */
  hasLastName: boolean
  asksSource: boolean
  forms: { complete: string; step: string }
  done?: string | undefined
  rejection?: ApiRejection | undefined
}

export function onboardingPage({ area, answers, steps, step, ...data }: OnboardingPage, page: PageContext): string {
  const { account } = coreTexts(page.lang)
  const texts = onboardingTextsFor(page.lang)
  const problems = formProblems(page.lang, data.rejection, {
    fields: [...fieldNames],
    rejections: { ...texts.problems, ...texts.rejections },
  })
  const finished = steps.filter(({ outcome }) => outcome).length
  const values = new Map<string, unknown>(Object.entries(answers))
  const field = (name: (typeof fieldNames)[number], more: Partial<Field> = {}): Field => ({
    name,
    label: texts.fields[name],
    value: String(values.get(name) ?? ''),
    problem: problems.fields[name],
    hint: new Map<string, string>(Object.entries(texts.hints)).get(name),
    hidesHint: true,
    ...more,
  })
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
        problem: problems.top,
        steps: steps.map(({ name, outcome }) => ({ label: labelOf(name, texts), outcome, isNext: name === step })),
        finished: fill(fillPlural(page.lang, texts.stepsFinished, finished), { total: steps.length }),
        areStepsOver: finished === steps.length,
        next: step && { name: step, label: labelOf(step, texts) },
        person: [
          field('name', { autocomplete: 'given-name', maxlength: 100 }),
          ...(data.hasLastName ? [field('last_name', { autocomplete: 'family-name', maxlength: 100 })] : []),
        ],
        business: [
          field('biz_name', { autocomplete: 'organization', maxlength: 200 }),
          field('biz_country', { kind: 'select', choices: countryChoices(page.lang, texts) }),
          field('biz_state', { autocomplete: 'address-level1', maxlength: 100 }),
          field('biz_postal_code', { autocomplete: 'postal-code', maxlength: 20 }),
          field('biz_position', { autocomplete: 'organization-title', maxlength: 100 }),
          field('team_size_range', { kind: 'select', choices: sizeChoices(texts) }),
        ],
        source: data.asksSource && field('acquisition_source', { autocomplete: 'off', maxlength: 64 }),
      },
    },
    page,
  )
}

const fieldNames = [
  'name',
  'last_name',
  'biz_name',
  'biz_country',
  'biz_state',
  'biz_postal_code',
  'biz_position',
  'team_size_range',
  'acquisition_source',
] as const

type Texts = ReturnType<typeof onboardingTextsFor>

const unanswered = (texts: Texts) => ({ value: '', label: texts.noAnswer })

const countryChoices = (lang: string, texts: Texts) => [
  unanswered(texts),
  ...countriesIn(lang).map(({ code, name }) => ({ value: code, label: name })),
]

const sizeChoices = (texts: Texts) => [
  unanswered(texts),
  ...['1', '2-10', '11-50', '51-200', '201-500', '501-1000', '1001+'].map((value) => ({
    value,
    label: value === '1' ? texts.alone : value,
  })),
]

/** Operators choose the step names, so only common names have a translation. */
const labelOf = (step: string, { stepNames }: Texts): string => {
  const known = new Map(Object.entries(stepNames)).get(step)
  if (known) return known
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

import type { TestApplicationRoute } from '../../../../applications/sign-in-test/schemas.ts'
import type { TestOutcome, TestReason } from '../../../../applications/sign-in-test/test-steps.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { headOf } from '../page-head.ts'
import { applicationPath, type ShownApplication, secretsPath, testPath } from '../paths.ts'
import { applicationProblems } from '../problems.ts'
import { stepText } from './step-text.ts'

type Result = ResponseOf<typeof TestApplicationRoute>['data']

export interface ApplicationTestPage {
  area: AdminArea
  application: ShownApplication
  form: string
  typed?: string
  result?: Result
  rejection?: ApiRejection
}

export function applicationTestPage(data: ApplicationTestPage, page: PageContext): string {
  const { area, application, form, typed = '', result, rejection } = data
  const { applications: texts } = adminTextsFor(page.lang)
  const { signInTest: own } = texts
  const { top, fields } = applicationProblems(page.lang, rejection)
  return renderAdminLayout(
    area,
    {
      template: new URL('./sign-in-test.eta', import.meta.url),
      ...headOf(application, own),
      problem: rejection?.code === 'RATE_LIMITED' ? own.busy : top,
      data: {
        texts: own,
        optional: texts.optional,
        path: testPath(application.id),
        form,
        typed,
        problem: fields.page,
        result: result && shownResult(result, application.id, page),
      },
    },
    page,
  )
}

type Texts = ReturnType<typeof adminTextsFor>['applications']

const chips: Record<TestOutcome, string> = { passed: 'good', failed: 'bad', skipped: '' }

const ofAddresses: readonly TestReason[] = ['not_declared', 'other_host', 'origin_not_declared', 'application_disabled']
const ofSecrets: readonly TestReason[] = [
  'secret',
  'secret_ended',
  'secret_network',
  'secret_right',
  'other_application',
]

/** The page of the console where the reason can be removed. */
function linkFor(texts: Texts, reason: TestReason | null, id: string) {
  if (!reason) return undefined
  if (ofSecrets.includes(reason)) return { path: secretsPath(id), label: texts.ownSecret.list }
  if (!ofAddresses.includes(reason)) return undefined
  return { path: applicationPath(id), label: texts.signInTest.toApplication }
}

function shownResult({ outcome, steps }: Result, id: string, { lang, publicUrl }: PageContext) {
  const { applications: all } = adminTextsFor(lang)
  const { signInTest: texts } = all
  return {
    sentence: texts.results[outcome],
    steps: steps.map((step) => ({
      name: texts.steps[step.step],
      outcome: texts.outcomes[step.outcome],
      chip: chips[step.outcome],
      text: stepText(lang, step, publicUrl),
      link: linkFor(all, step.reason, id),
      page: [step.page, step.status].filter((part) => part !== null).join(' · '),
    })),
  }
}

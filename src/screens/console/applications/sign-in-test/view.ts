import type { TestApplicationRoute } from '../../../../applications/sign-in-test/schemas.ts'
import type { TestOutcome, TestReason } from '../../../../applications/sign-in-test/test-steps.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { applicationPath, type ShownApplication, secretsPath, testPath } from '../paths.ts'
import { applicationProblems } from '../problems.ts'

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
      title: fill(own.title, { name: application.name }),
      lead: own.lead,
      parent: { path: applicationPath(application.id), label: application.name },
      problem: rejection?.code === 'RATE_LIMITED' ? own.busy : top,
      data: {
        texts: own,
        optional: texts.optional,
        path: testPath(application.id),
        form,
        typed,
        problem: fields.page,
        result: result && shownResult(texts, result, { id: application.id, publicUrl: page.publicUrl }),
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

function shownResult(all: Texts, { outcome, steps }: Result, { id, publicUrl }: { id: string; publicUrl: string }) {
  const { signInTest: texts } = all
  return {
    sentence: texts.results[outcome],
    steps: steps.map(({ step, outcome: own, reason, page, status, detail }) => ({
      name: texts.steps[step],
      outcome: texts.outcomes[own],
      chip: chips[own],
      text:
        reason &&
        fill(texts.reasons[reason], {
          service: new URL(publicUrl).origin,
          status: String(status ?? ''),
          detail: detail ?? '',
        }),
      link: linkFor(all, reason, id),
      page: [page, status].filter((part) => part !== null).join(' · '),
    })),
  }
}

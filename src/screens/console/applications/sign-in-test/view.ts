import type { TestApplicationRoute } from '../../../../applications/sign-in-test/schemas.ts'
import type { TestOutcome } from '../../../../applications/sign-in-test/test-steps.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { applicationPath, type ShownApplication, testPath } from '../paths.ts'
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
        result: result && shownResult(own, result, page.publicUrl),
      },
    },
    page,
  )
}

type Texts = ReturnType<typeof adminTextsFor>['applications']['signInTest']

const chips: Record<TestOutcome, string> = { passed: 'good', failed: 'bad', skipped: '' }

function shownResult(texts: Texts, { outcome, steps }: Result, publicUrl: string) {
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
      page: [page, status].filter((part) => part !== null).join(' · '),
    })),
  }
}

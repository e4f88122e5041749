import type { TestReason } from '../../../../applications/sign-in-test/test-steps.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import { fill, type PageLanguage } from '../../../../ui/texts/index.ts'
import { translateDetail } from './translate-detail.ts'

interface ReasonedStep {
  reason: TestReason | null
  status: number | null
  detail: string | null
}

/** What to do about a step that failed or was not tested, for the console and the command line. */
export function stepText(lang: PageLanguage, { reason, status, detail }: ReasonedStep, publicUrl: string) {
  const { reasons } = adminTextsFor(lang).applications.signInTest
  return (
    reason &&
    fill(reasons[reason], {
      service: new URL(publicUrl).origin,
      status: String(status ?? ''),
      detail: detail === null ? '' : translateDetail(lang, detail),
    })
  )
}

import { onboardingPage } from '../../../src/modules/onboarding/pages/view.ts'
import type { PageSamples } from '../../screens/account-pages.ts'

export const pageSamples: PageSamples = (text, area, page) => {
  const answers = {
    name: text,
    last_name: text,
    is_business: true,
    biz_name: text,
    biz_country: text,
    biz_state: text,
    biz_postal_code: text,
    biz_position: text,
  }
  return {
    onboarding: onboardingPage(
      {
        area,
        answers,
        steps: [
          { name: 'welcome', outcome: 'done' },
          { name: text, outcome: undefined },
        ],
        step: text,
        asksSource: true,
        hasLastName: true,
        forms: { complete: text, step: text },
        rejection: { code: 'VALIDATION_ERROR', details: [{ field: 'biz_name', message: '' }] },
      },
      page,
    ),
  }
}

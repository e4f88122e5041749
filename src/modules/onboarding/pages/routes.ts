import { isFieldUsed } from '../../../config/profile-fields.ts'
import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { AppError } from '../../../lib/errors.ts'
import { MeRoute } from '../../../sessions/route-schemas.ts'
import { type AccountVisit, accountPages } from '../../../ui/account/account-visit.ts'
import { call } from '../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { CompleteRoute, CompleteStepRoute, SkipStepRoute, StateRoute } from '../schemas.ts'
import * as schemas from './schemas.ts'
import { type OnboardingAnswers, onboardingPage } from './view.ts'

export const onboardingPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, onboardingPath)
    const read = { ...readByAnyone, module: 'onboarding' }
    const form = { ...postedByAnyone, module: 'onboarding' }
    pages.get(onboardingPath, { schema: schemas.OnboardingRoute, config: read }, (member, { query }) =>
      showOnboarding(ctx, member, { done: query.done }),
    )

    pages.post(onboardingPath, { schema: schemas.CompletePageRoute, config: form }, async (member, request) => {
      const { form_token: formToken, ...input } = request.body
      const complete = call(CompleteRoute, { body: completionOf(input) })
      const response = await member.submit(onboardingPath, formToken, complete)
      if (response.ok) return member.go(`${onboardingPath}?done=saved`)
      const answers = answersIn(input)
      return showOnboarding(ctx, member, { answers, rejection: response.rejection }, response.status)
    })

    pages.post(stepPath, { schema: schemas.StepRoute, config: form }, async (member, request) => {
      const { step, outcome, form_token: formToken } = request.body
      const route = outcome === 'skip' ? SkipStepRoute : CompleteStepRoute
      const response = await member.submit(stepPath, formToken, call(route, { params: { step }, body: {} }))
      if (response.ok) return member.go(`${onboardingPath}?done=step`)
      return showOnboarding(ctx, member, { rejection: response.rejection }, response.status)
    })
  }

type OnboardingFields = Partial<Record<keyof OnboardingAnswers | 'team_size_range' | 'acquisition_source', string>>

const answersIn = (input: OnboardingFields): OnboardingAnswers => ({
  name: input.name ?? '',
  last_name: input.last_name ?? '',
  is_business: input.is_business === 'on',
  biz_name: input.biz_name ?? '',
  biz_country: input.biz_country ?? '',
  biz_state: input.biz_state ?? '',
  biz_postal_code: input.biz_postal_code ?? '',
  biz_position: input.biz_position ?? '',
})

/** Business fields are ignored unless the user represents a business. */
function completionOf({
  name,
  last_name,
  is_business,
  team_size_range,
  acquisition_source,
  ...business
}: OnboardingFields) {
  const rest = {
    ...(team_size_range && { team_size_range }),
    ...(acquisition_source?.trim() && { acquisition_source }),
  }
  const person = { name, last_name, ...rest }
  return is_business === 'on' ? { ...person, is_business: true, ...business } : { ...person, is_business: false }
}

interface OnboardingView {
  done?: string | undefined
  rejection?: ApiRejection
  answers?: OnboardingAnswers
}

async function showOnboarding(
  ctx: Context,
  member: AccountVisit,
  { answers, done, rejection }: OnboardingView,
  status?: number,
) {
  const { area, sign, show } = member
  const [state, me] = await Promise.all([member.api(call(StateRoute)), member.api(call(MeRoute))])
  if (!state.ok || !me.ok) throw new AppError('RATE_LIMITED')
  const user: Partial<OnboardingAnswers> = me.body.user
  const { steps, step, completed } = state.body.data
  const stored = {
    name: user.name ?? '',
    last_name: user.last_name ?? '',
    is_business: user.is_business ?? false,
    biz_name: user.biz_name ?? '',
    biz_country: user.biz_country ?? '',
    biz_state: user.biz_state ?? '',
    biz_postal_code: user.biz_postal_code ?? '',
    biz_position: user.biz_position ?? '',
  }
  const data = {
    area,
    answers: answers ?? stored,
    steps: ctx.config.ONBOARDING_STEPS.map((name) => ({ name, outcome: steps[name] })),
    step: completed ? null : step,
    hasLastName: isFieldUsed(ctx.config, 'last_name'),
    asksSource: !completed,
    forms: { complete: sign(onboardingPath), step: sign(stepPath) },
    done,
    rejection,
  }
  return show((page) => onboardingPage(data, page), status)
}

export const onboardingPath = '/account/onboarding'
export const stepPath = `${onboardingPath}/step`

import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { signedIn } from '../../http/access/access.ts'
import { deviceOf } from '../../http/access/device.ts'
import { envelope } from '../../http/responses/envelope.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { loginUserWithModules } from '../../users/shapes.ts'
import { completeOnboarding } from './complete.ts'
import { findOnboarding, type OnboardingRow } from './queries.ts'
import type { CompletionInput } from './read-completion.ts'
import {
  CompleteOwnRoute,
  CompleteRoute,
  CompleteStepRoute,
  SkipStepRoute,
  StartOnboardingRoute,
  StateRoute,
} from './schemas.ts'
import { shownState } from './state.ts'
import { saveStep, startOnboarding } from './wizard.ts'

const base = '/api/v1/onboarding'
const read = { access: signedIn, limit: 'read', whileImpersonating: 'allowed', module: 'onboarding' } as const
const write = { access: signedIn, limit: 'write', module: 'onboarding' } as const

export const onboardingRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const stateResponse = (request: FastifyRequest, row: OnboardingRow | undefined) =>
      envelope(request, shownState(ctx.config, request.auth.user.id, row), {})
    const completed = async (request: FastifyRequest, input: CompletionInput) => {
      const { user, row } = await completeOnboarding(ctx, request.auth, input, deviceOf(request))
      const data = { ...shownState(ctx.config, user.id, row), user: loginUserWithModules(ctx, user) }
      return envelope(request, data, {})
    }

    http.get(base, { schema: StateRoute, config: read }, async (request) =>
      stateResponse(request, await findOnboarding(ctx.db, request.auth.user.id)),
    )
    http.post(`${base}/start`, { schema: StartOnboardingRoute, config: write }, async (request) =>
      stateResponse(request, await startOnboarding(ctx, request.auth, request.body)),
    )
    http.post(`${base}/steps/:step/complete`, { schema: CompleteStepRoute, config: write }, async (request) =>
      stateResponse(request, await saveStep(ctx, request.auth, request.params.step, request.body)),
    )
    http.post(`${base}/steps/:step/skip`, { schema: SkipStepRoute, config: write }, async (request) =>
      stateResponse(request, await saveStep(ctx, request.auth, request.params.step, 'skipped')),
    )
    http.post(`${base}/complete`, { schema: CompleteRoute, config: write }, (request) =>
      completed(request, request.body),
    )
    http.post('/auth/user/me/onboarding', { schema: CompleteOwnRoute, config: write }, async (request) => ({
      success: true as const,
      ...(await completed(request, request.body)),
    }))
  }

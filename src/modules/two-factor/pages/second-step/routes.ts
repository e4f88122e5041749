import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { destinationOf } from '../../../../screens/sign-in/login-steps.ts'
import { finishSecondStep } from '../../../../screens/sign-in/passkey-upgrade.ts'
import { CurrentRoute } from '../../../../sessions/route-schemas.ts'
import { typedCode } from '../../../../ui/fields/code-fields.ts'
import { recoverPasskeyPath, secondStepPath } from '../../../../ui/paths.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone, visitorPages } from '../../../../ui/shared/declare-pages.ts'
import type { PageVisit } from '../../../../ui/shared/visit.ts'
import { VerifyFactorRoute } from '../../schemas.ts'
import { sendCode } from '../send-code.ts'
import * as schemas from './schemas.ts'
import { hasKnownKind, type OfferedMethod, recoveryChoice, type SecondStepPage, secondStepPage } from './view.ts'

const sendPath = `${secondStepPath}/send`

export const secondStepRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = visitorPages(ctx, http)
    const read = { ...readByAnyone, module: 'two-factor' }
    const form = { ...postedByAnyone, module: 'two-factor' }
    pages.get(secondStepPath, { schema: schemas.SecondStepRoute, config: read }, (visit, { query }) =>
      showStep(ctx, visit, { methodId: query.method, sendOutcome: sendOutcomes.get(query.sent ?? '') }),
    )

    pages.post(secondStepPath, { schema: schemas.SecondStepFormRoute, config: form }, async (visit, request) => {
      const { method_id: methodId, code, form_token: formToken } = request.body
      const named = methodId === recoveryChoice.id ? { method: recoveryChoice.method } : { method_id: methodId }
      const body = { ...named, code: typedCode(code), action: 'login' }
      const response = await visit.submit(secondStepPath, formToken, call(VerifyFactorRoute, { body }))
      if (response.ok && response.body.passkey_required) return visit.go(recoverPasskeyPath)
      if (response.ok) return finishSecondStep(ctx, visit, response.body.sessionId)
      const { rejection } = response
      const attemptsLeft = rejection.attempts_remaining
      return showStep(ctx, visit, { methodId, problem: rejection, attemptsLeft }, response.status)
    })

    pages.post(sendPath, { schema: schemas.SendCodeFormRoute, config: form }, async (visit, request) => {
      const { method_id: methodId, form_token: formToken } = request.body
      if (!(await visit.isOwn(sendPath, formToken)))
        return showStep(ctx, visit, { methodId, problem: 'PAGE_EXPIRED' }, 400)
      const chosen = (await methodsOf(visit))?.find(({ id }) => id === methodId)
      if (!chosen) return showStep(ctx, visit, {})
      const response = await visit.api(sendCode(chosen, 'login'))
      if (!response.ok) return showStep(ctx, visit, { methodId, problem: response.rejection }, response.status)
      const query = new URLSearchParams({ method: methodId, sent: String(response.body.verification_sent) })
      return visit.go(`${secondStepPath}?${query}`)
    })
  }

const sendOutcomes = new Map<string, SecondStepPage['sendOutcome']>([
  ['true', 'sent'],
  ['false', 'notSent'],
])

type SecondStepView = Pick<SecondStepPage, 'problem' | 'attemptsLeft' | 'sendOutcome'> & {
  methodId?: string | undefined
}

async function showStep(ctx: Context, visit: PageVisit, { methodId, ...more }: SecondStepView, status?: number) {
  const methods = await methodsOf(visit)
  // The partial session has ended, for example after too many wrong codes or after PARTIAL_SESSION_TTL.
  if (!methods) return visit.go('/login?ended=true')
  const [first = recoveryChoice] = methods
  const chosen = [...methods, recoveryChoice].find(({ id }) => id === methodId) ?? first
  const forms = { verify: visit.sign(secondStepPath), send: visit.sign(sendPath), logout: visit.sign('/logout') }
  return visit.show(
    (page) => secondStepPage({ forms, methods, chosen, next: destinationOf(ctx, visit), ...more }, page),
    status,
  )
}

/** Returns undefined if there is no partial session. */
async function methodsOf({ api }: PageVisit): Promise<OfferedMethod[] | undefined> {
  const current = await api(call(CurrentRoute))
  return current.ok ? current.body.available_methods?.filter(hasKnownKind) : undefined
}

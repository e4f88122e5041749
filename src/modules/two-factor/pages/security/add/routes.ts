import type { Context } from '../../../../../context.ts'
import type { DeclareRoutes } from '../../../../../http/server/types.ts'
import { type AccountVisit, accountPages, withAccountVisit } from '../../../../../ui/account/account-visit.ts'
import { showCodes } from '../../../../../ui/account/codes/view.ts'
import { typedCode } from '../../../../../ui/fields/code-fields.ts'
import { securityPath } from '../../../../../ui/paths.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone, visitorPages } from '../../../../../ui/shared/declare-pages.ts'
import { sendOutcomeOf } from '../../../../../ui/shared/second-factor-pages.ts'
import { looksLikeSeed, shownSeed } from '../../../methods/totp.ts'
import { SetUpMethodRoute, VerifyFactorRoute } from '../../../schemas.ts'
import { sendCode } from '../../send-code.ts'
import { securityTextsFor } from '../../texts.ts'
import { findListedMethods, offeredTo } from '../shared/methods.ts'
import { securityPaths } from '../shared/paths.ts'
import * as schemas from '../shared/schemas.ts'
import { type FinishPage, finishPage } from './finish-view.ts'
import { addPage, type SetUpKind } from './view.ts'

export const securityAddRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const read = { ...readByAnyone, module: 'two-factor' }
    const form = { ...postedByAnyone, module: 'two-factor' }

    const visited = visitorPages(ctx, http)
    visited.get(
      securityPaths.add,
      { schema: schemas.AddPageRoute, config: read },
      (visit, { query: { method, done } }) => {
        const kind = kindOf(method)
        return withAccountVisit(ctx, visit, addressFor(kind), async (member) =>
          (await offeredTo(member)).includes(kind) ? showAdd(member, kind, { done }) : member.go(securityPath),
        )
      },
    )

    visited.post(securityPaths.add, { schema: schemas.AddRoute, config: form }, (visit, request) => {
      const { method, identifier, form_token: formToken } = request.body
      const kind = kindOf(method)
      return withAccountVisit(ctx, visit, addressFor(kind), async (member) => {
        const body = { ...(identifier && { identifier: identifier.trim() }) }
        const setUp = call(SetUpMethodRoute, { params: { method: kind }, body })
        const answer = await member.submit(securityPaths.add, formToken, setUp)
        if (!answer.ok)
          return showAdd(member, kind, { value: identifier ?? '', problem: problemOf(answer.rejection) }, answer.status)
        const { method_id: methodId, verification_sent: isSent, ...started } = answer.body
        const sendOutcome = isSent || kind === 'totp' ? undefined : 'notSent'
        return showFinish(member, { kind, methodId, started, sendOutcome })
      })
    })

    const pages = accountPages(ctx, http, securityPath)
    pages.get(securityPaths.finish, { schema: schemas.FinishPageRoute, config: read }, async (member, request) => {
      const waiting = await findWaiting(member, request.query.method_id)
      return waiting ? showFinish(member, { ...waiting, started: {} }) : member.go(securityPath)
    })

    pages.post(securityPaths.finish, { schema: schemas.FinishRoute, config: form }, async (member, request) => {
      const { method_id, code, secret = '', form_token: formToken } = request.body
      const waiting = await findWaiting(member, method_id)
      if (!waiting) return member.go(securityPath)
      const again = (problem: string, status: number, attemptsLeft?: number) => {
        // The API returns the seed only once, so the form sends back the seed shown on the page.
        const started = looksLikeSeed(secret) ? shownSeed(secret, ctx.config.APP_NAME, member.profile.user.email) : {}
        return showFinish(member, { ...waiting, started, problem, attemptsLeft }, status)
      }
      const body = { method_id, action: 'setup', code: typedCode(code) }
      const answer = await member.submit(securityPaths.finish, formToken, call(VerifyFactorRoute, { body }))
      if (!answer.ok) return again(answer.rejection.code, answer.status, answer.rejection.attempts_remaining)
      const { recovery_codes: codes } = answer.body
      return codes
        ? showCodes(member, { codes, next: securityPath, intro: firstCodes })
        : member.go(`${securityPath}?done=added`)
    })

    pages.post(securityPaths.resend, { schema: schemas.SendRoute, config: form }, async (member, request) => {
      const { method_id, form_token: formToken } = request.body
      const waiting = await findWaiting(member, method_id)
      if (!waiting) return member.go(securityPath)
      const again = (more: Pick<FinishPage, 'sendOutcome' | 'problem'>, status?: number) =>
        showFinish(member, { ...waiting, started: {}, ...more }, status)
      const anotherCode = sendCode({ id: method_id, method: waiting.kind }, 'setup')
      const answer = await member.submit(securityPaths.resend, formToken, anotherCode)
      if (!answer.ok) return again({ problem: answer.rejection.code }, answer.status)
      return again({ sendOutcome: sendOutcomeOf(answer.body) })
    })
  }

const kinds: readonly string[] = ['totp', 'email', 'sms'] satisfies SetUpKind[]
const isSetUpKind = (word: string): word is SetUpKind => kinds.includes(word)

const kindOf = (word: string): SetUpKind => (isSetUpKind(word) ? word : 'totp')

const firstCodes = (lang: string): string => securityTextsFor(lang).security.firstCodes

const addressFor = (kind: SetUpKind): string => `${securityPaths.add}?method=${kind}`

interface AddView {
  value?: string
  problem?: string
  done?: string | undefined
}

function showAdd(member: AccountVisit, kind: SetUpKind, input: AddView, status?: number) {
  const { area, profile, sign, show } = member
  const own = { email: profile.user.email, sms: profile.phone, totp: '' }[kind]
  const data = { area, kind, form: sign(securityPaths.add), value: own, ...input }
  return show((page) => addPage(data, page), status)
}

type FinishState = Pick<FinishPage, 'kind' | 'methodId' | 'started' | 'sendOutcome' | 'problem' | 'attemptsLeft'>

function showFinish({ area, sign, show }: AccountVisit, data: FinishState, status?: number) {
  const forms = { finish: sign(securityPaths.finish), resend: sign(securityPaths.resend), add: sign(securityPaths.add) }
  return show((page) => finishPage({ area, forms, ...data }, page), status)
}

async function findWaiting(
  member: AccountVisit,
  id: string,
): Promise<{ kind: SetUpKind; methodId: string } | undefined> {
  const found = (await findListedMethods(member)).find(
    (method) => method.id === id && method.status === 'pending_setup',
  )
  return found && { kind: kindOf(found.method), methodId: found.id }
}

/** VALIDATION_ERROR means that the user has too many methods or that the email address is invalid. */
function problemOf({ code, details = [] }: ApiRejection): string {
  if (details.some(({ field }) => field === 'method')) return 'TOO_MANY'
  return details.some(({ field }) => field === 'identifier') ? 'ADDRESS' : code
}

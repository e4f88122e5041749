import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { ReauthenticateRoute } from '../../../passwords/schemas.ts'
import { type AccountVisit, accountPages, confirmPath } from '../../../ui/account/account-visit.ts'
import { ownAddress } from '../../../ui/account/own-address.ts'
import { typedCode } from '../../../ui/fields/code-fields.ts'
import { noticeFor, noticePage } from '../../../ui/messages/notice/view.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { type PageProof, type SecondFactorPages, sendOutcomeOf } from '../../../ui/shared/second-factor-pages.ts'
import { ReauthenticateFormRoute, ReauthenticatePageRoute, ReauthenticateSendFormRoute } from '../schemas.ts'
import { passkeyProof, passkeyProofs } from './passkey-proof.ts'
import { password, type ReauthenticatePage, reauthenticatePage } from './view.ts'

const sendPath = `${confirmPath}/send`

export const confirmRoutes =
  (secondFactor: SecondFactorPages | undefined) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, confirmPath)
    const proofsFor = (member: AccountVisit) => proofsOf(ctx, secondFactor, member)
    const ask = async (member: AccountVisit, view: ConfirmView, status?: number) => {
      // The page asks only for a passkey if the visitor cannot go on with anything else.
      const only = view.way === passkeyProof.id ? await passkeyProofs(ctx, member.api) : []
      return showConfirm(member, only.length > 0 ? only : await proofsFor(member), view, status)
    }

    pages.get(
      confirmPath,
      { schema: ReauthenticatePageRoute, config: readByAnyone },
      (member, { query: { next, way, outcome } }) => {
        if (outcome === 'confirmed')
          return member.show((page) => noticePage(noticeFor('confirmed_in_tab', page.lang), page))
        return ask(member, { next, way })
      },
    )

    pages.post(confirmPath, { schema: ReauthenticateFormRoute, config: postedByAnyone }, async (member, request) => {
      const { next, way, proof, form_token: formToken } = request.body
      const body = way === password.id ? { password: proof } : { method_id: way, code: typedCode(proof) }
      const response = await member.submit(confirmPath, formToken, call(ReauthenticateRoute, { body }))
      if (!response.ok) return ask(member, { next, way, problem: response.rejection.code }, response.status)
      return member.flow ? member.go('/login') : member.go(withDone(ownAddress(next)))
    })

    if (!secondFactor) return
    const send = { ...postedByAnyone, module: secondFactor.module }
    pages.post(sendPath, { schema: ReauthenticateSendFormRoute, config: send }, async (member, request) => {
      const { next, way, form_token: formToken } = request.body
      if (!(await member.isOwn(sendPath, formToken))) return ask(member, { next, way, problem: 'PAGE_EXPIRED' }, 400)
      const chosen = (await proofsFor(member)).find(({ id }) => id === way)
      if (!chosen?.send) return ask(member, { next })
      const response = await member.api(chosen.send)
      if (!response.ok) return ask(member, { next, way, problem: response.rejection.code }, response.status)
      return ask(member, { next, way, sendOutcome: sendOutcomeOf(response.body) })
    })
  }

interface ConfirmView extends Pick<ReauthenticatePage, 'problem' | 'sendOutcome'> {
  next: string | undefined
  way?: string | undefined
}

function showConfirm(member: AccountVisit, proofs: PageProof[], { next, way, ...more }: ConfirmView, status?: number) {
  const chosen = proofs.find(({ id }) => id === way) ?? proofs[0]
  const { email } = member.profile.user
  const forms = {
    confirm: member.sign(confirmPath),
    send: member.sign(sendPath),
    logout: member.sign('/logout'),
  }
  const data = { email, forms, proofs, chosen, next: ownAddress(next), ...more }
  return member.show((page) => reauthenticatePage(data, page), status)
}

/** Returns an empty list for users who can sign in only by email or with a provider. */
async function proofsOf(
  ctx: Context,
  secondFactor: SecondFactorPages | undefined,
  { api, profile }: AccountVisit,
): Promise<PageProof[]> {
  const { modules } = ctx
  const own = profile.has_password ? [password] : []
  if (!secondFactor || modules.rejectionOf({ id: secondFactor.module, component: 'core' }))
    return [...own, ...(await passkeyProofs(ctx, api))]
  const { proofs, comeFirst } = await secondFactor.proofsOf(api)
  return comeFirst ? [...proofs, ...own] : [...own, ...proofs]
}

const withDone = (address: string): string => `${address}${address.includes('?') ? '&' : '?'}done=confirmed`

import type { Context } from '../../../context.ts'
import type { Routes } from '../../../http/server/create-server.ts'
import { typedCode } from '../../fields/typed-code.ts'
import { anyonePosts, anyoneReads } from '../../shared/declare-pages.ts'
import { type CodeSent, type Proof, type SecondFactorPages, toldOf } from '../../shared/second-factor-pages.ts'
import { confirmPath, type Member, memberPages } from '../shared/member.ts'
import { ownAddress } from '../shared/own-address.ts'
import { ConfirmFormRoute, ConfirmRoute, ConfirmSendFormRoute } from '../shared/schemas.ts'
import { type ConfirmPage, confirmPage, password } from './view.ts'

const sendPath = `${confirmPath}/send`

export const confirmRoutes =
  (secondFactor: SecondFactorPages | undefined) =>
  (ctx: Context): Routes =>
  (http) => {
    const pages = memberPages(ctx, http, confirmPath)
    const proofsFor = (member: Member) => proofsOf(ctx, secondFactor, member)
    const ask = async (member: Member, view: ConfirmView, status?: number) =>
      showConfirm(member, await proofsFor(member), view, status)

    pages.get(confirmPath, { schema: ConfirmRoute, config: anyoneReads }, (member, { query: { next, way } }) =>
      ask(member, { next, way }),
    )

    pages.post(confirmPath, { schema: ConfirmFormRoute, config: anyonePosts }, async (member, request) => {
      const { next, way, proof, form_token: formToken } = request.body
      const body = way === password.id ? { password: proof } : { method_id: way, code: typedCode(proof) }
      const answer = await member.submit(confirmPath, formToken, { method: 'POST', path: '/auth/reauthenticate', body })
      if (!answer.ok) return ask(member, { next, way, problem: answer.refusal.code }, answer.status)
      return member.flow ? member.go('/login') : member.go(withDone(ownAddress(next)))
    })

    if (!secondFactor) return
    const send = { ...anyonePosts, module: secondFactor.module }
    pages.post(sendPath, { schema: ConfirmSendFormRoute, config: send }, async (member, request) => {
      const { next, way, form_token: formToken } = request.body
      if (!(await member.isOwn(sendPath, formToken))) return ask(member, { next, way, problem: 'PAGE_EXPIRED' }, 400)
      const chosen = (await proofsFor(member)).find(({ id }) => id === way)
      if (!chosen?.send) return ask(member, { next })
      const answer = await member.api<CodeSent>(chosen.send)
      if (!answer.ok) return ask(member, { next, way, problem: answer.refusal.code }, answer.status)
      return ask(member, { next, way, told: toldOf(answer.body) })
    })
  }

interface ConfirmView extends Pick<ConfirmPage, 'problem' | 'told'> {
  next: string | undefined
  way?: string | undefined
}

function showConfirm(member: Member, proofs: Proof[], { next, way, ...more }: ConfirmView, status?: number) {
  const chosen = proofs.find(({ id }) => id === way) ?? proofs[0]
  const { email } = member.profile.user
  const forms = {
    confirm: member.sign(confirmPath),
    send: member.sign(sendPath),
    logout: member.sign('/logout'),
  }
  const data = { email, forms, proofs, chosen, next: ownAddress(next), ...more }
  return member.show((page) => confirmPage(data, page), status)
}

/** Empty for users who always sign in by mail or through a provider. */
async function proofsOf(
  { modules }: Context,
  secondFactor: SecondFactorPages | undefined,
  { api, profile }: Member,
): Promise<Proof[]> {
  const own = profile.has_password ? [password] : []
  if (!secondFactor || modules.refusalOf({ id: secondFactor.module, component: 'core' })) return own
  const { proofs, comeFirst } = await secondFactor.proofsOf(api)
  return comeFirst ? [...proofs, ...own] : [...own, ...proofs]
}

const withDone = (address: string): string => `${address}${address.includes('?') ? '&' : '?'}done=confirmed`

import type { Context } from '../../../context.ts'
import type { Routes } from '../../../http/server/create-server.ts'
import { typedCode } from '../../fields/typed-code.ts'
import { anyonePosts, anyoneReads } from '../../shared/declare-pages.ts'
import { type CodeSent, sendCode, toldOf } from '../../sign-in/by-mail/send-code.ts'
import { withModule } from '../shared/entries.ts'
import { confirmPath, type Member, memberPages } from '../shared/member.ts'
import { ownAddress } from '../shared/own-address.ts'
import { ConfirmFormRoute, ConfirmRoute, ConfirmSendFormRoute } from '../shared/schemas.ts'
import { type ConfirmPage, confirmPage, type Proof, password } from './view.ts'

const sendPath = `${confirmPath}/send`

/** Where people prove once more who they are, and go back to what they were doing. */
export const confirmRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const pages = memberPages(ctx, http, confirmPath)
    pages.get(confirmPath, { schema: ConfirmRoute, config: anyoneReads }, (member, { query: { next, way } }) =>
      ask(ctx, member, { next, way }),
    )

    pages.post(confirmPath, { schema: ConfirmFormRoute, config: anyonePosts }, async (member, request) => {
      const { next, way, proof, page } = request.body
      const body = way === password.id ? { password: proof } : { method_id: way, code: typedCode(proof) }
      const answer = await member.submit(confirmPath, page, { method: 'POST', path: '/auth/reauthenticate', body })
      if (!answer.ok) return ask(ctx, member, { next, way, problem: answer.refusal.code }, answer.status)
      return member.flow ? member.go('/login') : member.go(withDone(ownAddress(next)))
    })

    const send = { ...anyonePosts, module: 'two-factor' }
    pages.post(sendPath, { schema: ConfirmSendFormRoute, config: send }, async (member, request) => {
      const { next, way, page } = request.body
      if (!(await member.isOwn(sendPath, page))) return ask(ctx, member, { next, way, problem: 'PAGE_EXPIRED' }, 400)
      const chosen = (await proofsOf(ctx, member)).find(({ id }) => id === way)
      if (!chosen || chosen === password) return ask(ctx, member, { next })
      const answer = await member.api<CodeSent>(sendCode(chosen, 'reauth'))
      if (!answer.ok) return ask(ctx, member, { next, way, problem: answer.refusal.code }, answer.status)
      return ask(ctx, member, { next, way, told: toldOf(answer.body) })
    })
  }

interface ConfirmView extends Pick<ConfirmPage, 'problem' | 'told'> {
  next: string | undefined
  way?: string | undefined
}

async function ask(ctx: Context, member: Member, { next, way, ...more }: ConfirmView, status?: number) {
  const proofs = await proofsOf(ctx, member)
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

/** What this person can prove themselves by: nothing at all, where they always sign in by mail or at a provider. */
async function proofsOf(ctx: Context, { api, profile }: Member): Promise<Proof[]> {
  const own = profile.has_password ? [password] : []
  if (!withModule('two-factor')(ctx)) return own
  const answer = await api<{ methods: (Proof & { status: string })[] }>({
    method: 'GET',
    path: '/auth/two_factor/methods',
  })
  const methods = answer.ok ? answer.body.methods.filter(({ status }) => status === 'active') : []
  return methods.length > 0 && !(await isConfirmed(api)) ? [...methods, ...own] : [...own, ...methods]
}

/** A session that no second factor has confirmed, as in a remembered browser, may need more than the password. */
async function isConfirmed(api: Member['api']): Promise<boolean> {
  const answer = await api<{ session: { two_factor_verified: 0 | 1 } }>({ method: 'GET', path: '/auth/validation' })
  return answer.ok && answer.body.session.two_factor_verified === 1
}

const withDone = (address: string): string => `${address}${address.includes('?') ? '&' : '?'}done=confirmed`

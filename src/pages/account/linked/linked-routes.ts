import type { Context } from '../../../context.ts'
import { anyone } from '../../../http/access.ts'
import type { Routes } from '../../../http/create-server.ts'
import type { Provider } from '../../login-page.ts'
import { visitOf } from '../../visit.ts'
import { asMember, type Member } from '../member.ts'
import { goOnPage, type LinkedAccount, linkedPage, titleOf } from './linked-page.ts'
import { addPath, linkedPath, removePath } from './paths.ts'
import * as schemas from './schemas.ts'

/** Accounts of other services that sign the person in. */
export const linkedRoutes =
  (providers: Provider[]) =>
  (ctx: Context): Routes =>
  (http) => {
    if (providers.length === 0) return

    async function showLinked(member: Member, { done, problem }: Told, status?: number) {
      const { area, profile, api, sign, show } = member
      const answer = await api<{ accounts: LinkedAccount[] }>({ method: 'GET', path: '/auth/social/accounts' })
      const accounts = answer.ok ? answer.body.accounts : []
      const forms = { add: sign(addPath), remove: sign(removePath) }
      const data = { area, accounts, providers, timeZone: profile.user.tmz, forms, done, problem }
      return show((page) => linkedPage(data, page), status)
    }

    const read = { access: anyone, limit: 'read', hidden: true } as const
    http.get(linkedPath, { schema: schemas.LinkedRoute, config: read }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), linkedPath, (member) => showLinked(member, request.query)),
    )

    const form = { access: anyone, limit: 'write', hidden: true, form: true } as const
    http.post(addPath, { schema: schemas.LinkRoute, config: form }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), linkedPath, async (member) => {
        const { provider, page } = request.body
        if (!(await member.isOwn(addPath, page))) return showLinked(member, { problem: 'PAGE_EXPIRED' }, 400)
        const path = `/auth/social/${encodeURIComponent(provider)}/link`
        const answer = await member.api<{ url: string }>({ method: 'POST', path, body: {} })
        if (!answer.ok) return showLinked(member, { problem: answer.refusal.code }, answer.status)
        const { url } = answer.body
        reply.header('refresh', `0;url=${url}`)
        return member.show((context) =>
          goOnPage({ area: member.area, title: titleOf(provider, providers), url }, context),
        )
      }),
    )

    http.post(removePath, { schema: schemas.UnlinkRoute, config: form }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), linkedPath, async (member) => {
        const { provider, page } = request.body
        if (!(await member.isOwn(removePath, page))) return showLinked(member, { problem: 'PAGE_EXPIRED' }, 400)
        const path = `/auth/social/accounts/${encodeURIComponent(provider)}`
        const answer = await member.api({ method: 'DELETE', path, body: {} })
        if (!answer.ok) return showLinked(member, { problem: answer.refusal.code }, answer.status)
        return member.go(`${linkedPath}?done=unlinked`)
      }),
    )
  }

interface Told {
  done?: string
  problem?: string
}

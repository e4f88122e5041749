import type { Context } from '../../../context.ts'
import { anyone } from '../../../http/access.ts'
import type { Routes } from '../../../http/create-server.ts'
import { visitOf } from '../../visit.ts'
import { asMember, type Member } from '../member.ts'
import { goOnPage, type LinkedAccount, linkedPage } from './linked-page.ts'
import { offersProviders } from './offers-providers.ts'
import { addPath, linkedPath, removePath } from './paths.ts'
import * as schemas from './schemas.ts'

/** Accounts of other services that sign the person in. */
export const linkedRoutes =
  (ctx: Context): Routes =>
  (http) => {
    if (!offersProviders(ctx)) return
    const read = { access: anyone, limit: 'read', hidden: true } as const
    http.get(linkedPath, { schema: schemas.LinkedRoute, config: read }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), linkedPath, (member) => showLinked(member, request.query)),
    )

    const form = { access: anyone, limit: 'write', hidden: true, form: true } as const
    http.post(addPath, { schema: schemas.LinkRoute, config: form }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), linkedPath, async (member) => {
        const { provider, page } = request.body
        if (!member.isOwn(addPath, page)) return showLinked(member, { problem: 'PAGE_EXPIRED' }, 400)
        const path = `/auth/social/${encodeURIComponent(provider)}/link`
        const answer = await member.api<{ url: string }>({ method: 'POST', path, body: {} })
        if (!answer.ok) return showLinked(member, { problem: answer.refusal.code }, answer.status)
        const { url } = answer.body
        reply.header('refresh', `0;url=${url}`)
        return member.show((context) => goOnPage({ area: member.area, provider, url }, context))
      }),
    )

    http.post(removePath, { schema: schemas.UnlinkRoute, config: form }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), linkedPath, async (member) => {
        const { provider, page } = request.body
        if (!member.isOwn(removePath, page)) return showLinked(member, { problem: 'PAGE_EXPIRED' }, 400)
        const path = `/auth/social/accounts/${encodeURIComponent(provider)}`
        const answer = await member.api({ method: 'DELETE', path, body: {} })
        if (!answer.ok) return showLinked(member, { problem: answer.refusal.code }, answer.status)
        return member.go(`${linkedPath}?done=unlinked`)
      }),
    )
  }

async function showLinked(member: Member, { done, problem }: { done?: string; problem?: string }, status?: number) {
  const { area, profile, api, sign, show } = member
  const [linked, offered] = await Promise.all([
    api<{ accounts: LinkedAccount[] }>({ method: 'GET', path: '/auth/social/accounts' }),
    api<{ providers: { provider: string }[] }>({ method: 'GET', path: '/auth/social/providers' }),
  ])
  const data = {
    area,
    accounts: linked.ok ? linked.body.accounts : [],
    providers: offered.ok ? offered.body.providers.map(({ provider }) => provider) : [],
    timeZone: profile.user.tmz,
    forms: { add: sign(addPath), remove: sign(removePath) },
    done,
    problem,
  }
  return show((page) => linkedPage(data, page), status)
}

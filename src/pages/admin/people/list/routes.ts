import Type from 'typebox'
import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/create-server.ts'
import { offeredProviderNames } from '../../../account/shared/entries.ts'
import { readByAnyone } from '../../../shared/declare-pages.ts'
import { adminPages } from '../../shared/admin-visit.ts'
import type { Pagination } from '../../shared/pager.ts'
import { knownRoles } from '../../shared/roles.ts'
import { done } from '../../shared/schemas.ts'
import { bulkPath } from '../bulk/choices.ts'
import { type ListedUser, peoplePath } from '../shared.ts'
import { apiQuery, orderQuery, type PeopleSearch, searchMembers } from './search-fields.ts'
import { countLimit, peoplePage } from './view.ts'

/** Filters of modules appear in the address under their own names. */
const schemaWith = (names: readonly string[]) => ({
  summary: 'Page of users',
  querystring: Type.Object({
    ...searchMembers,
    ...Object.fromEntries(names.map((name) => [name, Type.Optional(Type.String({ maxLength: 200 }))])),
    done,
    count: Type.Optional(Type.String({ maxLength: 10 })),
  }),
})

export const peopleRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, peoplePath)
    const schema = schemaWith(ctx.modules.declaredFilters().map(({ name }) => name))
    pages.get(peoplePath, { schema, config: readByAnyone }, async (member, { query }) => {
      const { done: outcome, count, ...search } = query as PeopleSearch
      const filters = ctx.modules.userFilters()
      const wanted = apiQuery(search, filters)
      const page = /^[1-9]\d{0,5}$/.test(search.page ?? '') ? (search.page as string) : '1'
      const paging = { ...orderQuery(search.sort), page, limit: '25', count_limit: String(countLimit) }
      for (const [name, value] of Object.entries(paging)) wanted.set(name, value)
      const answer = await member.api<{ data: { users: ListedUser[]; pagination: Pagination } }>({
        method: 'GET',
        path: `/auth/users?${wanted}`,
      })
      if (!answer.ok && answer.refusal.code !== 'VALIDATION_ERROR') await member.read(`/auth/users?${wanted}`)
      const data = {
        area: member.area,
        mayAct: member.mayAct,
        found: answer.ok ? answer.body.data : undefined,
        search,
        filters,
        known: { roles: knownRoles(ctx), providers: offeredProviderNames(ctx) },
        form: member.sign(bulkPath),
        outcome: { done: outcome, count },
      }
      return member.show((page) => peoplePage(data, page))
    })
  }

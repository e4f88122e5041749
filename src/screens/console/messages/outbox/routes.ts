import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { OutboxRoute, RetryManyRoute, RetryRoute } from '../../../../messages/outbox-schemas.ts'
import { TemplatesRoute } from '../../../../messages/template-schemas.ts'
import { type AdminVisit, adminPages } from '../../../../ui/console/admin-visit.ts'
import { call, type ResponseOf } from '../../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { messagesPath } from '../paths.ts'
import { OutboxPageRoute, RetryFormRoute } from './schemas.ts'
import { outboxPage, states } from './view.ts'

const retryPath = `${messagesPath}/retry`

interface Search {
  state?: string
  message?: string
  page?: string
}

export const outboxPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, messagesPath)

    pages.get(messagesPath, { schema: OutboxPageRoute, config: readByAnyone }, (member, { query }) =>
      showOutbox(member, query, { done: query.done, count: query.count }),
    )

    pages.post(
      retryPath,
      { schema: RetryFormRoute, config: postedByAnyone },
      async (member, { body: { id, form_token: formToken } }) => {
        const retry = id
          ? call(RetryRoute, { params: { message_id: id }, body: {} })
          : call(RetryManyRoute, { body: {} })
        const response = await member.submit<ResponseOf<typeof RetryRoute | typeof RetryManyRoute>>(
          retryPath,
          formToken,
          retry,
        )
        if (!response.ok) return showOutbox(member, {}, { problem: response.rejection }, response.status)
        const count = 'data' in response.body && 'retried' in response.body.data ? response.body.data.retried : 1
        return member.go(`${messagesPath}?done=retried&count=${count}`)
      },
    )
  }

async function showOutbox(
  member: AdminVisit,
  { state, message, page }: Search,
  outcome: Parameters<typeof outboxPage>[0]['outcome'],
  status?: number,
) {
  const query = new URLSearchParams({ limit: '25', page: /^[1-9]\d{0,5}$/.test(page ?? '') ? (page ?? '1') : '1' })
  const wanted = states.find((one) => one === state)
  if (wanted) query.set('state', wanted)
  if (message) query.set('message', message)
  const [found, list] = [await member.read(call(OutboxRoute, { query })), await member.read(call(TemplatesRoute))]
  const data = {
    area: member.area,
    found,
    names: list.messages.map(({ name }) => name),
    search: { state: wanted, message },
    form: member.sign(retryPath),
    timeZone: member.profile.user.tmz ?? null,
    outcome,
  }
  return member.show((context) => outboxPage(data, context), status)
}

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { positionEvents } from '../../src/events/assign-positions.ts'
import { seal } from '../../src/lib/seal.ts'
import { eventually } from '../support/eventually.ts'
import { registered, signedInAs, withSession } from '../support/people.ts'
import type { Reply, TestApp } from '../support/test-app.ts'

/** Sends a request to each messages, settings and impersonation route. */
export async function administrationLife(
  app: TestApp,
  check: (method: string, url: string, reply: Reply) => Reply,
): Promise<void> {
  const root = await signedInAs(app, 'superadmin')
  await sql`UPDATE users SET is_verified = true WHERE id = ${root.id}`.execute(app.ctx.db)
  const own = withSession(root.sessionToken)
  const call = async (
    method: string,
    url: string,
    body?: unknown,
    as: { headers: Record<string, string> } = own,
  ): Promise<Reply> => check(method, url, await app.call(method, url, { body, ...as }))

  const settings = '/auth/admin/settings'
  await call('GET', settings)
  const changes = [{ name: 'APP_NAME', value: 'Example' }]
  await call('PUT', settings, { changes })
  await call('PUT', settings, { changes, version: 0 })

  const messages = '/auth/admin/messages'
  const one = `${messages}/password_reset/en`
  const template = { subject: 'A new password', text: 'Set it here:\n{{url}}' }
  await call('GET', messages)
  await call('PUT', one, { version: 0, ...template })
  await call('PUT', one, { version: 0, ...template })
  for (const path of ['', '/versions', '/versions/1']) await call('GET', `${one}${path}`)
  await call('POST', `${one}/preview`, template)
  await call('POST', `${one}/test`, template)
  await call('DELETE', `${one}?version=1`)

  const outbox = '/auth/admin/outbox'
  const [first, second] = [await failedMessage(app), await failedMessage(app)]
  await call('GET', outbox)
  await call('POST', `${outbox}/${first}/retry`)
  await call('POST', `${outbox}/${randomUUID()}/retry`)
  await call('POST', `${outbox}/retry`, { ids: [second] })

  await webhookLife(app, call)
  await applicationLife(call)
  await roleLife(call)

  const alan = await registered(app)
  const user = `/auth/admin/users/${alan.id}`
  await call('POST', `${user}/send`, { message: 'sign_in_link' })
  await call('POST', `${user}/email-change`, { new_email: `new-${alan.email}` })
  const { sessionId } = (await call('POST', `${user}/impersonate`, { reason: 'An empty page' })).json
  await call('POST', '/auth/impersonation/stop', {}, withSession(sessionId))
}

/** Sends a request to each route for roles. */
async function roleLife(call: (method: string, url: string, body?: unknown) => Promise<Reply>) {
  const roles = '/auth/admin/roles'
  const input = { key: 'moderator', name: 'Moderator', permissions: ['users:read'] }
  const one = `${roles}/${(await call('POST', roles, input)).json.data.id}`
  await call('PUT', one, { permissions: ['users:read', 'users:block'] })
  await call('GET', roles)
  await call('DELETE', one)
}

/** Sends a request to each route for webhooks. The host does not exist. */
async function webhookLife(app: TestApp, call: (method: string, url: string, body?: unknown) => Promise<Reply>) {
  const webhooks = '/auth/admin/webhooks'
  const input = { url: 'https://hooks.invalid/in', events: ['user.*'], headers: [{ name: 'x-tenant', value: '1' }] }
  const one = `${webhooks}/${(await call('POST', webhooks, input)).json.data.webhook.id}`
  await registered(app)
  await positionEvents(app.ctx)
  const newest = async () => (await call('GET', `${one}/deliveries`)).json.data.deliveries[0]
  await eventually(async () => (await newest()) !== undefined)
  await call('GET', `${one}/deliveries/${(await newest()).id}`)
  await call('GET', webhooks)
  await call('GET', one)
  await call('PUT', one, { description: 'CRM' })
  await call('POST', `${one}/secret`)
  await call('POST', `${one}/test`)
  await call('POST', `${one}/replay`, { failed: true })
  await call('DELETE', one)
}

/** Sends a request to each route for applications. */
async function applicationLife(
  call: (method: string, url: string, body?: unknown, as?: { headers: Record<string, string> }) => Promise<Reply>,
) {
  const applications = '/auth/admin/applications'
  const { id } = (await call('POST', applications, { key: 'shop', name: 'Shop', kind: 'website' })).json.data
  const one = `${applications}/${id}`
  await call('GET', applications)
  await call('GET', '/auth/admin/application-rejections')
  await call('POST', '/auth/admin/application-adoptions', { address: 'https://shop.example', key: 'adopted' })
  await call('GET', one)
  await call('PUT', one, { note: 'The shop' })
  const secrets = `${one}/secrets`
  const { application_secret } = (await call('POST', secrets, { rights: ['sessions'] })).json.data
  await call('GET', secrets)
  await call('PUT', `${secrets}/${application_secret.id}`, { ip_ranges: ['10.0.0.0/8'] })
  await call('POST', `${secrets}/${application_secret.id}/rotate`, { overlap: 60 })
  await call('DELETE', `${secrets}/${application_secret.id}`)
  const declaring = (await call('POST', secrets, { rights: ['permissions'] })).json.data.secret
  const asBackEnd = { headers: { 'x-bridge-secret': declaring } }
  await call('PUT', '/auth/bridge/permissions/shop', { permissions: [{ key: 'orders:read' }] }, asBackEnd)
  await call('GET', '/auth/admin/permissions')
  await call('PUT', '/auth/admin/permissions/orders:read', { application: 'adopted' })
  await call('POST', `${one}/test`)
  await call('POST', `${one}/disable`)
  await call('POST', `${one}/enable`)
  await call('DELETE', one)
  await call('POST', `${one}/restore`)
}

/** A message after its last failed delivery attempt. */
async function failedMessage(app: TestApp): Promise<string> {
  const id = randomUUID()
  const now = app.ctx.clock.date()
  const variables = { app_name: 'Example', time: now.toISOString(), name: '', url: 'https://example.com', code: '' }
  const payload = seal(app.ctx.dataKeys, JSON.stringify({ to: 'nobody@example.com', lang: 'en', variables }))
  await sql`INSERT INTO outbox (id, channel, message, payload, status, attempts, created_at, done_at)
    VALUES (${id}, 'mail', 'password_reset', ${payload}, 'failed', 5, ${now}, ${now})`.execute(app.ctx.db)
  return id
}

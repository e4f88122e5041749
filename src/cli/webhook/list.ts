import { fitted, inColumns, printable, printableJson } from '../columns.ts'
import { command } from '../command.ts'
import { webhookPlace, withWebhooks } from './with-webhooks.ts'

export const webhookList = command({
  meta: { name: 'wardenry webhook list', description: 'List webhooks and their state' },
  args: { json: { type: 'boolean', description: 'print JSON, as GET /auth/admin/webhooks does' } },
  run: ({ json }) =>
    withWebhooks(async (ctx) => {
      const { listWebhooks } = await import('../../webhooks/show-webhook.ts')
      const webhooks = await listWebhooks(ctx)
      if (json) return void process.stdout.write(printableJson({ webhooks }))
      const rows = webhooks.map(({ id, url, events, enabled, disabled_reason, failing_since, waiting, failed }) => [
        id,
        enabled ? (failing_since ? 'failing' : 'enabled') : `disabled${disabled_reason ? ` (${disabled_reason})` : ''}`,
        String(waiting),
        String(failed),
        fitted(events.join(','), 30),
        printable(url),
      ])
      process.stdout.write(inColumns([['ID', 'STATE', 'WAITING', 'FAILED', 'EVENTS', 'URL'], ...rows]))
    }),
})

export const webhookDeliveries = command({
  meta: { name: 'wardenry webhook deliveries', description: 'List the last deliveries of a webhook, newest first' },
  args: {
    ...webhookPlace,
    status: { type: 'string', description: 'only deliveries that are waiting, delivered or failed' },
    json: { type: 'boolean', description: 'print JSON, as GET /auth/admin/webhooks/{id}/deliveries does' },
  },
  run: ({ webhook, status, json }) =>
    withWebhooks(async (ctx) => {
      const { listDeliveries } = await import('../../webhooks/list-deliveries.ts')
      const known = (['waiting', 'delivered', 'failed'] as const).find((one) => one === status)
      if (status !== undefined && !known) throw new Error('--status must be waiting, delivered or failed')
      const found = await listDeliveries(ctx, webhook, { limit: 20, ...(known && { status: known }) })
      if (json) return void process.stdout.write(printableJson(found))
      const rows = found.deliveries.map(
        ({ id, created_at, type, status: state, attempts, last_status, last_error }) => [
          id,
          created_at,
          type,
          state,
          String(attempts),
          printable(last_error ?? (last_status === null ? '' : String(last_status))),
        ],
      )
      process.stdout.write(inColumns([['ID', 'CREATED', 'EVENT', 'STATUS', 'ATTEMPTS', 'LAST RESULT'], ...rows]))
      process.stdout.write(`${rows.length} of ${found.pagination.total}\n`)
    }),
})

import { command } from '../command.ts'
import { itemsIn } from '../explain-rejection.ts'
import { headerOption, headersFromInput, webhookPlace, withWebhooks } from './with-webhooks.ts'

const principal = async () => ({ principal: (await import('../../admin/principal.ts')).operator })

export const webhookCreate = command({
  meta: { name: 'wardenry webhook create', description: 'Create a webhook and print its signing secret' },
  args: {
    url: { type: 'positional', description: 'https URL of the back end', required: true },
    events: { type: 'string', description: 'types of events, groups such as user.*, or *', required: true },
    description: { type: 'string', description: 'note for administrators' },
    ...headerOption,
  },
  run: async ({ url, events, description, 'headers-stdin': withHeaders }) => {
    const headers = await headersFromInput(withHeaders)
    await withWebhooks(async (ctx) => {
      const { createWebhook } = await import('../../webhooks/change-webhook.ts')
      const input = { url, events: itemsIn(events), ...(description !== undefined && { description }), ...headers }
      const { id, secret } = await createWebhook(ctx, await principal(), input)
      process.stdout.write(`webhook  ${id}\nsecret   ${secret}\n`)
      process.stderr.write('Store the secret in the back end. It cannot be shown again.\n')
    })
  },
})

export const webhookUpdate = command({
  meta: { name: 'wardenry webhook update', description: 'Change, enable or disable a webhook' },
  args: {
    ...webhookPlace,
    url: { type: 'string', description: 'https URL of the back end' },
    events: { type: 'string', description: 'types of events, groups such as user.*, or *' },
    description: { type: 'string', description: 'note for administrators' },
    enable: { type: 'boolean', description: 'resume sending events' },
    disable: { type: 'boolean', description: 'stop sending events' },
    ...headerOption,
  },
  run: async ({ webhook, url, events, description, enable, disable, 'headers-stdin': withHeaders }) => {
    const headers = await headersFromInput(withHeaders)
    await withWebhooks(async (ctx) => {
      if (enable && disable) throw new Error('--enable and --disable exclude each other')
      const { updateWebhookOf } = await import('../../webhooks/change-webhook.ts')
      const input = {
        ...(url !== undefined && { url }),
        ...(events !== undefined && { events: itemsIn(events) }),
        ...(description !== undefined && { description }),
        ...((enable || disable) && { enabled: enable === true }),
        ...headers,
      }
      if (Object.keys(input).length === 0) throw new Error('Nothing to change: see --help')
      await updateWebhookOf(ctx, { ...(await principal()), id: webhook }, input)
      process.stdout.write('The webhook was changed.\n')
    })
  },
})

export const webhookRotateSecret = command({
  meta: {
    name: 'wardenry webhook rotate-secret',
    description: 'Create a new signing secret. Until the next rotation, the former secret is also used.',
  },
  args: webhookPlace,
  run: ({ webhook }) =>
    withWebhooks(async (ctx) => {
      const { rotateSecret } = await import('../../webhooks/change-webhook.ts')
      process.stdout.write(`secret   ${await rotateSecret(ctx, { ...(await principal()), id: webhook })}\n`)
    }),
})

export const webhookTest = command({
  meta: { name: 'wardenry webhook test', description: 'Send a test event, as soon as the service is running' },
  args: webhookPlace,
  run: ({ webhook }) =>
    withWebhooks(async (ctx) => {
      const { testWebhook } = await import('../../webhooks/replay.ts')
      await testWebhook(ctx, { ...(await principal()), id: webhook })
      process.stdout.write('A running service sends the test event within seconds.\n')
    }),
})

export const webhookReplay = command({
  meta: { name: 'wardenry webhook replay', description: 'Deliver events again, as soon as the service is running' },
  args: {
    ...webhookPlace,
    delivery: { type: 'string', description: 'id of one delivery' },
    failed: { type: 'boolean', description: 'all failed deliveries' },
    from: { type: 'string', description: 'all events since this time, such as 2026-11-20T17:00:00Z' },
    to: { type: 'string', description: 'with --from: only events before this time' },
  },
  run: ({ webhook, delivery, failed, from, to }) =>
    withWebhooks(async (ctx) => {
      const { replay } = await import('../../webhooks/replay.ts')
      const input = {
        ...(delivery !== undefined && { delivery_id: delivery }),
        ...(failed && { failed: true }),
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      }
      if (Object.keys(input).length === 0) throw new Error('Pass --delivery, --failed or --from: see --help')
      const { replayed } = await replay(ctx, { ...(await principal()), id: webhook }, input)
      process.stdout.write(`${replayed} ${replayed === 1 ? 'event is' : 'events are'} delivered again.\n`)
    }),
})

export const webhookDelete = command({
  meta: { name: 'wardenry webhook delete', description: 'Delete a webhook, its log and its waiting deliveries' },
  args: webhookPlace,
  run: ({ webhook }) =>
    withWebhooks(async (ctx) => {
      const { deleteWebhook } = await import('../../webhooks/change-webhook.ts')
      await deleteWebhook(ctx, { ...(await principal()), id: webhook })
      process.stdout.write('The webhook was deleted.\n')
    }),
})

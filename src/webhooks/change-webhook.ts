import { asStaff, type StaffRequest } from '../admin/as-staff.ts'
import type { AuditEvent } from '../audit/events.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction } from '../context.ts'
import { waitForLock } from '../db/advisory-locks.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { looksLikeId, newId } from '../lib/ids.ts'
import { seal } from '../lib/seal.ts'
import { newSigningSecret } from '../lib/standard-webhooks.ts'
import { openHeaders, sealHeaders } from './headers.ts'
import { countWebhooks, insertWebhook, lockWebhook, removeWebhook, updateWebhook, type WebhookRow } from './queries.ts'
import { readWebhook, type WebhookInput } from './read-input.ts'

export const maxWebhooks = 100

interface Locked {
  tx: Transaction
  webhook: WebhookRow
  /** Records an audit event about this webhook. */
  audit(event: AuditEvent, details?: Record<string, unknown>): Promise<void>
}

export const withLockedWebhook = <Result>(
  ctx: Context,
  request: StaffRequest & { id: string },
  deed: string,
  work: (locked: Locked) => Promise<Result>,
): Promise<Result> =>
  asStaff(ctx, request, { permission: 'webhooks:manage', deed }, async (tx, actor) => {
    const webhook = looksLikeId(request.id) ? await lockWebhook(tx.db, request.id) : undefined
    if (!webhook) throw new AppError('NOT_FOUND')
    const { device } = request.principal
    const about = { webhook: webhook.id, host: new URL(webhook.url).host }
    const audit: Locked['audit'] = (event, details = {}) =>
      recordAudit(tx, { event, actor, device, details: { ...about, ...details } })
    return work({ tx, webhook, audit })
  })

/** Returns the secret, which cannot be read again. */
export function createWebhook(
  ctx: Context,
  request: StaffRequest,
  input: WebhookInput & Required<Pick<WebhookInput, 'url' | 'events'>>,
): Promise<{ id: string; secret: string }> {
  const { url = '', events = [], headers = [], description = '', is_enabled = true } = readWebhook(ctx.config, input)
  return asStaff(ctx, request, { permission: 'webhooks:manage', deed: 'create_webhook' }, async (tx, actor) => {
    await waitForLock(tx.db, 'webhooks')
    if ((await countWebhooks(tx.db)) >= maxWebhooks)
      throw invalidField('url', `is one too many: there can be ${maxWebhooks} webhooks`)
    const [id, secret, now] = [newId(), newSigningSecret(), tx.clock.date()]
    const sealed = { secret: seal(tx.dataKeys, secret), headers: sealHeaders(tx.dataKeys, headers) }
    await insertWebhook(tx.db, {
      id,
      url,
      description,
      events,
      is_enabled,
      ...sealed,
      created_at: now,
      updated_at: now,
    })
    const details = { webhook: id, host: new URL(url).host, events }
    await recordAudit(tx, { event: 'webhook_created', actor, device: request.principal.device, details })
    return { id, secret }
  })
}

/** Resets the failure count and ends any pause, because the change may have fixed the cause of the failures. */
export function updateWebhookOf(
  ctx: Context,
  request: StaffRequest & { id: string },
  input: WebhookInput,
): Promise<void> {
  const { headers, ...members } = readWebhook(ctx.config, input)
  const { url, is_enabled } = members
  return withLockedWebhook(ctx, request, 'update_webhook', async ({ tx, webhook, audit }) => {
    if (url !== undefined && headers === undefined) assertHeadersStay(tx, webhook, url)
    await updateWebhook(tx.db, webhook.id, {
      ...members,
      ...(headers && { headers: sealHeaders(tx.dataKeys, headers) }),
      ...(is_enabled !== undefined && { disabled_reason: null }),
      failures: 0,
      failing_since: null,
      paused_until: null,
      updated_at: tx.clock.date(),
    })
    await audit('webhook_updated', {
      changed: Object.keys(input),
      ...(url !== undefined && { host: new URL(url).host }),
      ...(is_enabled !== undefined && { enabled: is_enabled }),
    })
  })
}

/**
 * Administrators cannot read the header values, so changing the URL must not send these values to another host either.
 */
function assertHeadersStay({ dataKeys }: Context, webhook: WebhookRow, url: string): void {
  if (new URL(url).origin === new URL(webhook.url).origin || openHeaders(dataKeys, webhook.headers).length === 0) return
  throw invalidField('headers', 'must be sent again, or removed, because the host of the URL changes')
}

export const deleteWebhook = (ctx: Context, request: StaffRequest & { id: string }): Promise<void> =>
  withLockedWebhook(ctx, request, 'delete_webhook', async ({ tx, webhook, audit }) => {
    await removeWebhook(tx.db, webhook.id)
    await audit('webhook_deleted')
  })

/** Until the next rotation, requests are also signed with the previous secret. */
export const rotateSecret = (ctx: Context, request: StaffRequest & { id: string }): Promise<string> =>
  withLockedWebhook(ctx, request, 'rotate_webhook_secret', async ({ tx, webhook, audit }) => {
    const secret = newSigningSecret()
    const sealed = { secret: seal(tx.dataKeys, secret), former_secret: webhook.secret }
    await updateWebhook(tx.db, webhook.id, { ...sealed, updated_at: tx.clock.date() })
    await audit('webhook_secret_rotated')
    return secret
  })

import type { StaffRequest } from '../admin/as-staff.ts'
import type { Context, Transaction } from '../context.ts'
import { recordEvents } from '../events/record.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { looksLikeId } from '../lib/ids.ts'
import { timeField } from '../lib/time-field.ts'
import { withLockedWebhook } from './change-webhook.ts'
import { testEvent } from './delivery-queries.ts'
import { replayFailed, replayOne, replaySpan } from './replay-queries.ts'

export interface ReplayInput {
  delivery_id?: string
  failed?: boolean
  from?: string
  to?: string
}

/** The maximum number of events that one request replays from a time span. A further request can replay the rest. */
export const maxReplayed = 100_000

/** Repeats one delivery, all failed deliveries, or all events in a time span. Returns the number of deliveries. */
export function replay(
  ctx: Context,
  request: StaffRequest & { id: string },
  input: ReplayInput,
): Promise<{ replayed: number }> {
  const choice = readChoice(input)
  return withLockedWebhook(ctx, request, 'replay_webhook', async ({ tx, webhook, audit }) => {
    const replayed = await replayChosen(tx, webhook.id, choice)
    if ('deliveryId' in choice && replayed === 0) throw new AppError('NOT_FOUND')
    await audit('webhook_replayed', { deliveries: replayed })
    return { replayed }
  })
}

type Choice = { deliveryId: string } | { from: Date; to: Date | undefined } | { failed: true }

function readChoice({ delivery_id, failed, ...span }: ReplayInput): Choice {
  const [from, to] = [timeField('from', span.from), timeField('to', span.to)]
  const choices: Choice[] = [
    ...(delivery_id === undefined ? [] : [{ deliveryId: delivery_id }]),
    ...(failed ? [{ failed: true as const }] : []),
    ...(from ? [{ from, to }] : []),
  ]
  const [choice, ...others] = choices
  if (!choice || others.length > 0)
    throw invalidField('from', 'is required, unless either delivery_id or failed=true is given')
  if (to && !from) throw invalidField('to', 'requires from')
  if (from && to && from >= to) throw invalidField('to', 'must be later than from')
  return choice
}

function replayChosen({ db, clock }: Transaction, webhookId: string, choice: Choice): Promise<number> {
  const now = clock.date()
  if ('failed' in choice) return replayFailed(db, webhookId, now)
  if ('deliveryId' in choice)
    return looksLikeId(choice.deliveryId) ? replayOne(db, webhookId, choice.deliveryId, now) : Promise.resolve(0)
  const { from, to = new Date(now.getTime() + 1) } = choice
  return replaySpan(db, webhookId, { from, to, now, limit: maxReplayed })
}

/** Sends a test event that only this webhook receives, regardless of its patterns. */
export const testWebhook = (ctx: Context, request: StaffRequest & { id: string }): Promise<void> =>
  withLockedWebhook(ctx, request, 'test_webhook', async ({ tx, webhook, audit }) => {
    if (!webhook.is_enabled) throw invalidField('webhook_id', 'is disabled: enable the webhook first')
    await recordEvents(tx, [{ type: testEvent, data: { webhook_id: webhook.id } }])
    await audit('webhook_tested')
  })

import { atTime } from '../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { pagerOf } from '../../../../ui/console/pager.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { formProblems } from '../../../../ui/shared/form-problems.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, fillPlural, type PageLanguage } from '../../../../ui/texts/index.ts'
import type { ListDeliveriesRoute } from '../../../../webhooks/delivery-schemas.ts'
import { withUnknownEvent } from '../event-words.ts'
import {
  deliveryPath,
  type ShownWebhook,
  type TypedWebhook,
  webhookFields,
  webhookPath,
  webhooksPath,
  withFormFields,
} from '../paths.ts'
import { webhookState } from '../state.ts'

export const statuses = ['waiting', 'delivered', 'failed'] as const

export type DeliveryOfPage = WebhookPage['log']['deliveries'][number]

export interface WebhookPage {
  area: AdminArea
  webhook: ShownWebhook
  log: ResponseOf<typeof ListDeliveriesRoute>['data']
  status: string | undefined
  forms: { edit: string; act: string }
  timeZone: string | null
  eventTypes: readonly string[]
  /** A secret that was just created. It cannot be shown again. */
  secret?: string | undefined
  isNew?: boolean
  typed?: TypedWebhook | undefined
  rejection?: ApiRejection | undefined
  outcome?: { done?: string | undefined; count?: string | undefined }
}

export function webhookPage(data: WebhookPage, page: PageContext): string {
  const { area, webhook, log, status, forms, timeZone, secret, rejection } = data
  const { lang } = page
  const { webhooks: texts, rejections } = adminTextsFor(lang)
  const problems = formProblems(lang, withFormFields(rejection), {
    fields: webhookFields,
    rejections: { ...rejections, ...texts.problems },
  })
  const path = webhookPath(webhook.id)
  return renderAdminLayout(
    area,
    {
      template: new URL('./webhook.eta', import.meta.url),
      title: webhook.description || new URL(webhook.url).host,
      parent: { path: webhooksPath, label: texts.title },
      scripts: secret ? ['copy.js'] : [],
      done: doneText(lang, data),
      problem: problems.top,
      data: {
        texts,
        path,
        forms,
        secret,
        ...webhookState(lang, webhook, timeZone),
        paused: webhook.paused_until && fill(texts.pausedUntil, { time: atTime(lang, webhook.paused_until, timeZone) }),
        facts: [
          { name: texts.url, value: webhook.url },
          { name: texts.events, value: webhook.events.join(', ') },
          { name: texts.headers, value: webhook.headers.join(', ') || texts.none },
          { name: texts.secret, value: webhook.has_former_secret ? texts.twoSecrets : texts.oneSecret },
        ],
        typed: data.typed ?? { ...webhook, events: webhook.events.join(' '), headers: '' },
        hasHeaders: webhook.headers.length > 0,
        isEditing: data.typed !== undefined,
        problems: withUnknownEvent(lang, problems.fields, data.typed ?? {}, data.eventTypes),
        eventTypes: data.eventTypes,
        isEnabled: webhook.enabled,
        hasFailed: webhook.failed > 0,
        status,
        statuses: statuses.map((value) => ({ value, label: texts.statuses[value] })),
        rows: log.deliveries.map((row) => deliveryRow(lang, row, webhook.id, timeZone)),
        pager: pagerOf(lang, log.pagination, { status }, { path }),
      },
    },
    page,
  )
}

export const statusChips = { waiting: 'warn', delivered: 'good', failed: 'bad' } as const

function deliveryRow(lang: PageLanguage, row: DeliveryOfPage, webhookId: string, timeZone: string | null) {
  const { webhooks: texts } = adminTextsFor(lang)
  const next = row.next_attempt_at && row.attempts > 0 ? atTime(lang, row.next_attempt_at, timeZone) : undefined
  return {
    type: row.type,
    path: deliveryPath(webhookId, row.id),
    status: texts.statuses[row.status],
    chip: statusChips[row.status],
    facts: [
      atTime(lang, row.created_at, timeZone),
      row.attempts > 0 ? fillPlural(lang, texts.attempts, row.attempts) : undefined,
      row.last_status === null ? undefined : fill(texts.responded, { status: String(row.last_status) }),
      next && fill(texts.next, { time: next }),
    ].filter((fact) => fact !== undefined),
    error: row.last_error,
  }
}

function doneText(lang: string, { outcome = {}, secret, isNew }: WebhookPage): string | undefined {
  const { done } = adminTextsFor(lang).webhooks
  if (secret) return isNew ? done.created : done.secret
  if (outcome.done === 'replayed' && /^\d{1,6}$/.test(outcome.count ?? ''))
    return fillPlural(lang, done.replayed, Number(outcome.count))
  const texts: Readonly<Record<string, string>> = {
    changed: done.changed,
    enabled: done.enabled,
    disabled: done.disabled,
    tested: done.tested,
  }
  return outcome.done !== undefined && Object.hasOwn(texts, outcome.done) ? texts[outcome.done] : undefined
}

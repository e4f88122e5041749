import { atTime } from '../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import type { GetDeliveryRoute } from '../../../../webhooks/delivery-schemas.ts'
import { type ShownWebhook, webhookPath } from '../paths.ts'
import { statusChips } from '../webhook/view.ts'

type ShownDelivery = ResponseOf<typeof GetDeliveryRoute>['data']

export interface DeliveryPage {
  area: AdminArea
  webhook: ShownWebhook
  delivery: ShownDelivery
  form: string
  timeZone: string | null
}

export function deliveryPage({ area, webhook, delivery, form, timeZone }: DeliveryPage, page: PageContext): string {
  const { lang } = page
  const { webhooks: texts } = adminTextsFor(lang)
  const path = webhookPath(webhook.id)
  const milliseconds = new Intl.NumberFormat(lang, { style: 'unit', unit: 'millisecond' })
  return renderAdminLayout(
    area,
    {
      template: new URL('./delivery.eta', import.meta.url),
      title: delivery.event.type,
      parent: { path, label: webhook.description || new URL(webhook.url).host },
      data: {
        texts,
        path,
        form,
        id: delivery.id,
        status: texts.statuses[delivery.status],
        chip: statusChips[delivery.status],
        next: delivery.next_attempt_at && fill(texts.next, { time: atTime(lang, delivery.next_attempt_at, timeZone) }),
        body: JSON.stringify(delivery.event, undefined, 2),
        attempts: delivery.log.map(({ started_at, duration_ms, status, error, response }) => ({
          time: atTime(lang, started_at, timeZone),
          took: milliseconds.format(duration_ms),
          isAccepted: status !== null && status >= 200 && status < 300,
          result: status === null ? (error ?? '') : fill(texts.responded, { status: String(status) }),
          response,
        })),
      },
    },
    page,
  )
}

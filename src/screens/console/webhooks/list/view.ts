import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { formProblems } from '../../../../ui/shared/form-problems.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fillPlural } from '../../../../ui/texts/index.ts'
import { withUnknownEvent } from '../event-words.ts'
import { type ShownWebhook, type TypedWebhook, webhookFields, webhookPath, withFormFields } from '../paths.ts'
import { webhookState } from '../state.ts'

export interface WebhooksPage {
  area: AdminArea
  webhooks: readonly ShownWebhook[]
  form: string
  timeZone: string | null
  eventTypes: readonly string[]
  typed?: TypedWebhook
  rejection?: ApiRejection | undefined
  done?: string | undefined
}

export function webhooksPage(data: WebhooksPage, page: PageContext): string {
  const { area, webhooks, form, typed = {}, rejection } = data
  const { lang } = page
  const { webhooks: texts, rejections } = adminTextsFor(lang)
  const problems = formProblems(lang, withFormFields(rejection), {
    fields: webhookFields,
    rejections: { ...rejections, ...texts.problems },
  })
  return renderAdminLayout(
    area,
    {
      template: new URL('./webhooks.eta', import.meta.url),
      title: texts.title,
      lead: texts.lead,
      done: data.done === 'deleted' ? texts.done.deleted : undefined,
      problem: problems.top,
      data: {
        texts,
        form,
        typed: { events: 'user.*', ...typed },
        problems: withUnknownEvent(lang, problems.fields, typed, data.eventTypes),
        eventTypes: data.eventTypes,
        rows: webhooks.map((webhook) => ({
          name: webhook.description || webhook.url,
          about: [webhook.description && webhook.url, webhook.events.join(', ')].filter(Boolean).join(' · '),
          path: webhookPath(webhook.id),
          ...webhookState(lang, webhook, data.timeZone),
          counts: [
            webhook.waiting > 0 ? fillPlural(lang, texts.waiting, webhook.waiting) : '',
            webhook.failed > 0 ? fillPlural(lang, texts.failed, webhook.failed) : '',
          ]
            .filter(Boolean)
            .join(' · '),
        })),
        empty: { icon: 'webhook', ...texts.nothing, action: undefined },
      },
    },
    page,
  )
}

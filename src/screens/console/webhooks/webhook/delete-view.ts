import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ApiRefusal } from '../../../../ui/shared/call-api.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fillPlural } from '../../../../ui/texts/index.ts'
import { type ShownWebhook, webhookPath } from '../paths.ts'

export interface DeleteWebhookPage {
  area: AdminArea
  webhook: ShownWebhook
  form: string
  refusal?: ApiRefusal | undefined
}

export function deleteWebhookPage({ area, webhook, form, refusal }: DeleteWebhookPage, page: PageContext): string {
  const { webhooks: texts, refusals, shared } = adminTextsFor(page.lang)
  const path = webhookPath(webhook.id)
  return renderAdminLayout(
    area,
    {
      template: new URL('./delete.eta', import.meta.url),
      title: texts.deleteTitle,
      parent: { path, label: webhook.description || new URL(webhook.url).host },
      problem: problemText(page.lang, refusal, refusals),
      data: {
        path,
        form,
        url: webhook.url,
        text: fillPlural(page.lang, texts.deleteText, webhook.waiting),
        button: texts.actions.deleteNow,
        cancel: shared.cancel,
      },
    },
    page,
  )
}

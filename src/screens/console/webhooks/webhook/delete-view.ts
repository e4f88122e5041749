import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fillPlural } from '../../../../ui/texts/index.ts'
import { type ShownWebhook, webhookPath } from '../paths.ts'

export interface DeleteWebhookPage {
  area: AdminArea
  webhook: ShownWebhook
  form: string
  rejection?: ApiRejection | undefined
}

export function deleteWebhookPage({ area, webhook, form, rejection }: DeleteWebhookPage, page: PageContext): string {
  const { webhooks: texts, rejections, shared } = adminTextsFor(page.lang)
  const path = webhookPath(webhook.id)
  return renderAdminLayout(
    area,
    {
      template: new URL('./delete.eta', import.meta.url),
      title: texts.deleteTitle,
      parent: { path, label: webhook.description || new URL(webhook.url).host },
      problem: problemText(page.lang, rejection, rejections),
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

import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../ui/texts/index.ts'
import { applicationPath, type ShownApplication } from '../paths.ts'
import { applicationProblems } from '../problems.ts'

/** The actions that have a page of their own, which tells their effect before. */
export const confirmedActions = ['disable', 'delete'] as const

export type ConfirmedAction = (typeof confirmedActions)[number]

export interface ConfirmPage {
  area: AdminArea
  application: ShownApplication
  action: ConfirmedAction
  form: string
  rejection?: ApiRejection
}

export function confirmApplicationPage(data: ConfirmPage, page: PageContext): string {
  const { area, application, action, form, rejection } = data
  const { applications: texts, shared } = adminTextsFor(page.lang)
  const { title, text, button } = texts.confirm[action]
  const path = applicationPath(application.id)
  return renderAdminLayout(
    area,
    {
      template: new URL('./confirm.eta', import.meta.url),
      title,
      lead: fill(text, { name: application.name }),
      parent: { path, label: application.name },
      problem: applicationProblems(page.lang, rejection).top,
      data: {
        texts,
        path,
        form,
        action,
        button,
        cancel: shared.cancel,
        sessions:
          application.live_sessions === 0
            ? texts.noSessions
            : fillPlural(page.lang, texts.endedSessions, application.live_sessions),
        addresses: [...new Set([...application.return_addresses, ...application.origins])],
      },
    },
    page,
  )
}

import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { oauthProblems } from '../problems.ts'
import { oauthTextsFor } from '../texts.ts'

/** An action that has a page of its own, which tells its effect before. */
export type ConfirmedDeed = 'disable' | 'delete'

export interface ConfirmDeedPage {
  area: AdminArea
  about: 'clients' | 'resources'
  deed: ConfirmedDeed
  name: string
  /** The page of the client or API. */
  path: string
  form: string
  rejection?: ApiRejection | undefined
}

export function confirmDeedPage(data: ConfirmDeedPage, page: PageContext): string {
  const { area, about, deed, name, path, form, rejection } = data
  const texts = oauthTextsFor(page.lang)[about]
  return renderAdminLayout(
    area,
    {
      template: new URL('./confirm.eta', import.meta.url),
      title: fill(texts[`${deed}Title`], { name }),
      parent: { path, label: name },
      problem: oauthProblems(page.lang, rejection).top,
      data: {
        ...{ path, form, action: `${path}/${deed}`, text: texts[`${deed}Text`], button: texts[deed] },
        cancel: adminTextsFor(page.lang).shared.cancel,
      },
    },
    page,
  )
}

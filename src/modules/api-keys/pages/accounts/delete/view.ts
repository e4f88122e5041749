import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../../../ui/shared/call-api.ts'
import { problemText } from '../../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../../ui/texts/index.ts'
import { keyTextsFor } from '../../texts.ts'
import { accountPath, deleteAccountPath, type ShownServiceAccount } from '../paths.ts'

export interface DeleteServiceAccountPage {
  area: AdminArea
  account: ShownServiceAccount
  form: string
  rejection?: ApiRejection | undefined
}

export function deleteServiceAccountPage(
  { area, account, form, rejection }: DeleteServiceAccountPage,
  page: PageContext,
): string {
  const { accounts: texts } = keyTextsFor(page.lang)
  const { shared, rejections } = adminTextsFor(page.lang)
  const path = accountPath(account.id)
  return renderAdminLayout(
    area,
    {
      template: new URL('./delete.eta', import.meta.url),
      title: fill(texts.deleteTitle, { name: account.name }),
      parent: { path, label: account.name },
      problem: problemText(page.lang, rejection, { ...rejections, ...texts.rejections }),
      data: {
        ...{ path, form, action: deleteAccountPath(account.id) },
        text: `${fillPlural(page.lang, texts.keys, account.keys)}. ${texts.deleteText}`,
        ...{ button: texts.delete, cancel: shared.cancel },
      },
    },
    page,
  )
}

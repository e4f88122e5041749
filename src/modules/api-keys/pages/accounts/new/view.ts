import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../../ui/console/texts/index.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import type { ScopeTerms } from '../../scope-words.ts'
import { keyTextsFor } from '../../texts.ts'
import { type AccountForm, accountFields } from '../account-fields.ts'
import { accountsPath, newAccountPath } from '../paths.ts'

export interface NewAccountPage extends Omit<AccountForm, 'terms'> {
  area: AdminArea
  declared?: ScopeTerms['declared']
  form: string
}

export function newAccountPage({ area, form, declared, ...entries }: NewAccountPage, page: PageContext): string {
  const { accounts: texts } = keyTextsFor(page.lang)
  const { top, fields } = accountFields(page.lang, { ...entries, terms: { roles: area.roles, declared } })
  return renderAdminLayout(
    area,
    {
      template: new URL('./new.eta', import.meta.url),
      title: texts.add,
      parent: { path: accountsPath, label: texts.title },
      scripts: ['first-field.js'],
      problem: top,
      data: {
        ...{ form, fields, action: newAccountPath, button: texts.add, back: accountsPath },
        cancel: adminTextsFor(page.lang).shared.cancel,
      },
    },
    page,
  )
}

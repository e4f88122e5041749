import type { FormOutcome } from '../../../../ui/account/account-visit.ts'
import { type AccountArea, accountText, renderAccountLayout } from '../../../../ui/account/layout.ts'
import { personalDataPath } from '../../../../ui/paths.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, type PageLanguage, textsFor } from '../../../../ui/texts/index.ts'
import { deletePath } from '../schemas.ts'

export interface DeleteAccountPage extends FormOutcome {
  area: AccountArea
  email: string
  form: string
}

export function deleteAccountPage({ area, email, form, done, problem }: DeleteAccountPage, page: PageContext): string {
  const { account, personalData } = textsFor(page.lang)
  return renderAccountLayout(
    area,
    {
      template: new URL('./delete.eta', import.meta.url),
      title: personalData.deletion.title,
      done: accountText(account.done, done),
      data: {
        now: deleteNow(page.lang, email, form),
        problem: problemText(page.lang, problem, personalData.rejections),
      },
    },
    page,
  )
}

export function deleteNow(lang: PageLanguage, email: string, form: string) {
  const texts = textsFor(lang).personalData.deletion
  return { texts, path: deletePath, form, confirm: fill(texts.confirm, { email }), back: personalDataPath }
}

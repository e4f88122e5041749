import { type AccountArea, accountText, renderAccountLayout } from '../../../../ui/account/layout.ts'
import { securityPath } from '../../../../ui/paths.ts'
import { codeOf, type PageProblem, problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { textsFor } from '../../../../ui/texts/index.ts'
import type { PasskeyListEntry } from '../list/view.ts'
import { removePath, renamePath } from '../schemas.ts'
import { passkeyNameField } from './name-field.ts'

export interface ChangeOutcome {
  /** The entered name. */
  name?: string
  done?: string | undefined
  problem?: PageProblem
}

export interface ChangePage extends ChangeOutcome {
  area: AccountArea
  form: string
  passkey: Pick<PasskeyListEntry, 'id' | 'name'>
}

export function renamePage({ area, form, passkey, name, problem }: ChangePage, page: PageContext): string {
  const { security: texts } = textsFor(page.lang)
  const isRejected = codeOf(problem) === 'VALIDATION_ERROR'
  const words = { ...texts.rejections, VALIDATION_ERROR: texts.rejections.NAME }
  return renderAccountLayout(
    area,
    {
      template: new URL('./rename.eta', import.meta.url),
      title: texts.renaming.title,
      data: {
        submit: texts.renaming.submit,
        cancel: texts.cancel,
        path: renamePath,
        back: securityPath,
        id: passkey.id,
        field: { ...passkeyNameField(texts, name ?? passkey.name), required: true, isRejected },
        form: { formToken: form, problem: problemText(page.lang, problem, words) },
      },
    },
    page,
  )
}

export function removePage({ area, form, passkey, done, problem }: ChangePage, page: PageContext): string {
  const { account, security: texts } = textsFor(page.lang)
  return renderAccountLayout(
    area,
    {
      template: new URL('./remove.eta', import.meta.url),
      title: texts.removal.title,
      done: accountText(account.done, done),
      data: {
        texts: texts.removal,
        cancel: texts.cancel,
        path: removePath,
        back: securityPath,
        passkey,
        form: { formToken: form, problem: problemText(page.lang, problem, texts.rejections) },
      },
    },
    page,
  )
}

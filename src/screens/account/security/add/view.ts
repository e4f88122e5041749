import { type AccountArea, accountText, renderAccountLayout } from '../../../../ui/account/layout.ts'
import { securityPath } from '../../../../ui/paths.ts'
import { codeOf, type PageProblem, problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { textsFor } from '../../../../ui/texts/index.ts'
import { passkeyNameField } from '../passkey/name-field.ts'
import { addPath } from '../schemas.ts'

export interface AddPasskeyPage {
  area: AccountArea
  form: string
  name?: string
  done?: string | undefined
  problem?: PageProblem
}

export function addPasskeyPage({ area, form, name, done, problem }: AddPasskeyPage, page: PageContext): string {
  const { account, security: texts } = textsFor(page.lang)
  const { exists, PASSKEY: refused } = texts.rejections
  return renderAccountLayout(
    area,
    {
      template: new URL('./add.eta', import.meta.url),
      title: texts.adding.title,
      scripts: ['passkey-add.js'],
      settings: { exists, refused },
      done: accountText(account.done, done),
      data: {
        texts: texts.adding,
        cancel: texts.cancel,
        needsScript: texts.rejections.NO_PASSKEY,
        path: addPath,
        back: securityPath,
        field: { ...passkeyNameField(texts, name), note: texts.optional, isRejected: codeOf(problem) === 'NAME' },
        form: { formToken: form, problem: problemText(page.lang, problem, texts.rejections) },
      },
    },
    page,
  )
}

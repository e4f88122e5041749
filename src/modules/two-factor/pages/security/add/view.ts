import { type AccountArea, accountText, renderAccountLayout } from '../../../../../ui/account/layout.ts'
import type { Field } from '../../../../../ui/fields/field.ts'
import { securityPath } from '../../../../../ui/paths.ts'
import { problemText } from '../../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { textsFor as coreTexts } from '../../../../../ui/texts/index.ts'
import { type SecurityTexts as PageTexts, securityTextsFor } from '../../texts.ts'
import { securityPaths } from '../shared/paths.ts'

export type SetUpKind = 'totp' | 'email' | 'sms'

export interface AddPage {
  area: AccountArea
  kind: SetUpKind
  form: string
  value: string
  done?: string | undefined
  problem?: string | undefined
}

export function addPage({ area, kind, form, problem, ...data }: AddPage, page: PageContext): string {
  const { account } = coreTexts(page.lang)
  const { security: texts } = securityTextsFor(page.lang)
  return renderAccountLayout(
    area,
    {
      template: new URL('./add.eta', import.meta.url),
      title: texts.setUp[kind].title,
      done: accountText(account.done, data.done),
      data: {
        texts,
        own: texts.setUp[kind],
        kind,
        field: fieldOf(kind, data.value, texts.setUp),
        paths: securityPaths,
        back: securityPath,
        form: { formToken: form, problem: problemText(page.lang, problem, texts.rejections) },
      },
    },
    page,
  )
}

function fieldOf(kind: SetUpKind, value: string, texts: PageTexts['security']['setUp']): Field | undefined {
  const identifier = { id: 'field', name: 'identifier', value, required: true }
  if (kind === 'email')
    return { ...identifier, label: texts.address, type: 'email', autocomplete: 'email', maxlength: 254 }
  if (kind === 'sms')
    return {
      ...identifier,
      label: texts.number,
      type: 'tel',
      autocomplete: 'tel',
      maxlength: 32,
      hint: texts.numberHint,
    }
  return undefined
}

import { type AccountArea, accountText, renderAccountLayout } from '../../../../../ui/account/layout.ts'
import type { Field } from '../../../../../ui/fields/field.ts'
import { problemText } from '../../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { textsFor as coreTexts } from '../../../../../ui/texts/index.ts'
import { newPasskeyForm } from '../../passkey-scripts.ts'
import { type SecurityTexts as PageTexts, securityTextsFor } from '../../texts.ts'
import { securityPath, securityPaths } from '../shared/paths.ts'

export type SetUpKind = 'totp' | 'email' | 'sms' | 'passkey'

export interface AddPage {
  area: AccountArea
  kind: SetUpKind
  forms: { add: string; finish: string }
  value: string
  done?: string | undefined
  problem?: string | undefined
}

export function addPage({ area, kind, forms, problem, ...data }: AddPage, page: PageContext): string {
  const { account } = coreTexts(page.lang)
  const { security: texts } = securityTextsFor(page.lang)
  const isPasskey = kind === 'passkey'
  return renderAccountLayout(
    area,
    {
      template: new URL('./add.eta', import.meta.url),
      title: texts.setUp[kind].title,
      ...(isPasskey && newPasskeyForm),
      done: accountText(account.done, data.done),
      data: {
        texts,
        own: texts.setUp[kind],
        kind,
        field: fieldOf(kind, data.value, texts.setUp),
        paths: securityPaths,
        back: securityPath,
        passkey: isPasskey && {
          formToken: forms.finish,
          refused: texts.rejections.PASSKEY,
          needsScript: texts.confirm.needsScript,
        },
        form: { formToken: forms.add, problem: problemText(page.lang, problem, texts.rejections) },
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
  if (kind === 'passkey')
    return {
      id: 'field',
      name: 'name',
      value,
      label: texts.name,
      note: texts.optional,
      autocomplete: 'off',
      maxlength: 64,
    }
  return undefined
}

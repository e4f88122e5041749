import { type AccountArea, accountText, renderAccountLayout } from '../../../../../ui/account/layout.ts'
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
        field: fieldOf(kind, texts.setUp),
        value: data.value,
        paths: securityPaths,
        back: securityPath,
        passkey: isPasskey && {
          formToken: forms.finish,
          refused: texts.refusals.PASSKEY,
          needsScript: texts.confirm.needsScript,
        },
        form: { formToken: forms.add, problem: problemText(page.lang, problem, texts.refusals) },
      },
    },
    page,
  )
}

interface Field {
  name: string
  label: string
  type: string
  autocomplete: string
  maxLength: number
  isOptional?: true
  hint?: string
}

function fieldOf(kind: SetUpKind, texts: PageTexts['security']['setUp']): Field | undefined {
  if (kind === 'email')
    return { name: 'identifier', label: texts.address, type: 'email', autocomplete: 'email', maxLength: 254 }
  if (kind === 'sms')
    return {
      name: 'identifier',
      label: texts.number,
      type: 'tel',
      autocomplete: 'tel',
      maxLength: 32,
      hint: texts.numberHint,
    }
  if (kind === 'passkey')
    return { name: 'name', label: texts.name, type: 'text', autocomplete: 'off', maxLength: 64, isOptional: true }
  return undefined
}

import type { ListForRecoveryRoute } from '../../../passkeys/recovery/schemas.ts'
import { onDay } from '../../../ui/account/when.ts'
import { inboxLink, mailedCodeInput } from '../../../ui/fields/code-fields.ts'
import { emailInput } from '../../../ui/fields/credential-fields.ts'
import { recoverPasskeyPath, recoverPath } from '../../../ui/paths.ts'
import type { ResponseOf } from '../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { formProblems } from '../../../ui/shared/form-problems.ts'
import { type PageContext, renderPage } from '../../../ui/shared/render.ts'
import { fill, textsFor } from '../../../ui/texts/index.ts'

/** The API route that issues the options for navigator.credentials.create(). A page that is only read stores nothing. */
const startPath = '/auth/recovery/passkeys/options'

export const paths = { address: recoverPath, codes: `${recoverPath}/codes`, passkey: recoverPasskeyPath }

export interface RecoverAddressPage {
  formToken: string
  /** Whether users without recovery codes may be able to sign in with an emailed link. */
  byMail: boolean
  email: string
  rejection?: ApiRejection | undefined
}

export function recoverAddressPage(data: RecoverAddressPage, page: PageContext): string {
  const { formToken, byMail, email, rejection } = data
  const { recover: texts } = textsFor(page.lang)
  const problems = formProblems(page.lang, rejection, { fields: ['email'], rejections: {} })
  return renderPage(
    {
      template: new URL('./address.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      data: {
        texts,
        paths,
        byMail,
        form: { formToken, problem: problems.top },
        email: emailInput(page, { value: email, problem: problems.fields.email }),
      },
    },
    page,
  )
}

export interface RecoverCodesPage {
  formToken: string
  email: string
  /** In milliseconds. */
  codeLifetime: number
  rejection?: ApiRejection | undefined
}

export function recoverCodesPage(data: RecoverCodesPage, page: PageContext): string {
  const { recover: texts } = textsFor(page.lang)
  const { formToken, email, codeLifetime, rejection } = data
  const fields = ['code', 'recovery_code']
  const problems = formProblems(page.lang, rejection, { fields, rejections: texts.rejections })
  const isRejected = rejection?.code === 'INVALID_CODE'
  return renderPage(
    {
      template: new URL('./codes.eta', import.meta.url),
      title: texts.sent,
      shape: 'card',
      data: {
        texts,
        paths,
        sentence: fill(texts.sentText, { address: email }),
        form: { formToken, problem: problems.top },
        codeField: {
          ...mailedCodeInput(page, codeLifetime, undefined),
          label: texts.mailedCode,
          problem: problems.fields.code,
          isRejected,
        },
        recoveryField: {
          ...recoveryInput,
          label: texts.recoveryCode,
          hint: texts.recoveryCodeHint,
          problem: problems.fields.recovery_code,
          isRejected,
        },
        inbox: inboxLink(page),
      },
    },
    page,
  )
}

const recoveryInput = {
  name: 'recovery_code',
  required: true,
  maxlength: 64,
  autocomplete: 'off',
  autocapitalize: 'none',
  spellcheck: 'false',
} as const

export type ListedForRecovery = ResponseOf<typeof ListForRecoveryRoute>

export interface RecoverPasskeyPage {
  formToken: string
  logoutForm: string
  listed: ListedForRecovery
  rejection?: ApiRejection | undefined
}

export function recoverPasskeyPage(data: RecoverPasskeyPage, page: PageContext): string {
  const { recover: texts, registerWithPasskey: shared, security } = textsFor(page.lang)
  const { formToken, logoutForm, listed, rejection } = data
  const problems = formProblems(page.lang, rejection, { fields: [], rejections: shared.rejections })
  return renderPage(
    {
      template: new URL('./passkey.eta', import.meta.url),
      title: listed.recovery ? texts.last : texts.required,
      shape: 'card',
      scripts: ['passkey-form.js'],
      settings: { ask: { path: startPath, body: {}, creates: true }, refused: shared.rejections.PASSKEY },
      data: {
        texts,
        paths,
        logoutForm,
        title: listed.recovery ? texts.last : texts.required,
        sentence: fill(listed.recovery ? texts.lastText : texts.requiredText, { address: listed.email }),
        create: shared.create,
        unsupported: shared.unsupported,
        form: { formToken, problem: problems.top },
        lost: (listed.recovery ? listed.passkeys : []).map(({ id, name, created_at }, index) => ({
          id,
          field: lostField(index),
          label: name,
          about: fill(security.added, { date: onDay(page.lang, created_at, null) }),
        })),
      },
    },
    page,
  )
}

/** A form has one member for each passkey that may be lost. */
export const lostField = (index: number): string => `lost${index}`

import { inboxLink, mailedCodeInput } from '../../../ui/fields/code-fields.ts'
import { emailInput } from '../../../ui/fields/credential-fields.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { formProblems } from '../../../ui/shared/form-problems.ts'
import { type PageProblem, problemText } from '../../../ui/shared/problem-text.ts'
import { type PageContext, renderPage } from '../../../ui/shared/render.ts'
import { fill, type PageTexts, textsFor } from '../../../ui/texts/index.ts'
import { registerPath, registerWithPasswordPath } from '../../sign-in/sign-in-options.ts'
import { type Names, nameInputs } from '../register/name-inputs.ts'

export const paths = {
  start: registerPath,
  address: `${registerPath}/address`,
  code: `${registerPath}/code`,
  passkey: `${registerPath}/passkey`,
}

export interface AddressPage {
  formToken: string
  email: string
  /** The path of the registration without a passkey, if there is one. */
  other: string | undefined
  rejection?: ApiRejection | undefined
}

export function addressPage({ formToken, email, other, rejection }: AddressPage, page: PageContext): string {
  const { registerWithPasskey: texts, register: shared } = textsFor(page.lang)
  const problems = formProblems(page.lang, rejection, { fields: ['email'], rejections: texts.rejections })
  return renderPage(
    {
      template: new URL('./address.eta', import.meta.url),
      title: shared.title,
      shape: 'card',
      scripts: ['passkey-support.js'],
      data: {
        texts,
        shared,
        paths,
        other: otherLink(texts, other),
        form: { formToken, problem: problems.top },
        email: emailInput(page, { value: email, problem: problems.fields.email }),
      },
    },
    page,
  )
}

export interface CodePage {
  formToken: string
  email: string
  /** In milliseconds. */
  codeLifetime: number
  problem?: PageProblem
}

export function codePage({ formToken, email, codeLifetime, problem }: CodePage, page: PageContext): string {
  const { registerWithPasskey: texts, loginByMail } = textsFor(page.lang)
  return renderPage(
    {
      template: new URL('./code.eta', import.meta.url),
      title: texts.sent,
      shape: 'card',
      data: {
        texts,
        paths,
        sentence: fill(texts.sentText, { address: email }),
        form: { formToken, problem: problemText(page.lang, problem, loginByMail.codeRejections) },
        codeField: mailedCodeInput(page, codeLifetime, problem),
        inbox: inboxLink(page),
      },
    },
    page,
  )
}

export interface PasskeyPage {
  formToken: string
  /** The options for navigator.credentials.create(). */
  options: object
  /** The mailed code, with which the user can try again. */
  code: string
  hasLastName: boolean
  other: string | undefined
  input: Names | undefined
  rejection: ApiRejection | undefined
}

export function passkeyPage(data: PasskeyPage, page: PageContext): string {
  const { registerWithPasskey: texts } = textsFor(page.lang)
  const { formToken, options, code, hasLastName, input = { name: '', last_name: '' } } = data
  const fields = ['name', 'last_name']
  const problems = formProblems(page.lang, data.rejection, { fields, rejections: texts.rejections })
  return renderPage(
    {
      template: new URL('./passkey.eta', import.meta.url),
      title: texts.last,
      shape: 'card',
      scripts: ['passkey-form.js'],
      settings: { create: options, refused: texts.rejections.PASSKEY },
      data: {
        texts,
        paths,
        code,
        other: otherLink(texts, data.other),
        form: { formToken, problem: problems.top },
        names: nameInputs(page, { hasLastName, input, problems: problems.fields }),
      },
    },
    page,
  )
}

const otherLink = (texts: PageTexts['registerWithPasskey'], path: string | undefined) =>
  path && { path, label: path === registerWithPasswordPath ? texts.withPassword : texts.byMail }

import { confirmPath } from '../../../ui/account/account-visit.ts'
import type { Field } from '../../../ui/fields/field.ts'
import { inFlow } from '../../../ui/flow/flow.ts'
import { codeOf, isAboutCode, type PageProblem, problemText } from '../../../ui/shared/problem-text.ts'
import { type PageContext, renderPage } from '../../../ui/shared/render.ts'
import type { PageProof } from '../../../ui/shared/second-factor-pages.ts'
import { textsFor } from '../../../ui/texts/index.ts'

export const password: PageProof = {
  id: 'password',
  field: 'password',
  words(lang) {
    const { password: name, byPassword: sentence } = textsFor(lang).account.confirm
    return { name, sentence, field: name }
  },
}

export interface ReauthenticatePage {
  email: string
  forms: { confirm: string; send: string; logout: string }
  proofs: PageProof[]
  /** Undefined if the user can reauthenticate only by signing in again. */
  chosen: PageProof | undefined
  /** The path of the account or console page to show next. */
  next: string
  sendOutcome?: 'sent' | 'notSent' | undefined
  problem?: PageProblem
}

/** The page is an intermediate step, so it has no account navigation. */
export function reauthenticatePage(
  { email, forms, chosen, next, ...data }: ReauthenticatePage,
  page: PageContext,
): string {
  const { account, returning } = textsFor(page.lang)
  const texts = account.confirm
  const words = chosen?.words(page.lang)
  return renderPage(
    {
      template: new URL('./confirm.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      ...chosen?.script?.(page.lang, {
        answer: '/auth/reauthenticate',
        next: page.flow === undefined ? next : inFlow('/login', page.flow),
      }),
      data: {
        texts,
        signedInAs: account.overview.signedInAs,
        email,
        chosen,
        next,
        button: chosen?.field ? undefined : words?.button,
        field: {
          name: 'proof',
          label: words?.field ?? '',
          required: true,
          ...inputs[chosen?.field ?? 'word'],
          isRejected: isAboutCode(data.problem) || codeOf(data.problem) === 'INVALID_CURRENT_PASSWORD',
        },
        sending: chosen?.send && words?.sending,
        sentence: words?.sentence ?? texts.nothing,
        sendOutcome: data.sendOutcome && words?.sending?.[data.sendOutcome],
        form: {
          formToken: forms.confirm,
          problem: problemText(page.lang, data.problem, texts.rejections),
        },
        sendForm: forms.send,
        logoutForm: forms.logout,
        asAnother: page.flow && { href: inFlow('/login?another=true', page.flow), label: returning.asAnother },
        others: data.proofs
          .filter(({ id }) => id !== chosen?.id)
          .map((proof) => ({
            href: inFlow(`${confirmPath}?${new URLSearchParams({ next, way: proof.id })}`, page.flow),
            label: proof.words(page.lang).name,
          })),
      },
    },
    page,
  )
}

const word = { maxlength: 64, autocapitalize: 'none', spellcheck: 'false' } as const

const inputs: Record<NonNullable<PageProof['field']>, Partial<Field>> = {
  password: { type: 'password', maxlength: 256, autocomplete: 'current-password' },
  word: { ...word, autocomplete: 'off' },
  digits: { ...word, inputmode: 'numeric', autocomplete: 'one-time-code' },
}

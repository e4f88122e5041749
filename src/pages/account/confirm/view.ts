import { inFlow } from '../../flow/flow.ts'
import { type PageContext, renderPage } from '../../shared/render.ts'
import { codeOf, isAboutCode, type Problem, wordsFor } from '../../shared/words-for.ts'
import { passkeyButton } from '../../sign-in/passkey-scripts.ts'
import { recovery } from '../../sign-in/second-step/view.ts'
import { fill, type PageTexts, textsFor } from '../../texts/index.ts'
import { confirmPath } from '../shared/member.ts'

/** Something a person can prove themselves by. */
export interface Proof {
  id: string
  method: 'password' | keyof PageTexts['secondStep']['ways']
  /** Masked; nothing for what is sent nowhere. */
  identifier: string | null
}

export const password: Proof = { id: 'password', method: 'password', identifier: null }

export interface ConfirmPage {
  /** The address of whoever is signed in. */
  email: string
  /** Signed values of the forms. */
  forms: { confirm: string; send: string; logout: string }
  proofs: Proof[]
  /** Undefined for those who have nothing to prove themselves by: they sign in anew. */
  chosen: Proof | undefined
  /** Where they go on, a path of the account. */
  next: string
  told?: 'sent' | 'notSent' | undefined
  problem?: Problem
}

/** Asks somebody who is signed in to prove that it is still them: a step on the way, without the rest of the account. */
export function confirmPage({ email, forms, chosen, next, ...data }: ConfirmPage, page: PageContext): string {
  const { account, secondStep, returning } = textsFor(page.lang)
  const texts = { ...secondStep, ...account.confirm }
  const labelOf = ({ method, identifier }: Proof) =>
    method === 'password' ? texts.password : fill(secondStep.ways[method], { identifier: identifier ?? '' })
  const isPasskey = chosen?.method === 'passkey'
  return renderPage(
    {
      template: new URL('./confirm.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      ...(isPasskey &&
        passkeyButton({
          about: { method_id: chosen.id, action: 'reauth' },
          answer: '/auth/reauthenticate',
          next: page.flow === undefined ? next : inFlow('/login', page.flow),
          refused: texts.refusals.PASSKEY,
        })),
      data: {
        texts,
        signedInAs: account.overview.signedInAs,
        email,
        chosen,
        next,
        isPasskey,
        sentence: sentenceFor(chosen, texts),
        label: chosen?.method === recovery.method ? texts.recoveryCode : texts.code,
        sends: chosen?.method === 'email' || chosen?.method === 'sms',
        told: data.told && texts[data.told],
        form: {
          page: forms.confirm,
          problem: wordsFor(page.lang, data.problem, texts.refusals),
          isRefused: isAboutCode(data.problem) || codeOf(data.problem) === 'INVALID_CURRENT_PASSWORD',
        },
        sendForm: forms.send,
        logoutForm: forms.logout,
        asAnother: page.flow && { href: inFlow('/login?another=true', page.flow), label: returning.asAnother },
        others: data.proofs
          .filter(({ id }) => id !== chosen?.id)
          .map((proof) => ({
            href: inFlow(`${confirmPath}?${new URLSearchParams({ next, way: proof.id })}`, page.flow),
            label: labelOf(proof),
          })),
      },
    },
    page,
  )
}

type Texts = PageTexts['secondStep'] & PageTexts['account']['confirm']

function sentenceFor(chosen: Proof | undefined, texts: Texts): string {
  if (!chosen) return texts.nothing
  if (chosen.method === 'password') return texts.byPassword
  return fill(texts.sentences[chosen.method], { identifier: chosen.identifier ?? '' })
}

import { inFlow } from '../../../../ui/flow/flow.ts'
import { recoverPasskeyPath, secondStepPath } from '../../../../ui/paths.ts'
import { isAboutCode, type PageProblem, problemText } from '../../../../ui/shared/problem-text.ts'
import { type PageContext, renderPage } from '../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../ui/texts/index.ts'
import type { MethodKind } from '../../queries.ts'
import { isMethodKind } from '../../schemas.ts'
import { factorInput } from '../factor-input.ts'
import { passkeyButton } from '../passkey-scripts.ts'
import { securityTextsFor } from '../texts.ts'

export interface OfferedMethod {
  id: string
  method: MethodKind
  /** A masked email address or phone number. Null if the method sends nothing. */
  identifier: string | null
}

export const hasKnownKind = <Listed extends { method: string }>(
  listed: Listed,
): listed is Listed & { method: MethodKind } => isMethodKind(listed.method)

export interface SecondStepPage {
  forms: { verify: string; send: string; logout: string }
  methods: OfferedMethod[]
  chosen: OfferedMethod
  next: string
  sendOutcome?: 'sent' | 'notSent' | undefined
  problem?: PageProblem
  attemptsLeft?: number | undefined
}

/** In seconds. */
const waitBeforeSending = 30

/** The API does not list recovery codes as a method, so the page adds them. */
export const recoveryChoice: OfferedMethod = { id: 'recovery', method: 'recovery', identifier: null }

export function secondStepPage(data: SecondStepPage, page: PageContext): string {
  const texts = securityTextsFor(page.lang).secondStep
  const { forms, chosen, next, problem, attemptsLeft } = data
  const others = [...data.methods, recoveryChoice].filter(({ id }) => id !== chosen.id)
  const words = problemText(page.lang, problem, texts.rejections)
  const isPasskey = chosen.method === 'passkey'
  const sends = chosen.method === 'email' || chosen.method === 'sms'
  // A code is sent automatically only for the default method.
  const isSent = sends && (data.sendOutcome !== undefined || chosen.id === data.methods[0]?.id)
  return renderPage(
    {
      template: new URL('./second-step.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      ...(isSent && { scripts: ['wait.js'] }),
      ...(isPasskey &&
        passkeyButton({
          about: { method_id: chosen.id },
          answer: '/auth/two_factor/verify',
          next,
          addPasskey: inFlow(recoverPasskeyPath, page.flow),
          refused: texts.rejections.PASSKEY,
        })),
      data: {
        texts,
        chosen,
        wait: waitBeforeSending,
        isSent,
        sentence: fill((sends && !isSent ? texts.ways : texts.sentences)[chosen.method], {
          identifier: chosen.identifier ?? '',
        }),
        field: factorInput(texts, chosen.method, isAboutCode(problem)),
        sendOutcome: data.sendOutcome && texts[data.sendOutcome],
        form: {
          formToken: forms.verify,
          problem:
            words && attemptsLeft !== undefined
              ? `${words} ${fillPlural(page.lang, texts.attemptsLeft, attemptsLeft)}`
              : words,
        },
        sends,
        sendForm: forms.send,
        logoutForm: forms.logout,
        others: others.map(({ id, method, identifier }) => ({
          href: inFlow(`${secondStepPath}?method=${encodeURIComponent(id)}`, page.flow),
          label: fill(texts.ways[method], { identifier: identifier ?? '' }),
        })),
      },
    },
    page,
  )
}

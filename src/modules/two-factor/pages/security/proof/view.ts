import { type AccountArea, renderAccountLayout } from '../../../../../ui/account/layout.ts'
import { securityPath } from '../../../../../ui/paths.ts'
import { isAboutCode, problemText } from '../../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../../ui/texts/index.ts'
import { factorInput } from '../../factor-input.ts'
import { passkeyForm } from '../../passkey-scripts.ts'
import { type SecurityTexts as PageTexts, securityTextsFor } from '../../texts.ts'
import { isActive, isSent, type ListedMethod, methodNameOf } from '../shared/methods.ts'
import { securityPaths } from '../shared/paths.ts'

export type ProofAction = { kind: 'remove'; target: ListedMethod } | { kind: 'toggle' }

export interface ProofPage {
  area: AccountArea
  action: ProofAction
  methods: ListedMethod[]
  chosen: ListedMethod
  forms: { prove: string; send: string }
  sendOutcome?: 'sent' | 'notSent' | undefined
  problem?: string | undefined
  attemptsLeft?: number | undefined
}

export function proofPage(data: ProofPage, page: PageContext): string {
  const { security, secondStep } = securityTextsFor(page.lang)
  const { action, methods, chosen, forms, attemptsLeft } = data
  const words = problemText(page.lang, data.problem, { ...security.rejections, PASSKEY: secondStep.rejections.PASSKEY })
  const isPasskey = chosen.method === 'passkey'
  const waitsForSend = isSent(chosen) && !data.sendOutcome && data.problem === undefined
  const heading = headingOf(action, methods, security)
  return renderAccountLayout(
    data.area,
    {
      template: new URL('./proof.eta', import.meta.url),
      title: heading.title,
      ...(isPasskey &&
        passkeyForm({
          about: { method_id: chosen.id, action: action.kind },
          refused: secondStep.rejections.PASSKEY,
        })),
      data: {
        ...heading,
        texts: secondStep,
        back: { href: securityPath, label: security.cancel },
        chosen,
        targetId: targetOf(action),
        method: fill(secondStep.sentences[chosen.method], { identifier: nameOrAddress(chosen) }),
        sends: isSent(chosen),
        waitsForSend,
        sendCode: security.proof.sendCode,
        sendText: fill(security.proof.sends[chosen.method === 'sms' ? 'sms' : 'email'], { to: nameOrAddress(chosen) }),
        field: factorInput(
          secondStep,
          chosen.method,
          isAboutCode(data.problem) || data.problem === 'TWO_FACTOR_CODE_REQUIRED',
        ),
        sent: data.sendOutcome && secondStep[data.sendOutcome],
        action: proofPathOf(action),
        sendAction: sendPathOf(action),
        sendForm: forms.send,
        form: {
          formToken: forms.prove,
          problem:
            words && attemptsLeft !== undefined
              ? `${words} ${fillPlural(page.lang, secondStep.attemptsLeft, attemptsLeft)}`
              : words,
        },
        others: proversOf(action, methods)
          .filter(({ id }) => id !== chosen.id)
          .map((method) => ({ href: proofAddress(action, method), label: methodNameOf(security, method) })),
      },
    },
    page,
  )
}

/** Removing a method requires verification with another method, if there is one. Recovery codes are always accepted. */
export function proversOf(action: ProofAction, methods: ListedMethod[]): ListedMethod[] {
  const active = methods.filter(isActive)
  const others = action.kind === 'remove' ? active.filter(({ id }) => id !== action.target.id) : active
  const recovery = methods.filter(({ method, metadata }) => method === 'recovery' && (metadata.remaining ?? 0) > 0)
  return [...(others.length > 0 ? others : active), ...recovery]
}

export const proofPathOf = (action: ProofAction): string =>
  action.kind === 'remove' ? securityPaths.remove : securityPaths.off
export const sendPathOf = (action: ProofAction): string =>
  action.kind === 'remove' ? securityPaths.removeSend : securityPaths.offSend
export const targetOf = (action: ProofAction): string | undefined =>
  action.kind === 'remove' ? action.target.id : undefined

export function proofAddress(action: ProofAction, prover?: ListedMethod): string {
  const target = targetOf(action)
  const query = new URLSearchParams({ ...(target && { id: target }), ...(prover && { method_id: prover.id }) })
  return `${proofPathOf(action)}?${query}`
}

const nameOrAddress = ({ identifier }: ListedMethod): string => identifier ?? ''

function headingOf(action: ProofAction, methods: ListedMethod[], security: PageTexts['security']) {
  const { proof: texts } = security
  if (action.kind === 'toggle') return { title: texts.toggle, text: texts.toggleText, submit: texts.toggleSubmit }
  const isLast = methods.filter(isActive).length === 1
  const text = isLast ? texts.removeLast : texts.removeText
  return { title: texts.remove, name: methodNameOf(security, action.target), text, submit: texts.removeSubmit }
}

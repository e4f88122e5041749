import { type AccountArea, renderArea } from '../../../../../pages/account/shared/area.ts'
import { isAboutCode, problemText } from '../../../../../pages/shared/problem-text.ts'
import type { PageContext } from '../../../../../pages/shared/render.ts'
import { fill, fillPlural } from '../../../../../pages/texts/index.ts'
import { passkeyForm } from '../../passkey-scripts.ts'
import { type SecurityTexts as PageTexts, securityTextsFor } from '../../texts.ts'
import { isActive, isSent, type ListedMethod, methodNameOf } from '../shared/methods.ts'
import { securityPath, securityPaths } from '../shared/paths.ts'

export type ProofAction = { action: 'remove'; target: ListedMethod } | { action: 'toggle' }

export interface ProofPage {
  area: AccountArea
  deed: ProofAction
  methods: ListedMethod[]
  chosen: ListedMethod
  forms: { prove: string; send: string }
  told?: 'sent' | 'notSent' | undefined
  problem?: string | undefined
  attemptsLeft?: number | undefined
}

export function proofPage(data: ProofPage, page: PageContext): string {
  const { security, secondStep } = securityTextsFor(page.lang)
  const { deed: action, methods, chosen, forms, attemptsLeft } = data
  const words = problemText(page.lang, data.problem, { ...security.refusals, PASSKEY: secondStep.refusals.PASSKEY })
  const isPasskey = chosen.method === 'passkey'
  const waitsForSend = isSent(chosen) && !data.told && data.problem === undefined
  const sendOutcome = toldOf(action, methods, security)
  return renderArea(
    data.area,
    {
      template: new URL('./proof.eta', import.meta.url),
      title: sendOutcome.title,
      ...(isPasskey &&
        passkeyForm({
          about: { method_id: chosen.id, action: action.action },
          refused: secondStep.refusals.PASSKEY,
        })),
      data: {
        ...sendOutcome,
        texts: secondStep,
        back: { href: securityPath, label: security.cancel },
        chosen,
        targetId: targetOf(action),
        method: fill(secondStep.sentences[chosen.method], { identifier: nameOrAddress(chosen) }),
        sends: isSent(chosen),
        waitsForSend,
        sendCode: security.proof.sendCode,
        sendText:
          waitsForSend &&
          fill(security.proof.sends[chosen.method === 'sms' ? 'sms' : 'email'], { to: nameOrAddress(chosen) }),
        label: chosen.method === 'recovery' ? secondStep.recoveryCode : secondStep.code,
        sent: data.told && secondStep[data.told],
        action: proofPathOf(action),
        sendAction: sendPathOf(action),
        sendForm: forms.send,
        form: {
          formToken: forms.prove,
          problem:
            words && attemptsLeft !== undefined
              ? `${words} ${fillPlural(page.lang, secondStep.attemptsLeft, attemptsLeft)}`
              : words,
          isRefused: isAboutCode(data.problem) || data.problem === 'TWO_FACTOR_CODE_REQUIRED',
        },
        others: proversOf(action, methods)
          .filter(({ id }) => id !== chosen.id)
          .map((method) => ({ href: proofAddress(action, method), label: methodNameOf(security, method) })),
      },
    },
    page,
  )
}

/** Removing a method requires another one, unless there is none. Recovery codes are always accepted. */
export function proversOf(action: ProofAction, methods: ListedMethod[]): ListedMethod[] {
  const active = methods.filter(isActive)
  const others = action.action === 'remove' ? active.filter(({ id }) => id !== action.target.id) : active
  const recovery = methods.filter(({ method, metadata }) => method === 'recovery' && (metadata.remaining ?? 0) > 0)
  return [...(others.length > 0 ? others : active), ...recovery]
}

export const proofPathOf = (action: ProofAction): string =>
  action.action === 'remove' ? securityPaths.remove : securityPaths.off
export const sendPathOf = (action: ProofAction): string =>
  action.action === 'remove' ? securityPaths.removeSend : securityPaths.offSend
export const targetOf = (action: ProofAction): string | undefined =>
  action.action === 'remove' ? action.target.id : undefined

export function proofAddress(action: ProofAction, prover?: ListedMethod): string {
  const target = targetOf(action)
  const query = new URLSearchParams({ ...(target && { id: target }), ...(prover && { method_id: prover.id }) })
  return `${proofPathOf(action)}?${query}`
}

const nameOrAddress = ({ identifier }: ListedMethod): string => identifier ?? ''

function toldOf(action: ProofAction, methods: ListedMethod[], security: PageTexts['security']) {
  const { proof: texts } = security
  if (action.action === 'toggle') return { title: texts.toggle, text: texts.toggleText, submit: texts.toggleSubmit }
  const isLast = methods.filter(isActive).length === 1
  const text = isLast ? texts.removeLast : texts.removeText
  return { title: texts.remove, name: methodNameOf(security, action.target), text, submit: texts.removeSubmit }
}

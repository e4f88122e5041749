import { ValidationRoute } from '../../../sessions/route-schemas.ts'
import { call } from '../../../ui/shared/api-route.ts'
import type { PageProof, SecondFactorPages } from '../../../ui/shared/second-factor-pages.ts'
import type { PageApi } from '../../../ui/shared/visit.ts'
import { fill, type PageLanguage, textsFor } from '../../../ui/texts/index.ts'
import { MethodsRoute } from '../method-schemas.ts'
import { passkeyButton } from './passkey-scripts.ts'
import { type OfferedMethod, recoveryChoice } from './second-step/view.ts'
import { sendCode } from './send-code.ts'
import { securityTextsFor } from './texts.ts'

export const secondFactorPages: SecondFactorPages = {
  module: 'two-factor',
  async proofsOf(api) {
    const response = await api(call(MethodsRoute))
    const methods = response.ok ? response.body.methods.filter(({ status }) => status === 'active') : []
    const comeFirst = methods.length > 0 && !(await isConfirmed(api))
    return { proofs: methods.map(proofBy), comeFirst }
  },
}

/** In an unconfirmed session, such as one in a remembered browser, the password alone might not be accepted. */
async function isConfirmed(api: PageApi): Promise<boolean> {
  const response = await api(call(ValidationRoute))
  return response.ok && response.body.session.two_factor_verified === 1
}

export function proofBy({ id, method, identifier }: OfferedMethod): PageProof {
  const isRecovery = method === recoveryChoice.method
  const words: PageProof['words'] = (lang) => {
    const { secondStep: texts } = securityTextsFor(lang)
    const to = { identifier: identifier ?? '' }
    return {
      name: fill(texts.ways[method], to),
      sentence: fill(texts.sentences[method], to),
      field: isRecovery ? texts.recoveryCode : texts.code,
      button: { label: texts.usePasskey, needsScript: texts.needsScript },
      sending: { label: texts.send, sent: texts.sent, notSent: texts.notSent },
    }
  }
  if (method === 'passkey') return { id, words, script: (lang, addresses) => askForPasskey(id, addresses, lang) }
  const sends = method === 'email' || method === 'sms'
  return {
    id,
    words,
    field: isRecovery ? 'word' : 'digits',
    ...(sends && { send: sendCode({ id, method }, 'reauth') }),
  }
}

const askForPasskey = (id: string, addresses: { answer: string; next: string }, lang: PageLanguage) =>
  passkeyButton({
    about: { method_id: id, action: 'reauth' },
    ...addresses,
    refused: textsFor(lang).account.confirm.byPasskey.refused,
  })

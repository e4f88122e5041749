import { pagesOfferPasskeys } from '../../../config/passkeys.ts'
import type { Context } from '../../../context.ts'
import { ListPasskeysRoute } from '../../../passkeys/schemas.ts'
import { call } from '../../../ui/shared/api-route.ts'
import type { PageProof } from '../../../ui/shared/second-factor-pages.ts'
import type { PageApi } from '../../../ui/shared/visit.ts'
import { type PageLanguage, textsFor } from '../../../ui/texts/index.ts'

const textsOf = (lang: PageLanguage) => textsFor(lang).account.confirm.byPasskey

export const passkeyProof: PageProof = {
  id: 'passkey',
  words(lang) {
    const { name, sentence, button: label, needsScript } = textsOf(lang)
    return { name, sentence, button: { label, needsScript } }
  },
  script: (lang, addresses) => ({
    scripts: ['passkey-check.js'],
    settings: {
      ask: '/auth/passkeys/options',
      about: { action: 'reauth' },
      ...addresses,
      refused: textsOf(lang).refused,
    },
  }),
}

/** Returns an empty list for users without a passkey. */
export async function passkeyProofs(ctx: Context, api: PageApi): Promise<PageProof[]> {
  if (!pagesOfferPasskeys(ctx.config)) return []
  const response = await api(call(ListPasskeysRoute))
  return response.ok && response.body.passkeys.length > 0 ? [passkeyProof] : []
}

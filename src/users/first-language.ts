import type { RequestDevice } from '../context.ts'
import { preferredLanguage } from '../lib/locale.ts'
import { messageLanguages } from '../outbox/messages.ts'

/** Emails that are sent outside a request use this language. */
export function firstLanguage({ acceptLanguage }: Pick<RequestDevice, 'acceptLanguage'>): { lang?: string } {
  const lang = preferredLanguage(messageLanguages(), acceptLanguage)
  return lang === undefined ? {} : { lang }
}

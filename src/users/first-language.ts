import type { Device } from '../context.ts'
import { preferredLanguage } from '../lib/locale.ts'
import { messageLanguages } from '../outbox/messages.ts'

/**
 * The browser's language at registration, if there are mails in it. Used for later mails, which are sent without a
 * request.
 */
export function firstLanguage({ acceptLanguage }: Pick<Device, 'acceptLanguage'>): { lang?: string } {
  const lang = preferredLanguage(messageLanguages(), acceptLanguage)
  return lang === undefined ? {} : { lang }
}

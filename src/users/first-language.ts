import type { Device } from '../context.ts'
import { preferredLanguage } from '../lib/locale.ts'
import { messageLanguages } from '../outbox/messages.ts'

/**
 * The language of a new user who names none: what the browser of the registration prefers, if there are mails in it. Later
 * mails, which no request of theirs accompanies, are written in it.
 */
export function firstLanguage({ acceptLanguage }: Pick<Device, 'acceptLanguage'>): { lang?: string } {
  const lang = preferredLanguage(messageLanguages(), acceptLanguage)
  return lang === undefined ? {} : { lang }
}

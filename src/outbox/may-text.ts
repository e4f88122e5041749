import type { Context, Transaction } from '../context.ts'
import { countryOfNumber } from '../lib/contact.ts'
import { keyedHash } from '../lib/hash.ts'
import { countText } from './queries.ts'

export type TextRejection = 'country' | 'number' | 'range' | 'budget'

/**
 * Text messages cost money, and fraudsters earn money from messages to some numbers. Limits apply to countries,
 * numbers, number ranges and the total. The response to the client does not depend on the result.
 */
export async function rejectionOfText(tx: Transaction, to: string): Promise<TextRejection | undefined> {
  const { AUTH_SECRET, SMS_CAP, SMS_BUDGET } = tx.config
  if (!isAllowedCountry(tx, to)) return 'country'
  const keyOf = (kind: string, digits: string) => `sms:${kind}:${keyedHash(AUTH_SECRET, 'sms-cap', digits)}`
  return countText(tx.db, [
    { name: 'number', key: keyOf('number', to), ...SMS_CAP },
    { name: 'range', key: keyOf('range', to.slice(0, -3)), ...SMS_CAP, attempts: SMS_CAP.attempts * rangeFactor },
    { name: 'budget', key: 'sms:all', ...SMS_BUDGET },
  ])
}

/** Fraudsters use entire number ranges, so each range has a limit ten times that of a single number. */
const rangeFactor = 10

function isAllowedCountry({ config }: Context, to: string): boolean {
  const country = countryOfNumber(to)
  // Numbers not assigned to a country, such as satellite phone numbers, are the most expensive.
  if (!country) return false
  const allowed = config.SMS_COUNTRIES.length > 0 ? config.SMS_COUNTRIES : [config.DEFAULT_PHONE_REGION ?? country]
  return allowed.includes(country)
}

import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** `ada@example.com` becomes `a***@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? '***' : `${email.match(/^./su)?.[0]}***${email.slice(at)}`
}

export const maskPhone = (phone: string): string => `***${phone.slice(-3)}`

export const countryOfNumber = (number: string): string | undefined => parsePhoneNumberFromString(number)?.country

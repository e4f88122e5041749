import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** From an E.164 number; undefined for numbers without a country. */
export const countryOfNumber = (number: string): string | undefined => parsePhoneNumberFromString(number)?.country

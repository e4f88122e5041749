import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** The country of an E.164 number; undefined for satellite and other numbers that no country has. */
export const countryOfNumber = (number: string): string | undefined => parsePhoneNumberFromString(number)?.country

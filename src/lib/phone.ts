import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

export const countryOfNumber = (number: string): string | undefined => parsePhoneNumberFromString(number)?.country

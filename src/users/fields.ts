import { domainToASCII } from 'node:url'
import { type CountryCode, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { Config } from '../config/load.ts'
import { userTypesOf } from '../config/user-types.ts'
import type { Context } from '../context.ts'
import { invalidField } from '../lib/errors.ts'
import { canonicalLanguage, canonicalTimeZone, isCountry, isTimeZone } from '../lib/locale.ts'
import { hour, isDay } from '../lib/time.ts'
import { isKeptHere } from './picture-address.ts'

/**
 * Returns the email address in lower case, with the domain in ASCII (NFKC and IDNA, RFC 5891). Returns undefined unless
 * the text is exactly one email address.
 */
export function canonicalEmail(text: string): string | undefined {
  const trimmed = text.trim()
  const at = trimmed.lastIndexOf('@')
  const [givenLocal, givenDomain] = [trimmed.slice(0, at), trimmed.slice(at + 1)]
  // The URL parser would remove line breaks from the host and decode escape sequences, so both are rejected first.
  if (at < 1 || trimmed.length > 254 || /[\p{Cc}%]/u.test(givenDomain)) return undefined
  const [local, domain] = [asciiLowerCase(givenLocal), domainToASCII(givenDomain.normalize('NFKC').toLowerCase())]
  const localForm = carrierDomains.includes(domain) ? carrierLocalForm : usualLocalForm
  if (!localForm.test(local) || local.length > 64) return undefined
  if (!domainForm.test(domain) || /\.\d+$/.test(domain)) return undefined
  const email = `${local}@${domain}`
  return email.length > 254 ? undefined : email
}

const usualLocalForm = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/** These Japanese carriers issued addresses with consecutive dots or a dot before the `@`, which RFC 5322 forbids. */
const carrierDomains = ['docomo.ne.jp', 'ezweb.ne.jp']
const carrierLocalForm = /^[a-z0-9_?+/-][a-z0-9._?+/-]*$/

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const domainForm = new RegExp(`^${label}(\\.${label})+$`)

// toLowerCase() would also map some other characters to ASCII, for example the Kelvin sign to k.
const asciiLowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

export function emailField(field: string, text: string): string {
  const email = canonicalEmail(text)
  if (!email && /[\u0080-\u{10ffff}].*@/su.test(text))
    throw invalidField(field, 'must have only ASCII characters before the @')
  if (!email) throw invalidField(field, 'must be one email address such as ada@example.com')
  return email
}

/** Those of the settings, and the roles that superadmins have added. */
export const existingUserTypes = ({ config, staff }: Pick<Context, 'config' | 'staff'>): string[] => [
  ...userTypesOf(config),
  ...staff.customRoles().map(({ key }) => key),
]

export function userTypeField(field: string, text: string, ctx: Context): string {
  const types = existingUserTypes(ctx)
  if (!types.includes(text)) throw invalidField(field, `must be one of ${types.join(', ')}`)
  return text
}

export function userNameField(field: string, text: string): string {
  const name = text.trim()
  if (!/^[A-Za-z0-9._-]{3,32}$/.test(name))
    throw invalidField(field, 'must be 3 to 32 letters, digits, dots, hyphens or underscores')
  return name
}

export const nameField = (field: string, text: string): string => lineField(field, text, 100)

export const genderField = (field: string, text: string): string => lineField(field, text, 32)

/** For passkeys and other second factors. */
export const methodNameField = (field: string, text: string): string => lineField(field, text, 64)

/** Returns one line of normalized text. Rejects control characters and characters that change the text direction. */
export function lineField(field: string, text: string, maxLength: number): string {
  const name = text.normalize('NFC').trim()
  if ([...name].length > maxLength) throw invalidField(field, `must have at most ${maxLength} characters`)
  if (/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(name))
    throw invalidField(field, 'must not contain control characters')
  if (!name.isWellFormed()) throw invalidField(field, 'must be well-formed Unicode')
  return name
}

/**
 * Returns the number in E.164 format. A number without `+` or an international prefix is treated as local to
 * DEFAULT_PHONE_REGION. The prefix is the region's or, if the number does not start with that, `00`.
 */
export function phoneField(field: string, text: string, config: Config): string {
  const region = config.DEFAULT_PHONE_REGION
  const defaultCountry = region && isCountry(region) ? (region as CountryCode) : undefined
  // NFKC turns full-width digits and signs into ASCII.
  const plain = text.normalize('NFKC').trim()
  const number = parsePhoneNumberFromString(
    hasPrefixOf(defaultCountry, plain) ? plain : plain.replace(/^00(?=[1-9 ])/, '+'),
    defaultCountry ? { defaultCountry } : undefined,
  )
  if (!number?.isPossible())
    throw invalidField(field, 'must be a phone number in international form such as +491701234567')
  return number.number
}

/** With 00 alone, 001 65… from Hong Kong or Thailand, a number in Singapore, would be one in the United States. */
function hasPrefixOf(country: CountryCode | undefined, text: string): boolean {
  if (!country) return false
  const metadata = new Metadata()
  metadata.selectNumberingPlan(country)
  const prefix = metadata.numberingPlan?.IDDPrefix()
  return prefix !== undefined && new RegExp(`^(?:${prefix})`).test(text.replace(/[^\d+]/g, ''))
}

export function languageField(field: string, text: string): string {
  const tag = text.length <= 35 ? canonicalLanguage(text.replaceAll('_', '-')) : undefined
  if (!tag) throw invalidField(field, 'must be a language tag such as en or es-MX')
  return tag
}

export function timeZoneField(field: string, text: string): string {
  if (text.length > 64 || !isTimeZone(text)) throw invalidField(field, 'must be a time zone such as Europe/Berlin')
  return canonicalTimeZone(text)
}

/**
 * The URL is never fetched. Because clients send back the complete user, the URL of an uploaded picture is accepted but
 * changes nothing.
 */
export function pictureField(field: string, text: string, config: Config): string | undefined {
  const url = text.length <= 2048 && URL.canParse(text) ? new URL(text) : undefined
  if (url && isKeptHere(config, url)) return undefined
  const isOurs = url !== undefined && url.origin === new URL(config.PUBLIC_URL).origin
  if (!url || url.username || !(url.protocol === 'https:' || isOurs)) throw invalidField(field, 'must be an https URL')
  return url.href
}

/** Accepts days from 1900-01-01 to the current day in the easternmost time zone. */
export function birthdayField(field: string, text: string, now: number): string {
  const today = new Date(now + 14 * hour).toISOString().slice(0, 10)
  if (!isDay(text) || text < '1900-01-01' || text > today)
    throw invalidField(field, 'must be a date such as 1990-12-31, from 1900-01-01 to today')
  return text
}

const freeObjectBytes = 16 * 1024
const specialNames = ['__proto__', 'constructor', 'prototype']

/** Clients may store any data here. The service grants no permissions based on it. */
export function freeObjectField(field: string, value: Record<string, unknown>): Record<string, unknown> {
  if (Buffer.byteLength(JSON.stringify(value)) > freeObjectBytes)
    throw invalidField(field, `must have at most ${freeObjectBytes} bytes as JSON`)
  const special = specialNames.find((name) => hasMember(value, name))
  if (special) throw invalidField(field, `must not have a member named ${special}`)
  return value
}

/** The JSON parser has already limited the nesting depth. */
const hasMember = (value: unknown, name: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, name) || Object.values(value).some((inner) => hasMember(inner, name)))

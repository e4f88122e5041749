import type { ApplicationKind } from '../db/rows/applications.ts'
import { webAddress } from '../lib/client-text.ts'
import { AppError, type FieldProblem, invalidField } from '../lib/errors.ts'
import { type ReadMember, readPresent } from '../lib/read-all.ts'
import { isOrigin, isWeb, returnAddressIn } from '../lib/return-address.ts'
import { lineField } from '../users/fields.ts'
import { isLocal } from './application-set.ts'
import type { Address } from './queries.ts'
import { readAccent, readApplicationLogo, readPublicName, readSignOutUrl, secureLink } from './read-appearance.ts'
import { readAccept, readGatewayPermission, readGatewayResource, readGatewayScope } from './read-gateway.ts'
import { readMethods } from './sign-in-methods.ts'

export interface ApplicationInput {
  key?: string
  name?: string
  kind?: ApplicationKind
  home_url?: string | null
  return_addresses?: string[]
  origins?: string[]
  development?: boolean
  note?: string
  accepts?: string[]
  accent?: string | null
  /** A base64 data URL. */
  logo?: string | null
  terms_url?: string | null
  privacy_url?: string | null
  sign_out_url?: string | null
  sign_in_methods?: string[]
  registration?: boolean
  gateway_accept?: string[]
  gateway_scope?: string[]
  gateway_permission?: string | null
  gateway_resource?: string | null
}

export const applicationKinds = [
  'website',
  'single_page',
  'mobile',
  'gateway',
  'service',
] as const satisfies readonly ApplicationKind[]

export const maxName = 80
export const maxNote = 500
export const maxAddresses = 50
export const keyPattern = '^[a-z][a-z0-9-]{1,39}$'

/** Throws VALIDATION_ERROR with all problems. Addresses are checked by `assertAddresses`. */
export const readApplication = (input: ApplicationInput) =>
  readPresent((read) => ({
    ...readLook(input, read),
    key: read(input.key, readKey),
    name: read(input.name, readName),
    kind: input.kind,
    home_url: read(input.home_url, (text) => (text === null ? null : webAddress('home_url', text))),
    note: read(input.note, (text) => lineField('note', text, maxNote)),
    is_development: input.development,
    accepts: read(input.accepts, readAccepted),
    sign_in_methods: read(input.sign_in_methods, readMethods),
    registration: input.registration,
    gateway_accept: read(input.gateway_accept, readAccept),
    gateway_scope: read(input.gateway_scope, readGatewayScope),
    gateway_permission: read(input.gateway_permission, readGatewayPermission),
    gateway_resource: read(input.gateway_resource, readGatewayResource),
    return: read(input.return_addresses, (given) => readAddresses('return_addresses', given, readReturnAddress)),
    origin: read(input.origins, (given) => readAddresses('origins', given, readOrigin)),
  }))

const readLook = (input: ApplicationInput, read: ReadMember) => {
  const logo = read(input.logo, readApplicationLogo)
  return {
    accent: read(input.accent, readAccent),
    logo: logo === null ? null : logo?.stored,
    logoBytes: logo?.bytes,
    terms_url: read(input.terms_url, (text) => secureLink('terms_url', text)),
    privacy_url: read(input.privacy_url, (text) => secureLink('privacy_url', text)),
    sign_out_url: read(input.sign_out_url, readSignOutUrl),
  }
}

export type ReadInput = ReturnType<typeof readApplication>

export const acceptedProblem = (key: string): FieldProblem => ({
  field: 'accepts',
  message: `must contain keys of other applications, which ${quoted(key)} is not`,
})

function readAccepted(keys: string[]): string[] {
  const wrong = keys.find((key) => !new RegExp(keyPattern).test(key))
  if (wrong !== undefined)
    throw invalidField('accepts', `must contain keys of applications, which ${quoted(wrong)} is not`)
  if (keys.length > maxAddresses) throw invalidField('accepts', `must not contain more than ${maxAddresses} keys`)
  return [...new Set(keys)].toSorted()
}

/** The command line has no schema. */
function readKey(text: string): string {
  if (new RegExp(keyPattern).test(text)) return text
  throw invalidField('key', 'must have 2 to 40 lowercase letters, digits and hyphens, and begin with a letter')
}

function readName(text: string): string {
  const name = lineField('name', text, maxName)
  if (name === '') throw invalidField('name', 'is required')
  return readPublicName(name, maxName)
}

function readAddresses(field: string, given: string[], read: (field: string, text: string) => string): string[] {
  const addresses = [...new Set(given.map((text) => read(field, text)))]
  if (addresses.length > maxAddresses) throw invalidField(field, `must not contain more than ${maxAddresses} addresses`)
  return addresses
}

function readReturnAddress(field: string, text: string): string {
  assertNoWildcard(field, text)
  const address = returnAddressIn(text)
  if (address === undefined)
    throw invalidField(
      field,
      `must contain origins (https://app.example.com), origins with a path (https://example.com/app) or app schemes (myapp://), which ${quoted(text)} is not`,
    )
  return address
}

function readOrigin(field: string, text: string): string {
  assertNoWildcard(field, text)
  if (!isOrigin(text))
    throw invalidField(field, `must contain origins such as https://app.example.com, which ${quoted(text)} is not`)
  return text
}

function assertNoWildcard(field: string, text: string): void {
  if (!text.includes('*')) return
  throw invalidField(
    field,
    `must not contain wildcards, because anyone who controls one matching host could receive sign-ins; list each address instead of ${quoted(text)}, or let your pipeline add and remove preview addresses with this API`,
  )
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 200))

export const listNames: Record<Address['kind'], string> = {
  return: 'return_addresses',
  origin: 'origins',
}

export function assertAddresses(addresses: readonly Address[], isDevelopment: boolean): void {
  const details = addressProblems(addresses, isDevelopment)
  if (details.length > 0) throw new AppError('VALIDATION_ERROR', { details })
}

/** Tokens and sessions must not travel unencrypted, except on the developer's own machine. */
export const addressProblems = (addresses: readonly Address[], isDevelopment: boolean): FieldProblem[] =>
  addresses.flatMap(({ kind, address }) => {
    const url = new URL(address)
    if (!isWeb(url.protocol) || url.protocol === 'https:') return []
    const message = isLocal(url)
      ? `contains ${address}, which requires \`development\``
      : `contains ${address}, but must be https`
    return isLocal(url) && isDevelopment ? [] : [{ field: listNames[kind], message }]
  })

export const takenProblem = ({
  kind,
  address,
  key,
  deleted_at,
}: Address & { key: string; deleted_at: Date | null }) => ({
  field: listNames[kind],
  message: `contains ${address}, which belongs to the ${deleted_at ? 'deleted ' : ''}application ${key}`,
})

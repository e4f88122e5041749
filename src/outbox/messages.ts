import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RequestDevice } from '../context.ts'
import { preferredLanguage } from '../lib/locale.ts'
import { day } from '../lib/time.ts'

export type LifetimeSetting =
  | 'CODE_TTL'
  | 'EMAIL_CHANGE_TTL'
  | 'INVITE_TTL'
  | 'LOGIN_LINK_TTL'
  | 'RESET_TTL'
  | 'VERIFY_EMAIL_TTL'

interface MessageOptions {
  variables: readonly string[]
  /** Text messages must be short, so they contain neither a greeting nor a time. */
  isText?: true
  /** Emails with codes are requested more often and have a higher limit. */
  isResentOften?: true
  /** The setting that defines `expires_in`, or a fixed lifetime in milliseconds. */
  lifetime?: LifetimeSetting | number
  /** The text contains conditions, which templates cannot express. */
  isFixed?: true
  /** By variable and language: the words for values that are API names. */
  words?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>
}

export type MessageDeclarations = Readonly<Record<string, readonly string[] | MessageOptions>>

/** Each message's variables, in addition to the common ones. `templates/` has a folder for each language. */
const coreMessages = {
  verify_email: { variables: ['url', 'code', 'expires_in', 'code_expires_in'], lifetime: 'VERIFY_EMAIL_TTL' },
  email_change_current: {
    variables: ['new_email_masked', 'confirm_url', 'cancel_url', 'expires_in'],
    lifetime: 'EMAIL_CHANGE_TTL',
  },
  email_change_by_passkey: {
    variables: ['new_email_masked', 'confirm_url', 'cancel_url', 'expires_in'],
    lifetime: 3 * day,
  },
  email_change_new: { variables: ['confirm_url', 'expires_in'], lifetime: 'EMAIL_CHANGE_TTL' },
  email_change_attempt: ['login_url'],
  email_changed: ['old_email_masked', 'new_email_masked'],
  email_change_cancelled: ['old_email_masked', 'new_email_masked'],
  account_exists: ['login_url', 'reset_url'],
  account_locked: ['reset_url'],
  account_created: { variables: ['url', 'expires_in', 'invited_by'], lifetime: 'INVITE_TTL' },
  account_deleted: ['restorable_until'],
  new_device: ['ip', 'user_agent'],
  login_link: {
    variables: ['url', 'code', 'expires_in', 'code_expires_in', 'ip', 'user_agent'],
    isResentOften: true,
    lifetime: 'LOGIN_LINK_TTL',
  },
  login_code: {
    variables: ['url', 'code', 'expires_in', 'code_expires_in', 'host'],
    isText: true,
    lifetime: 'LOGIN_LINK_TTL',
  },
  registration_code: { variables: ['code', 'expires_in', 'ip'], isResentOften: true, lifetime: 'CODE_TTL' },
  recovery_code: { variables: ['code', 'expires_in', 'ip'], isResentOften: true, lifetime: 'CODE_TTL' },
  credentials_removed: ['reset_url'],
  passkey_added: ['passkey', 'ip', 'user_agent', 'support_url'],
  passkey_created: ['passkey', 'ip', 'user_agent', 'support_url'],
  passkey_removed: ['passkey', 'ip', 'user_agent', 'support_url'],
  recovery_code_used: ['remaining', 'ip', 'support_url'],
  recovery_codes_replaced: ['ip', 'support_url'],
  social_linked: ['provider', 'ip', 'user_agent', 'support_url'],
  social_unlinked: ['provider', 'ip', 'user_agent', 'support_url'],
  password_reset: { variables: ['url', 'code', 'expires_in', 'code_expires_in', 'ip'], lifetime: 'RESET_TTL' },
  passkeys_reset: { variables: ['url', 'expires_in'], lifetime: 'RESET_TTL' },
  admin_changed_account: { variables: ['changed'], isFixed: true },
  phone_changed: ['phone_masked', 'ip', 'user_agent', 'support_url'],
  password_changed: ['ip', 'user_agent', 'api_keys', 'keys_url', 'support_url'],
  webhook_disabled: ['host', 'webhooks_url'],
  application_addresses: ['application', 'addresses', 'audit_url'],
  staff_role: ['role', 'permissions', 'audit_url'],
  application_secret: ['application', 'secret_hint', 'rights', 'audit_url'],
} as const satisfies MessageDeclarations

const commonVariables = ['app_name', 'name', 'time'] as const

// biome-ignore lint/suspicious/noEmptyInterface: modules add members.
export interface ModuleMessages {}

export type MessageName = keyof typeof coreMessages | keyof ModuleMessages

interface Message extends MessageOptions {
  /** The templates folder, which contains a folder for each language. */
  folder: string
  /** For a module's messages: their group in the console. */
  group: string | undefined
}

const messages = new Map<string, Message>()

export const messageNames: MessageName[] = []

export function addMessages(folder: URL, added: MessageDeclarations, group?: string): void {
  for (const [name, declared] of Object.entries(added)) {
    if (messages.has(name)) throw new Error(`the message ${name} is already declared`)
    const options = 'variables' in declared ? declared : { variables: declared }
    messages.set(name, { ...options, folder: fileURLToPath(folder), group })
    messageNames.push(name as MessageName)
  }
}

const coreFolder = new URL('./templates/', import.meta.url)
addMessages(coreFolder, coreMessages)

function messageOf(name: MessageName): Message {
  const message = messages.get(name)
  if (!message) throw new Error(`there is no message ${name}`)
  return message
}

export const messageGroup = (name: MessageName): string | undefined => messageOf(name).group

export const messageFolder = (name: MessageName): string => messageOf(name).folder

export const isResentOften = (name: MessageName): boolean => messageOf(name).isResentOften === true

export function messageVariables(name: MessageName): readonly string[] {
  const { isText, variables } = messageOf(name)
  return [...(isText ? ['app_name'] : commonVariables), ...variables]
}

export const messageLifetime = (name: MessageName): LifetimeSetting | number | undefined => messageOf(name).lifetime

/** Returns the value itself if no words are declared for it or for the language. */
export const wordFor = (name: MessageName, variable: string, lang: string, value: string): string =>
  new Map(Object.entries(messageOf(name).words?.[variable]?.[lang] ?? {})).get(value) ?? value

export const isTextMessage = (name: MessageName): boolean => messageOf(name).isText === true

export const isCustomizable = (name: MessageName): boolean => messageOf(name).isFixed !== true

export const isMessageName = (name: string): name is MessageName => messages.has(name)

export const isLink = (variable: string): boolean => variable === 'url' || variable.endsWith('_url')

/** Whether users or their devices supply the variable's value, which may therefore be empty. */
export const mayBeEmpty = (variable: string): boolean =>
  !(isLink(variable) || ['app_name', 'host', 'code', 'time'].includes(variable) || /_(in|until|for)$/.test(variable))

const optionalLinks = ['login_url', 'support_url']

/** A template must contain at least one variable from each group. Otherwise, the message would be useless. */
export function requiredVariables(name: MessageName): string[][] {
  const variables = messageVariables(name)
  // The code is required because phones fill it in from the message.
  if (isTextMessage(name)) return [['code']]
  const either = ['url', 'code'].filter((one) => variables.includes(one))
  const others = variables.filter((one) => isLink(one) && one !== 'url' && !optionalLinks.includes(one))
  return [either, ...others.map((one) => [one])].filter((group) => group.length > 0)
}

/** Phones show subjects on the lock screen, so subjects contain no user-supplied text, codes or links. */
export const subjectVariables = (name: MessageName): string[] =>
  messageVariables(name).filter((one) => one === 'app_name' || one === 'provider')

let languages: string[] | undefined

export function messageLanguages(): string[] {
  languages ??= readdirSync(coreFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  return languages
}

/** Returns the language that a new user's browser prefers, for emails sent outside a request. */
export function firstLanguage({ acceptLanguage }: Pick<RequestDevice, 'acceptLanguage'>): { lang?: string } {
  const lang = preferredLanguage(messageLanguages(), acceptLanguage)
  return lang === undefined ? {} : { lang }
}

import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface MessageOptions {
  variables: readonly string[]
  /** Text messages pay by the letter: no greeting, no time. */
  isText?: true
  /** Codes are asked for more often than other mails: the first is late, or was deleted unseen. */
  isResentOften?: true
}

/** Messages by name: the variables of each, beyond the common ones. */
export type MessageDeclarations = Readonly<Record<string, readonly string[] | MessageOptions>>

/** What each message of the core says beyond the common variables. A message is one file per language in `templates/`. */
const coreMessages = {
  verify_email: ['url', 'code', 'expires_in', 'code_expires_in'],
  email_change_current: ['new_email_masked', 'confirm_url', 'cancel_url', 'expires_in'],
  email_change_new: ['confirm_url', 'expires_in'],
  email_change_attempt: ['login_url'],
  email_changed: ['old_email_masked', 'new_email_masked'],
  email_change_cancelled: ['old_email_masked', 'new_email_masked'],
  account_exists: ['login_url', 'reset_url'],
  account_locked: ['reset_url'],
  account_created: ['url', 'expires_in'],
  account_deleted: ['restorable_until'],
  new_device: ['ip', 'user_agent'],
  login_link: { variables: ['url', 'code', 'expires_in', 'code_expires_in', 'ip', 'user_agent'], isResentOften: true },
  login_code: { variables: ['url', 'code', 'expires_in', 'code_expires_in', 'host'], isText: true },
  credentials_removed: ['reset_url'],
  social_linked: ['provider', 'ip', 'user_agent', 'support_url'],
  social_unlinked: ['provider', 'ip', 'user_agent', 'support_url'],
  password_reset: ['url', 'code', 'expires_in', 'code_expires_in', 'ip'],
  admin_changed_account: ['changed'],
  phone_changed: ['phone_masked', 'ip', 'user_agent', 'support_url'],
  password_changed: ['ip', 'user_agent', 'support_url'],
} as const satisfies MessageDeclarations

const commonVariables = ['app_name', 'name', 'time'] as const

/** The messages of modules, which add theirs by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: modules fill it.
export interface ModuleMessages {}

export type MessageName = keyof typeof coreMessages | keyof ModuleMessages

interface Message extends MessageOptions {
  /** The folder that has a folder for each language. */
  folder: string
}

const messages = new Map<string, Message>()

/** Every message that is known. */
export const messageNames: MessageName[] = []

export function addMessages(folder: URL, added: MessageDeclarations): void {
  for (const [name, declared] of Object.entries(added)) {
    if (messages.has(name)) throw new Error(`the message ${name} is taken`)
    const options = 'variables' in declared ? declared : { variables: declared }
    messages.set(name, { ...options, folder: fileURLToPath(folder) })
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

/** Where the template of a message is, below a folder for each language. */
export const messageFolder = (name: MessageName): string => messageOf(name).folder

export const isResentOften = (name: MessageName): boolean => messageOf(name).isResentOften === true

export function messageVariables(name: MessageName): readonly string[] {
  const { isText, variables } = messageOf(name)
  return [...(isText ? ['app_name'] : commonVariables), ...variables]
}

let languages: string[] | undefined

/** The languages that have a folder of templates. */
export function messageLanguages(): string[] {
  languages ??= readdirSync(coreFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  return languages
}

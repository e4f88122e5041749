import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

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
  login_link: ['url', 'code', 'expires_in', 'code_expires_in', 'ip', 'user_agent'],
  login_code: ['url', 'code', 'expires_in', 'code_expires_in', 'host'],
  credentials_removed: ['reset_url'],
  social_linked: ['provider', 'ip', 'user_agent', 'support_url'],
  social_unlinked: ['provider', 'ip', 'user_agent', 'support_url'],
  password_reset: ['url', 'code', 'expires_in', 'code_expires_in', 'ip'],
  admin_changed_account: ['changed'],
  phone_changed: ['phone_masked', 'ip', 'user_agent', 'support_url'],
  two_factor_code: ['code', 'expires_in'],
  two_factor_text: ['code', 'expires_in', 'host'],
  two_factor_enabled: ['method', 'ip', 'support_url'],
  two_factor_disabled: ['method', 'remaining', 'ip', 'support_url'],
  recovery_code_used: ['remaining', 'ip', 'support_url'],
  recovery_codes_replaced: ['ip', 'support_url'],
  password_changed: ['ip', 'user_agent', 'support_url'],
} as const satisfies Record<string, readonly string[]>

/** Text messages pay by the letter: no greeting, no time. */
const texts: readonly string[] = ['login_code', 'two_factor_text']
const commonVariables = ['app_name', 'name', 'time'] as const

/** The messages of modules, which add theirs by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: modules fill it.
export interface ModuleMessages {}

export type MessageName = keyof typeof coreMessages | keyof ModuleMessages

interface Message {
  variables: readonly string[]
  /** The folder that has a folder for each language. */
  folder: string
}

const messages = new Map<string, Message>()

/** Every message that is known. */
export const messageNames: MessageName[] = []

export function addMessages(folder: URL, added: Readonly<Record<string, readonly string[]>>): void {
  for (const [name, variables] of Object.entries(added)) {
    if (messages.has(name)) throw new Error(`the message ${name} is taken`)
    messages.set(name, { variables, folder: fileURLToPath(folder) })
    messageNames.push(name as MessageName)
  }
}

const coreFolder = new URL('./templates/', import.meta.url)
addMessages(coreFolder, coreMessages)

/** Where the template of a message is, below a folder for each language. */
export function messageFolder(name: MessageName): string {
  const message = messages.get(name)
  if (!message) throw new Error(`there is no message ${name}`)
  return message.folder
}

export const messageVariables = (name: MessageName): readonly string[] => [
  ...(texts.includes(name) ? ['app_name'] : commonVariables),
  ...(messages.get(name)?.variables ?? []),
]

let languages: string[] | undefined

/** The languages that have a folder of templates. */
export function messageLanguages(): string[] {
  languages ??= readdirSync(coreFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  return languages
}

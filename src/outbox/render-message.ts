import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { durationInWords } from '../lib/duration-in-words.ts'
import { chooseLanguage } from '../lib/locale.ts'
import { defaultLook, type MailLook } from './mail-look.ts'

/** What each message says beyond the common variables. A message is one file per language in `templates/`. */
const ownVariables = {
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
  personal_data: ['url', 'expires_in'],
  deletion_requested: ['scheduled_for'],
  deletion_cancelled: [],
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

const commonVariables = ['app_name', 'name', 'time'] as const

/** Text messages pay by the letter: no greeting, no time. */
const texts: readonly string[] = ['login_code', 'two_factor_text']

export type MessageName = keyof typeof ownVariables

export interface RenderedMessage {
  subject: string
  text: string
  html: string
}

interface Paragraph {
  lines: string[]
  /** The address of a button; `lines` then holds its label. */
  link?: string
  /** The code that is all of the paragraph: people copy it by hand. */
  code?: string
}

const views = fileURLToPath(new URL('./templates/', import.meta.url))
const plainText = new Eta({ views, cache: true, autoEscape: false, autoTrim: false })
const html = new Eta({ views, cache: true, autoEscape: true })

let languages: string[] | undefined

/** The languages that have a template folder. */
export function messageLanguages(): string[] {
  languages ??= readdirSync(views, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  return languages
}

/** The text is the message; the HTML is made from the finished text, so the two never disagree. */
export function renderMessage(
  name: MessageName,
  lang: string,
  variables: Readonly<Record<string, string>>,
  look: MailLook = defaultLook,
): RenderedMessage {
  const language = chooseLanguage(messageLanguages(), lang, undefined, 'en')
  const values = valuesOf(name, language, variables)
  const [subject = '', ...rest] = plainText.render(`${language}/${name}`, values).trimEnd().split('\n')
  const text = `${rest.join('\n').trim()}\n`
  const links = Object.keys(values)
    .filter(isLink)
    .map((key) => values[key])
  const frame = {
    lang: language,
    dir: new Intl.Locale(language).getTextInfo().direction,
    appName: values.app_name,
    look,
  }
  const paragraphs = paragraphsOf(text, links, values.code)
  return { subject, text, html: html.render('layout', { ...frame, subject, paragraphs }) }
}

export const messageVariables = (name: MessageName): readonly string[] => [
  ...(texts.includes(name) ? ['app_name'] : commonVariables),
  ...ownVariables[name],
]

export const messageNames = Object.keys(ownVariables) as MessageName[]

function valuesOf(name: MessageName, lang: string, variables: Readonly<Record<string, string>>) {
  const values: Record<string, string> = {}
  for (const key of messageVariables(name)) {
    const value = variables[key]
    if (value === undefined && isNewer(name, key)) continue
    if (value === undefined) throw new Error(`message ${name} lacks its variable ${key}`)
    values[key] = shown(key, value, lang)
  }
  return values
}

function shown(key: string, value: string, lang: string): string {
  if (isLink(key)) return checkedLink(value)
  if (key.endsWith('expires_in')) return durationInWords(Number(value), lang)
  if (moments.includes(key)) return moment(new Date(value), lang)
  if (key === 'app_name' || key === 'host') return oneLine(value, 100)
  return oneLine(value, key === 'user_agent' ? 200 : 100).replace(linkParts, '\u2060')
}

/** Messages that an older version has queued lack the code: they are sent with the link alone. */
const isNewer = (name: MessageName, key: string): boolean =>
  (name === 'verify_email' || name === 'password_reset') && (key === 'code' || key === 'code_expires_in')

const moments: readonly string[] = ['time', 'restorable_until', 'scheduled_for']

const isLink = (key: string): boolean => key === 'url' || key.endsWith('_url')

/** Web addresses and those of apps (`myapp://`). The value may hold a secret: it is not part of the error. */
function checkedLink(value: string): string {
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\/[^\s\p{C}<>"'`\\]+$/iu.test(value) && URL.canParse(value)
  if (!isAddress || /^(javascript|data|vbscript|file|blob):/i.test(value))
    throw new Error('message link is not allowed')
  return value
}

const moment = (time: Date, lang: string): string =>
  new Intl.DateTimeFormat(lang, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(time)

// Mail programs turn bare addresses into links by themselves. A name must not become one, so an invisible word joiner
// (U+2060) breaks what they look for.
const linkParts = /(?<=[\p{L}\p{N}]\.)(?=\p{L})|(?<=:)(?=\/\/)/gu

const invisible = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu

/** Text that somebody else wrote: one line, no control or direction characters, of limited length. */
function oneLine(value: string, limit: number): string {
  const clean = value.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  const letters = [...clean.replace(invisible, '').replace(/ +/g, ' ').trim()]
  return letters.length > limit ? `${letters.slice(0, limit - 1).join('')}…` : letters.join('')
}

function paragraphsOf(text: string, links: (string | undefined)[], code: string | undefined): Paragraph[] {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => {
      if (code && paragraph === code) return { lines: [code], code }
      const lines = paragraph.split('\n')
      const link = links.find((one) => one === lines.at(-1))
      return link ? { lines: [lines.slice(0, -1).join(' ').replace(/:$/, '') || link], link } : { lines }
    })
}

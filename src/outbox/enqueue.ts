import type { Config } from '../config/load.ts'
import type { Context, RequestDevice, Transaction, UserRow } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { keyedHash } from '../lib/hash.ts'
import { newId } from '../lib/ids.ts'
import { chooseLanguage } from '../lib/locale.ts'
import { seal, unseal } from '../lib/seal.ts'
import { minute } from '../lib/time.ts'
import type { MessageTemplate } from './check-template.ts'
import { isResentOften, type MessageName, messageLanguages } from './messages.ts'
import { countMessage, findMessageWindow, insertMessage } from './queries.ts'

type Account = Pick<UserRow, 'id' | 'is_verified'>

export interface MailRequest {
  /** The id of the message, for callers that ask later whether it was delivered. */
  id?: string
  message: MessageName
  /** The stored email address or phone number, never a value from the request. */
  to: string
  lang: string | null
  acceptLanguage?: string | undefined
  /** The account to whose owner the email is a notice. */
  account?: Account
  variables: Record<string, string>
  /** An email not sent by this time is dropped, because its link or code has expired. */
  expiresAt?: Date
  /** A template draft, for a test message. If undefined, the stored template or the built-in message is used. */
  draft?: MessageTemplate | undefined
  isTest?: true | undefined
}

export interface MailPayload {
  to: string
  lang: string
  variables: Record<string, string>
  draft?: MessageTemplate | undefined
  isTest?: true | undefined
}

/** Drops the email if its limit is exceeded. The response does not reveal whether it was dropped. */
export async function enqueueMail(tx: Transaction, mail: MailRequest): Promise<void> {
  const { message, to, account } = mail
  if (await mayMail(tx, message, to, account && accountCounter(message, account))) await enqueueCounted(tx, mail)
}

/**
 * Anyone can register an address such as `ada+news@example.com` and change this account until the limit of the inbox is
 * reached. Emails to the owner of a verified account therefore have a limit of their own.
 */
export const accountCounter = (message: MessageName, { id, is_verified }: Account): string =>
  is_verified ? `${message}:${id}` : message

/** `countedAs` names the counter, so that some emails can have a separate limit. */
export async function mayMail(
  { config, db }: Transaction,
  message: MessageName,
  to: string,
  countedAs: string = message,
): Promise<boolean> {
  const { attempts, windowMs } = capOf(config, message)
  return (await countMessage(db, keyOf(config, countedAs, to), windowMs)).count <= attempts
}

/**
 * Returns the reason why an email to this address would not be sent. Call this only for administrators and for users'
 * own addresses, because the result shows whether the address has received many emails.
 */
export async function rejectionOfMail(
  { config, db, mailer }: Context,
  message: MessageName,
  to: string,
  countedAs: string = message,
): Promise<AppError | undefined> {
  if (!mailer.isConfigured) return mailNotConfigured()
  const window = await findMessageWindow(db, keyOf(config, countedAs, to))
  if (!window || window.count < capOf(config, message).attempts) return undefined
  const sentence = 'Too many emails of this kind were sent to this address. Try again later.'
  return new AppError('RATE_LIMITED', { sentence, retryAfter: window.seconds_left })
}

export async function assertMailable(
  ctx: Context,
  message: MessageName,
  to: string,
  countedAs: string = message,
): Promise<void> {
  const rejection = await rejectionOfMail(ctx, message, to, countedAs)
  if (rejection) throw rejection
}

export const mailNotConfigured = (): AppError =>
  new AppError('NOT_CONFIGURED', { sentence: 'Email is not configured: set SMTP_URL' })

const capOf = (config: Config, message: MessageName) => (isResentOften(message) ? codeCap : config.MAIL_CAP)

const keyOf = ({ AUTH_SECRET }: Config, countedAs: string, to: string): string =>
  `mail:${countedAs}:${keyedHash(AUTH_SECRET, 'mail-cap', inboxOf(to))}`

/** Many mail servers deliver `ada+news@example.com` to `ada@example.com`, so both share the limit. */
const inboxOf = (address: string): string => address.replace(/\+[^@]*(?=@[^@]*$)/, '')

const codeCap = { attempts: 10, windowMs: 15 * minute }

/** Does not count the email, because the caller has called `mayMail`. */
export const enqueueCounted = (tx: Transaction, mail: MailRequest): Promise<void> => enqueue(tx, 'mail', mail)

/** Does not count the text message, because the caller has called `rejectionOfText`. */
export const enqueueText = (tx: Transaction, text: MailRequest): Promise<void> => enqueue(tx, 'sms', text)

async function enqueue(tx: Transaction, channel: 'mail' | 'sms', mail: MailRequest): Promise<void> {
  const lang = chooseLanguage(messageLanguages(), mail.lang, mail.acceptLanguage, tx.config.DEFAULT_LANG)
  const now = tx.clock.date()
  const variables = { app_name: tx.config.APP_NAME, time: now.toISOString(), ...mail.variables }
  const { to, draft, isTest } = mail
  const payload: MailPayload = { to, lang, variables, draft, isTest }
  await insertMessage(tx.db, {
    id: mail.id ?? newId(),
    channel,
    message: mail.message,
    payload: seal(tx.dataKeys, JSON.stringify(payload)),
    created_at: now,
    expires_at: mail.expiresAt ?? null,
  })
  tx.after(() => tx.outbox.wake())
}

/** Stores a job that runs after the commit. Use this if a request's duration must not reveal whether a user exists. */
export async function enqueueJob(tx: Transaction, job: string, data: Record<string, unknown>): Promise<void> {
  await insertMessage(tx.db, {
    id: newId(),
    channel: 'task',
    message: job,
    payload: seal(tx.dataKeys, JSON.stringify(data)),
    created_at: tx.clock.date(),
    expires_at: null,
  })
  tx.after(() => tx.outbox.wake())
}

export const openPayload = <Payload>(ctx: Context, sealed: string): Payload => JSON.parse(unseal(ctx.dataKeys, sealed))

/** Emails to unverified addresses contain no name, because a stranger could have entered a message as the name. */
export const greetedName = ({ name, is_verified }: Pick<UserRow, 'name' | 'is_verified'>): string =>
  is_verified ? name : ''

/** Similarly, they do not contain a user agent that is not recognized, because anyone can send any text as one. */
export const mailedDevice = (
  { is_verified }: Pick<UserRow, 'is_verified'>,
  { device, userAgent }: RequestDevice,
): string => device || (is_verified ? userAgent : '')

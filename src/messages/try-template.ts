import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { keyedHash } from '../lib/hash.ts'
import { hour } from '../lib/time.ts'
import { sampleValues } from '../outbox/built-in-source.ts'
import { checkTemplate, type MessageTemplate } from '../outbox/check-template.ts'
import { enqueueCounted, mailNotConfigured } from '../outbox/enqueue.ts'
import { mailBrandingOf } from '../outbox/mail-branding.ts'
import { isTextMessage, type MessageName } from '../outbox/messages.ts'
import { countMessage } from '../outbox/queries.ts'
import { type RenderedMessage, renderMessage } from '../outbox/render-message.ts'
import { findTemplate } from '../outbox/template-queries.ts'
import { assertTemplateUsable } from './change-template.ts'
import type { TemplateKey } from './find-template.ts'

export interface DraftInput {
  subject?: string
  text?: string
  html?: string | null
}

/** Renders the draft with sample values. Without a draft, renders the current message. */
export async function previewTemplate(
  ctx: Context,
  { name, language }: TemplateKey,
  { theme, ...input }: DraftInput & { theme?: 'light' | 'dark' },
): Promise<RenderedMessage> {
  const template = draftOf(name, input) ?? (await findTemplate(ctx.db, name, language))?.template
  const checked = template && checkTemplate(name, template)
  const { PASSWORDS_ENABLED: hasPasswords } = ctx.config
  const look = { branding: mailBrandingOf(ctx.config), theme, hasPasswords, template: checked }
  return renderMessage(name, language, sampleValues(name, ctx.config), look)
}

interface Test {
  actor: UserRow
  device: RequestDevice
  key: TemplateKey
  input: DraftInput
}

/** Sends only to the actor's own verified email address so that a test message cannot deceive other users. */
export async function sendTest(ctx: Context, { actor, device, key, input }: Test): Promise<void> {
  const { name, language } = key
  if (isTextMessage(name)) throw invalidField('name', 'is a text message; tests are only sent by email')
  if (!actor.is_verified) throw new AppError('EMAIL_NOT_VERIFIED')
  if (!ctx.mailer.isConfigured) throw mailNotConfigured()
  const draft = draftOf(name, input) ?? (await findTemplate(ctx.db, name, language))?.template
  await transact(ctx, async (tx) => {
    await countTest(tx, actor.id)
    const variables = sampleValues(name, ctx.config)
    await enqueueCounted(tx, {
      message: name,
      to: actor.email,
      lang: language,
      variables,
      draft,
      isTest: true,
    })
    const details = { message: name, language, draft: input.subject !== undefined }
    await recordAudit(tx, { event: 'test_message_sent', actor, device, details })
  })
}

const maxTests = 10

/** Uses a separate limit so that test messages do not use up the limit for the administrator's own password resets. */
async function countTest({ config, db }: Transaction, userId: string): Promise<void> {
  const key = `mail-test:${keyedHash(config.AUTH_SECRET, 'mail-cap', userId)}`
  const { count, seconds_left: retryAfter } = await countMessage(db, key, hour)
  if (count > maxTests) throw new AppError('RATE_LIMITED', { retryAfter })
}

function draftOf(name: MessageName, { subject, text, html = null }: DraftInput): MessageTemplate | undefined {
  if (subject === undefined && text === undefined && html === null) return undefined
  if (subject === undefined) throw invalidField('subject', 'is required with a text')
  if (text === undefined) throw invalidField('text', 'is required with a subject')
  const draft = { subject, text, html }
  assertTemplateUsable(name, draft)
  return draft
}

import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { checkTemplate, type MessageTemplate } from './check-template.ts'
import type { MailPayload } from './enqueue.ts'
import { mailBrandingOf } from './mail-branding.ts'
import type { MessageName } from './messages.ts'
import { languageOf, type RenderedMessage, renderMessage } from './render-message.ts'
import { findTemplate } from './template-queries.ts'

/** Uses the stored template. If it cannot be used, renders the built-in message so that no message is lost. */
export async function renderDelivery(
  ctx: Context,
  id: string,
  name: MessageName,
  { isTest, ...payload }: MailPayload,
): Promise<RenderedMessage> {
  const message = await renderUsable(ctx, id, name, payload)
  return isTest ? { ...message, subject: `[Test] ${message.subject}` } : message
}

async function renderUsable(
  ctx: Context,
  id: string,
  name: MessageName,
  { lang, variables, draft }: MailPayload,
): Promise<RenderedMessage> {
  const look = { branding: mailBrandingOf(ctx.config), hasPasswords: ctx.config.PASSWORDS_ENABLED }
  const language = languageOf(lang)
  const stored = draft ? { version: 'draft', template: draft } : await findTemplate(ctx.db, name, language)
  if (!stored?.template) return renderMessage(name, language, variables, look)
  try {
    return renderMessage(name, language, variables, { ...look, template: checkTemplate(name, stored.template) })
  } catch (error) {
    const template = { message: name, language, version: stored.version, reason: reasonOf(error) }
    ctx.log.error({ outbox_id: id, ...template }, 'a message template cannot be used; sent the built-in message')
    return renderMessage(name, language, variables, look)
  }
}

/** A template written for another version of the service may be invalid. Returns undefined for valid templates. */
export function templateProblems(name: MessageName, template: MessageTemplate) {
  try {
    checkTemplate(name, template)
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.details) return error.details
    throw error
  }
}

const reasonOf = (error: unknown): string => {
  if (error instanceof AppError && error.details)
    return error.details.map(({ field, message }) => `${field} ${message}`).join('; ')
  return error instanceof Error ? error.message : 'unknown'
}

import { recordingDenial } from '../admin/locked-target.ts'
import { lockPrincipal, type Principal, rightsOf } from '../admin/principal.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context, SessionView } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { checkTemplate, type MessageTemplate } from '../outbox/check-template.ts'
import { isCustomizable, type MessageName } from '../outbox/messages.ts'
import { deleteVersionsUpTo, findTemplate, insertVersion } from '../outbox/template-queries.ts'
import { assertRecentProof } from '../sessions/session.ts'
import { keptVersions, type TemplateKey } from './find-template.ts'

interface TemplateChange {
  key: TemplateKey
  /** The version on which the change is based. */
  version: number
  /** Undefined restores the built-in message. */
  template: MessageTemplate | undefined
}

/** Requires a superadmin with recent authentication because a deceptive message would reach every user. */
export async function changeTemplate(
  ctx: Context,
  principal: Principal,
  session: Pick<SessionView, 'session'>,
  { key, version, template }: TemplateChange,
): Promise<void> {
  assertRecentProof(ctx, session)
  const { name, language } = key
  if (template) assertTemplateUsable(name, template)
  const { actor: asking, device } = principal
  const event = template ? 'message_template_changed' : 'message_template_reset'
  const details = () => ({ deed: event, message: name, language })
  await recordingDenial(ctx, { actor: asking, device, details }, () =>
    transact(ctx, async (tx) => {
      const actor = await lockPrincipal(tx, principal)
      if (!ctx.staff.may(rightsOf(actor).user_type, 'templates:write')) throw new AppError('FORBIDDEN')
      const before = await findTemplate(tx.db, name, language)
      const row = { name, language, after: version, template, author_id: actor.id, created_at: tx.clock.date() }
      const added = await insertVersion(tx.db, row)
      if (added === undefined) throw new AppError('EDIT_CONFLICT')
      await deleteVersionsUpTo(tx.db, name, language, added - keptVersions)
      const versions = {
        from: { version, ...digestOf(before?.template) },
        to: { version: added, ...digestOf(template) },
      }
      await recordAudit(tx, { event, actor, device, details: { message: name, language, ...versions } })
    }),
  )
}

export function assertTemplateUsable(name: MessageName, template: MessageTemplate): void {
  if (!isCustomizable(name)) throw invalidField('name', 'is a message whose text cannot be replaced')
  checkTemplate(name, template)
}

/** Audit events contain a hash and lengths because texts can be long. The stored versions contain the texts. */
const digestOf = (template: MessageTemplate | undefined) =>
  template
    ? {
        sha256: sha256(JSON.stringify([template.subject, template.text, template.html])),
        lengths: { subject: template.subject.length, text: template.text.length, html: template.html?.length ?? 0 },
      }
    : { built_in: true }

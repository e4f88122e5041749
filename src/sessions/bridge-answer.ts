import type { Context, FoundCopy, SessionView } from '../context.ts'
import { toAscii } from '../http/send-prepared.ts'
import { compileSerializer } from '../http/validation.ts'
import { iso } from '../lib/time.ts'
import { bridgeUser } from '../users/shapes.ts'
import { identityOf } from './identity.ts'
import { expiresAtOf } from './replies.ts'
import { ValidatedSession } from './schemas.ts'

const serialize = compileSerializer({ schema: ValidatedSession })

/**
 * What the bridge says of a live session, as JSON text. The answers from one copy differ in their last members alone:
 * the rest is written once, by the serializer of its schema.
 */
export function bridgeAnswer(ctx: Context, { copy, source }: FoundCopy): string {
  const now = ctx.clock.now()
  ctx.sessions.noteUse(copy, now)
  copy.bridgeAnswer ??= textUntilSource(serialize(validated(ctx, copy.view)))
  const isCopy = source !== 'database'
  return `${copy.bridgeAnswer}"cached":${isCopy},"cacheSource":"${source}","timestamp":"${iso(now)}"}`
}

/** In JSON no text within a value can look like this member. */
const textUntilSource = (json: string): string => toAscii(json.slice(0, json.lastIndexOf('"cached":')))

function validated(ctx: Context, view: SessionView) {
  const { session } = view
  const expires = expiresAtOf(ctx, view)
  return {
    success: true as const,
    user: bridgeUser(ctx, view.user),
    session: {
      id: session.id,
      userId: session.user_id,
      expiresAt: expires,
      ipAddress: session.ip_address,
      userAgent: session.user_agent,
      lastUsedAt: iso(session.last_used_at),
      two_factor_verified: session.two_factor_verified ? (1 as const) : (0 as const),
      ...(ctx.config.CLIENT_COMPAT && { user_id: session.user_id, expires_at: expires }),
    },
    expires_at: expires,
    ...identityOf(view),
    cached: true,
    cacheSource: 'memory' as const,
    timestamp: '',
  }
}

import type { Context, FoundSession } from '../context.ts'
import { AppError, type ErrorCode } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { looksLikeSessionToken } from '../lib/ids.ts'
import { bridgeAnswerUnless } from './bridge-answer.ts'
import { stateOf } from './session.ts'

/**
 * One result per value, in order. All values that are not in memory are read by one statement; otherwise no promise or
 * I/O.
 */
export function validateMany(
  ctx: Context,
  sessionTokens: readonly string[],
  tags: readonly string[] = [],
): string | Promise<string> {
  const found = new Map<string, FoundSession>()
  const hashes = sessionTokens.map((token) => (looksLikeSessionToken(token) ? sha256(token) : ''))
  const missing = new Set<string>()
  for (const hash of hashes) {
    const cached = hash === '' ? undefined : ctx.sessions.recallYoung(hash)
    if (cached) {
      ctx.metrics.sessionLookup('memory')
      found.set(hash, { cached, source: 'memory' })
    }
    if (!cached && hash !== '') missing.add(hash)
  }
  const answer = () => resultsOf(ctx, hashes, found, tags)
  return missing.size === 0 ? answer() : load(ctx, [...missing], found).then(answer)
}

async function load(ctx: Context, hashes: string[], found: Map<string, FoundSession>): Promise<void> {
  const loaded = await ctx.sessions.loadAll(hashes)
  for (const hash of hashes) {
    const cached = loaded.get(hash)
    ctx.metrics.sessionLookup(cached ? 'database' : 'unknown')
    if (cached) found.set(hash, { cached, source: 'database' })
  }
}

function resultsOf(
  ctx: Context,
  hashes: readonly string[],
  found: Map<string, FoundSession>,
  tags: readonly string[],
): string {
  let results = ''
  for (const [index, hash] of hashes.entries()) {
    const one = found.get(hash)
    results += `${index === 0 ? '' : ','}${one ? resultOf(ctx, one, tags[index]) : refusal('INVALID_SESSION')}`
  }
  const clock = `"process":"${ctx.node}","time":${performance.now()}`
  return `{"success":true,${clock},"results":[${results}]}`
}

function resultOf(ctx: Context, found: FoundSession, tag: string | undefined): string {
  const { session, user } = found.cached.view
  if (stateOf(ctx.config, session, user.user_type, ctx.clock.now()) !== 'live') return refusal('INVALID_SESSION')
  if (session.status === 'pending') return refusal('TWO_FACTOR_REQUIRED')
  const age = Math.max(0, ctx.clock.now() - found.cached.readAt)
  return bridgeAnswerUnless(ctx, found, tag, age)
}

const refusal = (code: ErrorCode): string =>
  JSON.stringify({ success: false, error: new AppError('INVALID_SESSION').message, code })

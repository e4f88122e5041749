import type { CachedSession, Context } from '../context.ts'
import { AppError, type ErrorCode, sessionPending } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { looksLikeSessionToken } from '../lib/ids.ts'
import { iso } from '../lib/time.ts'
import { bridgeAnswerIfChanged } from './bridge-answer.ts'
import { stateOf } from './session.ts'

/** Returns one result per token, in the same order. Sessions that are not in memory are read with one statement. */
export function validateMany(
  ctx: Context,
  sessionTokens: readonly string[],
  tags: readonly string[] = [],
): string | Promise<string> {
  const hashes = sessionTokens.map((token) => (looksLikeSessionToken(token) ? sha256(token) : ''))
  const young = hashes.map((hash) => (hash === '' ? undefined : ctx.sessions.recallYoung(hash)))
  const missing = new Set(hashes.filter((hash, index) => hash !== '' && young[index] === undefined))
  for (const cached of young) if (cached) ctx.metrics.sessionLookup('memory')
  const answer = (loaded?: Loaded) => resultsOf(ctx, hashes, young, loaded, tags)
  return missing.size === 0 ? answer() : load(ctx, [...missing]).then(answer)
}

type Loaded = ReadonlyMap<string, CachedSession>

async function load(ctx: Context, hashes: string[]): Promise<Loaded> {
  const loaded = await ctx.sessions.loadAll(hashes)
  for (const hash of hashes) ctx.metrics.sessionLookup(loaded.has(hash) ? 'database' : 'unknown')
  return loaded
}

function resultsOf(
  ctx: Context,
  hashes: readonly string[],
  young: readonly (CachedSession | undefined)[],
  loaded: Loaded | undefined,
  tags: readonly string[],
): string {
  const now = ctx.clock.now()
  const timestamp = iso(now)
  const results = hashes.map((hash, index) => {
    const cached = young[index] ?? loaded?.get(hash)
    if (cached === undefined) return refusal('INVALID_SESSION')
    const { session, user } = cached.view
    if (stateOf(ctx.config, session, user.user_type, now) !== 'live') return refusal('INVALID_SESSION')
    if (session.status === 'pending') return refusal(sessionPending)
    ctx.sessions.noteUse(cached, now)
    const source = young[index] ? 'memory' : 'database'
    const age = Math.max(0, now - cached.freshness.readAt)
    return bridgeAnswerIfChanged(ctx, { cached, source }, tags[index], { timestamp, age })
  })
  const clock = `"process":"${ctx.node}","time":${performance.now()}`
  return `{"success":true,${clock},"results":[${results.join()}]}`
}

const refusal = (code: ErrorCode): string =>
  JSON.stringify({ success: false, error: new AppError('INVALID_SESSION').message, code })

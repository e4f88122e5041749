import type { Context, FoundCopy } from '../context.ts'
import { AppError, type ErrorCode } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { looksLikeBearer } from '../lib/ids.ts'
import { recallSession } from './authenticate.ts'
import { bridgeAnswer } from './bridge-answer.ts'
import { stateOf } from './session.ts'

/**
 * One result for each value, in their order. One statement reads all that are not in memory; when every one is, there is
 * no promise and no I/O.
 */
export function validateMany(ctx: Context, sessionTokens: readonly string[]): string | Promise<string> {
  const found = new Map<string, FoundCopy>()
  const hashes = sessionTokens.map((token) => (looksLikeBearer(token) ? sha256(token) : ''))
  const missing = new Set<string>()
  for (const hash of hashes) {
    const copy = hash === '' ? undefined : recallSession(ctx, hash)
    if (copy) found.set(hash, { copy, source: 'memory' })
    else if (hash !== '') missing.add(hash)
  }
  const answer = () => resultsOf(ctx, hashes, found)
  return missing.size === 0 ? answer() : load(ctx, [...missing], found).then(answer)
}

async function load(ctx: Context, hashes: string[], found: Map<string, FoundCopy>): Promise<void> {
  const copies = await ctx.sessions.loadAll(hashes)
  for (const hash of hashes) {
    const copy = copies.get(hash)
    ctx.metrics.sessionLookup(copy ? 'database' : 'unknown')
    if (copy) found.set(hash, { copy, source: 'database' })
  }
}

function resultsOf(ctx: Context, hashes: readonly string[], found: Map<string, FoundCopy>): string {
  const results = hashes.map((hash) => {
    const one = found.get(hash)
    return one ? resultOf(ctx, one) : refusal('INVALID_SESSION')
  })
  return `{"success":true,"results":[${results.join()}]}`
}

function resultOf(ctx: Context, found: FoundCopy): string {
  const { session, user } = found.copy.view
  if (stateOf(ctx.config, session, user.user_type, ctx.clock.now()) !== 'live') return refusal('INVALID_SESSION')
  return session.status === 'pending' ? refusal('TWO_FACTOR_REQUIRED') : bridgeAnswer(ctx, found)
}

/** As the refusal of a single validation, without what belongs to a reply. */
const refusal = (code: ErrorCode): string =>
  JSON.stringify({ success: false, error: new AppError('INVALID_SESSION').message, code })

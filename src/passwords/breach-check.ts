import { hash } from 'node:crypto'
import { within } from '../adapters/within.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { isInHashList } from '../lib/hash-list.ts'
import { second } from '../lib/time.ts'

const limits = { answerMs: second, bytes: 1024 * 1024 }

/**
 * The range API receives the first 5 of the 40 digits of the SHA-1. If it does not answer, the password is accepted
 * and the skipped check is logged, so that the service stays usable.
 */
export async function isBreached(ctx: Context, password: string): Promise<boolean> {
  const { PASSWORD_BREACH_CHECK, PASSWORD_BREACH_URL, PASSWORD_BREACH_LIST } = ctx.config
  if (!PASSWORD_BREACH_CHECK) return false
  const digits = hash('sha1', password, 'hex').toUpperCase()
  try {
    if (PASSWORD_BREACH_LIST) return await within(limits.answerMs, isInHashList(PASSWORD_BREACH_LIST, digits))
    return holds(await fetchRange(PASSWORD_BREACH_URL, digits.slice(0, 5)), digits.slice(5))
  } catch (error) {
    const reason = error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unusable response'
    ctx.log.warn({ reason }, 'could not compare a new password with known breaches')
    const details = { name: 'breached_passwords', reason }
    await recordAudit(ctx, { event: 'dependency_down', outcome: 'failure', details })
    return false
  }
}

async function fetchRange(url: string, prefix: string): Promise<string> {
  const reply = await fetch(`${url.replace(/\/$/, '')}/${prefix}`, {
    // Padding prevents observers from inferring the requested range from the length of the response.
    headers: { 'add-padding': 'true', accept: 'text/plain' },
    redirect: 'error',
    signal: AbortSignal.timeout(limits.answerMs),
  })
  if (reply.status !== 200 || !reply.body) {
    await reply.body?.cancel()
    throw new Error(`the range API answered ${reply.status}`)
  }
  return readText(reply.body)
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limits.bytes) throw new Error('the response of the range API is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('latin1')
}

/** Lines have the form `<suffix>:<count>`. Padding lines have a count of zero. */
const holds = (range: string, suffix: string): boolean =>
  range.split('\n').some((line) => {
    const [digits, count] = line.trim().split(':')
    return digits?.toUpperCase() === suffix && Number(count) > 0
  })

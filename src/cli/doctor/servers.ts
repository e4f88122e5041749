import { verifySmtp } from '../../adapters/mail/smtp.ts'
import { examineRedisServer } from '../../adapters/redis/examine.ts'
import { within } from '../../adapters/within.ts'
import type { Config } from '../../config/load.ts'
import { second } from '../../lib/time.ts'
import { explain } from '../fail.ts'
import { type DoctorFinding, ok, problem } from './finding.ts'

const responseLimit = 10 * second

export async function examineRedis({ REDIS_URL }: Config): Promise<DoctorFinding[]> {
  if (!REDIS_URL) return []
  const { host } = new URL(REDIS_URL)
  const reason = await examineRedisServer(REDIS_URL)
  if (reason === undefined) return [ok('Redis', `${host} answers and accepts writes`)]
  return [problem('Redis', `${host} ${reason}. The service works without Redis, but more slowly.`)]
}

export async function examineSmtp({ SMTP_URL }: Config): Promise<DoctorFinding[]> {
  if (!SMTP_URL) return []
  const { host, username } = new URL(SMTP_URL)
  try {
    await within(responseLimit, verifySmtp(SMTP_URL, responseLimit))
    if (username) return [ok('SMTP', `${host} accepts the sign-in of ${decodeURIComponent(username)}`)]
    return [ok('SMTP', `${host} answers; SMTP_URL contains no user, so no sign-in was attempted`)]
  } catch (error) {
    return [problem('SMTP', `${host}: ${explain(error)}`)]
  }
}

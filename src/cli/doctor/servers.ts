import { verifySmtp } from '../../adapters/mail/smtp.ts'
import { openRedis } from '../../adapters/redis/connect.ts'
import { within } from '../../adapters/within.ts'
import type { Config } from '../../config/load.ts'
import { second } from '../../lib/time.ts'
import { explain } from '../fail.ts'
import { type DoctorFinding, ok, problem } from './finding.ts'

const answerLimit = 10 * second

export async function examineRedis({ REDIS_URL }: Config): Promise<DoctorFinding[]> {
  if (!REDIS_URL) return []
  const { host } = new URL(REDIS_URL)
  try {
    const redis = await openRedis({ url: REDIS_URL })
    const isUp = redis.isUp()
    await redis.close()
    if (isUp) return [ok('Redis', `${host} answers`)]
    return [
      problem(
        'Redis',
        `${host} does not answer or refuses the login: check REDIS_URL. The service works without Redis, but more slowly.`,
      ),
    ]
  } catch (error) {
    return [problem('Redis', explain(error))]
  }
}

export async function examineSmtp({ SMTP_URL }: Config): Promise<DoctorFinding[]> {
  if (!SMTP_URL) return []
  const { host, username } = new URL(SMTP_URL)
  try {
    await within(answerLimit, verifySmtp(SMTP_URL, answerLimit))
    if (username) return [ok('SMTP', `${host} accepts the sign-in of ${decodeURIComponent(username)}`)]
    return [ok('SMTP', `${host} answers; SMTP_URL contains no user, so no sign-in was attempted`)]
  } catch (error) {
    return [problem('SMTP', `${host}: ${explain(error)}`)]
  }
}

import { createLocalCounter } from '../../adapters/rate-limit/local-counter.ts'
import type { RateCount } from '../../adapters/rate-limit/port.ts'
import type { AttemptLimit } from '../../config/kinds.ts'
import type { Config } from '../../config/load.ts'
import type { Context } from '../../context.ts'
import { type LimitState, limitEnd } from '../../lib/errors.ts'
import { keyedHash } from '../../lib/hash.ts'

type LimitSetting = { [Name in keyof Config]: Config[Name] extends AttemptLimit ? Name : never }[keyof Config]

export interface LimitRule {
  setting: LimitSetting
  local: boolean
  byAccount?: true
}

/** `local` limits are counted in this process, others in the shared store. `byAccount` limits also count per user. */
const coreClasses = {
  login: { setting: 'RATE_LIMIT_LOGIN', local: false },
  registration: { setting: 'RATE_LIMIT_REGISTRATION', local: false },
  token_login: { setting: 'RATE_LIMIT_TOKEN_LOGIN', local: false },
  token_validate: { setting: 'RATE_LIMIT_TOKEN_VALIDATE', local: false },
  passkey_options: { setting: 'RATE_LIMIT_PASSKEY_OPTIONS', local: false },
  social_login: { setting: 'RATE_LIMIT_SOCIAL_LOGIN', local: false },
  social_api: { setting: 'RATE_LIMIT_SOCIAL_API', local: false },
  cache_invalidation: { setting: 'RATE_LIMIT_CACHE_INVALIDATION', local: false },
  admin: { setting: 'RATE_LIMIT_ADMIN', local: false },
  bulk: { setting: 'RATE_LIMIT_BULK', local: false, byAccount: true },
  write: { setting: 'RATE_LIMIT_WRITE', local: false },
  export: { setting: 'RATE_LIMIT_EXPORT', local: false, byAccount: true },
  credential_fail: { setting: 'RATE_LIMIT_API_KEY_FAIL', local: true },
  bridge_fail: { setting: 'RATE_LIMIT_BRIDGE_FAIL', local: false },
  read: { setting: 'RATE_LIMIT_READ', local: true },
  bridge: { setting: 'RATE_LIMIT_BRIDGE', local: true },
} as const satisfies Record<string, LimitRule>

// biome-ignore lint/suspicious/noEmptyInterface: modules extend this interface.
export interface ModuleLimits {}

export type LimitClass = keyof typeof coreClasses | keyof ModuleLimits

const classes = new Map<string, LimitRule>(Object.entries(coreClasses))

export function addLimits(limits: Readonly<Record<string, LimitRule>>): void {
  for (const [name, rule] of Object.entries(limits)) {
    if (classes.has(name)) throw new Error(`the limit ${name} is taken`)
    classes.set(name, rule)
  }
}

const ruleOf = (name: LimitClass): LimitRule => classes.get(name) ?? coreClasses.read

export interface LimitDecision extends LimitState {
  /** In seconds. */
  retryAfter: number
  refused: boolean
  /** Whether this is the first rejection in the window. Later rejections are not audited. */
  firstRejection: boolean
}

export interface RateLimits {
  isLocal(name: LimitClass): boolean
  isByAccount(name: LimitClass): boolean
  limitOf(name: LimitClass): AttemptLimit
  /** `factor` multiplies the limit, for a key that many users share. */
  countLocally(name: LimitClass, key: string, factor?: number): LimitDecision
  /** The current limit state, for requests that are not counted. */
  standing(name: LimitClass, key: string, factor?: number): LimitDecision
  count(name: LimitClass, key: string): Promise<LimitDecision>
}

export function createRateLimits(ctx: Context): RateLimits {
  const local = createLocalCounter()
  ctx.metrics.limitClasses(classes.keys())
  const limitOf = (name: LimitClass): AttemptLimit => ctx.config[ruleOf(name).setting]
  const decide = (name: LimitClass, count: RateCount, factor = 1): LimitDecision => {
    const attempts = limitOf(name).attempts * factor
    // If the store fails, each process counts separately and allows half the attempts to keep the total near the limit.
    const allowed = count.degraded ? Math.max(1, Math.floor(attempts / 2)) : attempts
    const refused = count.count > allowed
    if (refused) {
      ctx.metrics.rateLimited(name)
      ctx.usage.counterOf('rate_limit', name).count += 1
    }
    return {
      limit: attempts,
      remaining: Math.max(0, allowed - count.count),
      // Stores may round up the remaining time.
      ...limitEnd(ctx.clock.now(), Math.min(count.resetsInMs, limitOf(name).windowMs)),
      refused,
      firstRejection: count.count === allowed + 1,
    }
  }
  // Keys are hashed because they may contain client input and personal data.
  const hit = (name: LimitClass, key: string): Promise<RateCount> =>
    ctx.rateLimits.hit(`${name}:${keyedHash(ctx.config.AUTH_SECRET, 'limit', key)}`, limitOf(name).windowMs)
  return {
    limitOf,
    isLocal: (name) => ruleOf(name).local,
    isByAccount: (name) => ruleOf(name).byAccount === true,
    countLocally: (name, key, factor) => {
      const decision = decide(name, local.hit(`${name}:${key}`, limitOf(name).windowMs), factor)
      const network = networkOf(key)
      if (!network) return decision
      return stricter(decision, decide(name, local.hit(`${name}:${network}`, limitOf(name).windowMs), networkFactor))
    },
    standing: (name, key, factor = 1) => {
      const { attempts, windowMs } = limitOf(name)
      const counted = local.hit(`${name}:${key}`, windowMs, 0)
      return decide(name, { ...counted, count: Math.min(counted.count, attempts * factor) }, factor)
    },
    count: async (name, key) => {
      const network = networkOf(key)
      const [own, wide] = await Promise.all([hit(name, key), network ? hit(name, network) : undefined])
      return wide ? stricter(decide(name, own), decide(name, wide, networkFactor)) : decide(name, own)
    },
  }
}

/** IPv6 addresses are counted per /64. The 65,536 networks of a /48 together get ten times the limit. */
const networkFactor = 10
const networkOf = (key: string): string | undefined =>
  key.endsWith('::/64') ? `${key.split(':').slice(0, 3).join(':')}::/48` : undefined

const stricter = (own: LimitDecision, wide: LimitDecision): LimitDecision => (wide.refused && !own.refused ? wide : own)

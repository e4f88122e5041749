import type { Config } from '../../../config/load.ts'
import { day, hour } from '../../../lib/time.ts'
import type { SigningKeyRow } from '../directory-queries.ts'
import type { SigningAlg } from '../rows.ts'

/** Verifiers cache the JWKS for this long, so a key that was published for less may be unknown to them. */
export const jwksMaxAge = hour

/** No JWT is valid for longer. */
export const maxJwtLifetime = hour

const keptUnpublished = 90 * day

/** The hour after the last JWT allows for clocks that differ, and for nodes that learn of the rotation late. */
export function endOfKey(now: number) {
  const published = now + maxJwtLifetime + hour
  return {
    retired_at: new Date(now),
    published_until: new Date(published),
    delete_after: new Date(published + keptUnpublished),
  }
}

/** A removed key is not published any longer. */
export const removalOf = (now: number) => ({
  ...{ retired_at: new Date(now), published_until: new Date(now) },
  delete_after: new Date(now + keptUnpublished),
})

export interface LiveKeys {
  current?: SigningKeyRow | undefined
  next?: SigningKeyRow | undefined
}

export function liveKeys(rows: readonly SigningKeyRow[], alg: SigningAlg): LiveKeys {
  const ofAlg = rows.filter((row) => row.alg === alg)
  return {
    current: ofAlg.find(({ status }) => status === 'current'),
    next: ofAlg.find(({ status }) => status === 'next'),
  }
}

export const usableFrom = ({ created_at }: Pick<SigningKeyRow, 'created_at'>): number =>
  created_at.getTime() + jwksMaxAge

type KeySettings = Pick<Config, 'OAUTH_KEY_ROTATION' | 'OAUTH_KEY_PUBLISH_AHEAD'>

export const rotationOf = (
  current: Pick<SigningKeyRow, 'active_from'>,
  { OAUTH_KEY_ROTATION }: Pick<KeySettings, 'OAUTH_KEY_ROTATION'>,
): number => current.active_from.getTime() + OAUTH_KEY_ROTATION

/**
 * `start`: the first key, so that verifiers learn of it before the first token if possible. `retire`: the algorithm is no
 * longer in use, so the current key gets no successor.
 */
export type KeyStep = 'start' | 'publish' | 'activate' | 'retire'

/** The step that is due. */
export function dueStep(
  { current, next }: LiveKeys,
  { now, isInUse, settings }: { now: number; isInUse: boolean; settings: KeySettings },
): KeyStep | undefined {
  if (!current) return isInUse ? 'start' : undefined
  if (next) return now >= Math.max(next.active_from.getTime(), usableFrom(next)) ? 'activate' : undefined
  const rotation = rotationOf(current, settings)
  if (!isInUse) return now >= rotation ? 'retire' : undefined
  return now >= rotation - settings.OAUTH_KEY_PUBLISH_AHEAD ? 'publish' : undefined
}

/** When a key that is published now begins to sign. */
export const nextActiveFrom = ({ current }: LiveKeys, now: number, settings: KeySettings): Date =>
  new Date(Math.max(now + settings.OAUTH_KEY_PUBLISH_AHEAD, current ? rotationOf(current, settings) : 0))

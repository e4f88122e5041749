import type { Tracing } from '../adapters/tracing/port.ts'
import type { PasswordHasher } from '../context.ts'

/** The spans include the time in the queue. */
export function tracedHasher(hasher: PasswordHasher, tracing: Tracing | undefined): PasswordHasher {
  if (!tracing) return hasher
  const span = (name: string) => ({ name, kind: 'internal' as const, attributes: {} })
  return {
    ...hasher,
    hash: (password) => tracing.inSpan(span('hash password'), () => hasher.hash(password)),
    verify: (stored, password) => tracing.inSpan(span('verify password'), () => hasher.verify(stored, password)),
  }
}

import { verify } from '@node-rs/argon2'
import { respond } from '../process/calls.ts'

interface Work {
  stored: { hash: string; password: string }
  milliseconds: number
}

// The yardstick for sign-ins: computes only the password hash. Computes one hash at a time, like the service with
// HASH_CONCURRENCY=1.
respond('verify', async ({ stored, milliseconds }: Work) => {
  const end = performance.now() + milliseconds
  let count = 0
  for (; performance.now() < end; count++) {
    if (!(await verify(stored.hash, stored.password))) throw new Error('the password does not fit its hash')
  }
  return count
})

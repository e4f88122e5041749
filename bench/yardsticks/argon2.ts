import { verify } from '@node-rs/argon2'
import { answer } from '../process/calls.ts'

interface Work {
  stored: { hash: string; password: string }
  milliseconds: number
}

// The cost of a sign-in that consists only of the password hash. Hashes run one after the other, as with one hash per
// core.
answer('verify', async ({ stored, milliseconds }: Work) => {
  const end = performance.now() + milliseconds
  let count = 0
  for (; performance.now() < end; count++) {
    if (!(await verify(stored.hash, stored.password))) throw new Error('the password does not fit its hash')
  }
  return count
})

import { verify } from '@node-rs/argon2'
import { answer } from '../process/calls.ts'

interface Work {
  stored: { hash: string; password: string }
  milliseconds: number
}

// What a sign-in costs with nothing but the password hash: one after the other, as one running hash per core allows.
answer('verify', async ({ stored, milliseconds }: Work) => {
  const end = performance.now() + milliseconds
  let count = 0
  for (; performance.now() < end; count++) {
    if (!(await verify(stored.hash, stored.password))) throw new Error('the password does not fit its hash')
  }
  return count
})

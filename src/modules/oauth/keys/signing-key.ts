import type { Context } from '../../../context.ts'
import type { SigningAlg } from '../rows.ts'
import type { SigningKey } from './key-set.ts'

export async function signingKeyFor(_ctx: Context, alg: SigningAlg): Promise<SigningKey> {
  throw new Error(`there is no key for ${alg}`)
}

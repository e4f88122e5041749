import { createHmac, hash } from 'node:crypto'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { slashed } from './slashed.ts'

interface Parameters {
  variant: string
  cost: number
  /** In bcrypt's variant of base64. */
  salt: string
}

/** The text that the previous system passed to bcrypt, by variant. */
const inputs: Record<string, (password: string) => string> = {
  '': (password) => password,
  // Django
  $sha256: (password) => hash('sha256', password, 'hex'),
  // WordPress since 6.8
  $wp: (password) => createHmac('sha384', 'wp-sha384').update(slashed(password)).digest('base64'),
}

export async function bcryptDigest(password: string, { variant, cost, salt }: Parameters): Promise<string> {
  const input = inputs[variant]?.(password) ?? ''
  // The package ignores a salt that is passed as text.
  return (await bcrypt(input, cost, saltBytes(salt))).slice(-31)
}

const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const standard = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const saltBytes = (salt: string): Buffer =>
  Buffer.from([...salt].map((character) => standard[alphabet.indexOf(character)]).join(''), 'base64')

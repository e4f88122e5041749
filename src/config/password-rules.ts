import type { Config } from './load.ts'

export const minPasswordLength = ({ PASSWORD_PROFILE }: Pick<Config, 'PASSWORD_PROFILE'>): number =>
  PASSWORD_PROFILE === 'nist' ? 15 : 8

/** How long a password may be at most, in characters. */
export const maxPasswordLength = 256

/** What the API says about a password that it refuses, as the end of a sentence. Pages say it in their languages. */
export const passwordRules = {
  short: (shortest: number) => `must be at least ${shortest} characters`,
  long: `must be at most ${maxPasswordLength} characters`,
  unicode: 'must be well-formed Unicode',
  spaces: 'must not consist of spaces',
  context: 'must not be your address, your name or the name of this service',
  common: 'is too common: choose one that others do not use',
  breached: 'is known from a breach: choose another one',
  same: 'must not be the one you have',
}

export type PasswordRule = keyof typeof passwordRules

/** Which rule a sentence of the API is about. */
export const ruleOf = (sentence: string, shortest: number): PasswordRule | undefined =>
  sentence === passwordRules.short(shortest)
    ? 'short'
    : (Object.keys(passwordRules) as PasswordRule[]).find((rule) => passwordRules[rule] === sentence)

import type { Config } from './load.ts'

export const minPasswordLength = ({ PASSWORD_PROFILE }: Pick<Config, 'PASSWORD_PROFILE'>): number =>
  PASSWORD_PROFILE === 'nist' ? 15 : 8

export const maxPasswordLength = 256

/** API messages, in English. Pages have their own texts. */
export const passwordRules = {
  short: (minLength: number) => `must be at least ${minLength} characters`,
  long: `must be at most ${maxPasswordLength} characters`,
  unicode: 'must be well-formed Unicode',
  spaces: 'must not consist of spaces only',
  context: 'must not be your email address, your name or the name of this service',
  common: 'is too common: choose a less common one',
  breached: 'appeared in a data breach: choose another one',
  same: 'must differ from the current password',
}

export type PasswordRule = keyof typeof passwordRules

export const passwordRuleOf = (sentence: string, minLength: number): PasswordRule | undefined =>
  sentence === passwordRules.short(minLength)
    ? 'short'
    : (Object.keys(passwordRules) as PasswordRule[]).find((rule) => passwordRules[rule] === sentence)

import { providerNames } from '../config/enabled-providers.ts'
import type { Config } from '../config/load.ts'
import type { Transaction } from '../context.ts'
import { AppError, type FieldProblem, invalidField } from '../lib/errors.ts'
import { holdSettings } from '../sign-in-methods/hold-settings.ts'
import { offeredMethods } from '../sign-in-methods/offered-methods.ts'
import type { ApplicationRow } from './queries.ts'

/** All ways to sign in, named as sessions record them. */
export const signInMethods: readonly string[] = ['password', 'passkey', 'email', 'sms', ...providerNames]

export const maxMethods = 50

const field = 'sign_in_methods'

/** In the order of `signInMethods`, so that the same rule is always stored in the same way. */
export function readMethods(given: string[]): string[] {
  const unknown = given.find((name) => !signInMethods.includes(name))
  if (unknown !== undefined)
    throw invalidField(
      field,
      `must contain only ${signInMethods.join(', ')}, and not ${JSON.stringify(unknown.slice(0, 200))}`,
    )
  return signInMethods.filter((name) => given.includes(name))
}

/** Those that the settings allow. */
export function offeredMethodNames(config: Config): string[] {
  const { password, passkey, email, phone, providers } = offeredMethods(config)
  const offered: Readonly<Record<string, boolean>> = { password, passkey, email, sms: phone }
  return signInMethods.filter((name) => offered[name] ?? providers.includes(name))
}

/** Whether users can sign in to the application at all. */
export const isPossible = (config: Config, methods: readonly string[]): boolean =>
  methods.length === 0 || methods.some((name) => offeredMethodNames(config).includes(name))

export const impossibleProblem = (config: Config): FieldProblem => ({
  field,
  message: `must contain a way to sign in that the settings allow: ${offeredMethodNames(config).join(', ')}`,
})

export async function assertPossible(tx: Transaction, methods: readonly string[]): Promise<void> {
  if (methods.length === 0) return
  const config = await holdSettings(tx)
  if (!isPossible(config, methods)) throw new AppError('VALIDATION_ERROR', { details: [impossibleProblem(config)] })
}

/** Applications to which nobody can sign in with these settings. */
export const findImpossible = (config: Config, applications: readonly ApplicationRow[]): ApplicationRow[] =>
  applications.filter(({ deleted_at, sign_in_methods }) => !deleted_at && !isPossible(config, sign_in_methods))

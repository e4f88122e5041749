import type { UserRow } from '../../context.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { isCountry } from '../../lib/locale.ts'
import type { TryRead } from '../../lib/read-all.ts'
import { lineField } from '../../users/fields.ts'
import type { UserChanges } from '../../users/queries.ts'

const checks = {
  biz_name: maxText(200),
  biz_country: country,
  biz_state: maxText(100),
  biz_position: maxText(100),
  biz_postal_code: maxText(20),
}

export const businessTexts = Object.keys(checks) as (keyof typeof checks)[]

export type BusinessInput = { is_business?: boolean } & { [Name in keyof typeof checks]?: string }

export type BusinessChanges = Pick<UserChanges, 'is_business' | keyof typeof checks>

export function readBusiness(input: BusinessInput, attempt: TryRead): BusinessChanges {
  const mentioned = businessTexts.filter((name) => input[name] !== undefined)
  if (input.is_business === false)
    attempt(() => assertNone(mentioned, 'must be omitted when is_business is false, which clears it'))
  const texts = mentioned.map((name) => {
    const text = input[name]?.trim() ?? ''
    return [name, text === '' ? null : attempt(() => checks[name](name, text))]
  })
  return { ...(input.is_business !== undefined && { is_business: input.is_business }), ...Object.fromEntries(texts) }
}

export function businessOf(user: UserRow, requested: BusinessChanges): BusinessChanges {
  if (requested.is_business === false)
    return { is_business: false, ...Object.fromEntries(businessTexts.map((name) => [name, null])) }
  const after: Record<string, unknown> = { ...user, ...requested }
  const isTouched = requested.is_business !== undefined || requested.biz_name !== undefined
  if (isTouched && after.is_business === true && after.biz_name === null)
    throw invalidField('biz_name', 'is required when is_business is true')
  return requested
}

function assertNone(names: readonly string[], message: string): void {
  if (names.length > 0) throw new AppError('VALIDATION_ERROR', { details: names.map((field) => ({ field, message })) })
}

function maxText(maxLength: number) {
  return (field: string, text: string): string => lineField(field, text, maxLength)
}

function country(field: string, text: string): string {
  const code = text.toUpperCase()
  if (!isCountry(code)) throw invalidField(field, 'must be a country such as DE (ISO 3166-1 alpha-2)')
  return code
}

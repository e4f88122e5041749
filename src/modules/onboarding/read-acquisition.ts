import { invalidField } from '../../lib/errors.ts'
import type { TryRead } from '../../lib/read-all.ts'

type Check = (field: string, text: string) => string

/** Each of these members has its own column. All others share one JSON column. */
const listed = {
  acquisition_source: maxText(64),
  acquisition_medium: maxText(255),
  acquisition_campaign: maxText(255),
  acquisition_term: maxText(255),
  acquisition_content: maxText(255),
  acquisition_referrer: address,
  acquisition_landing_page: address,
  acquisition_channel: maxText(64),
  acquisition_detail: maxText(500),
} satisfies Record<string, Check>

type Listed = keyof typeof listed

/** Clients may use names that match this pattern in addition to those listed. */
export const otherName = '^acquisition_[a-z0-9_]{1,50}$'
const maxOthers = 20

/** The values that the pages offer. The API accepts any text because clients may use other ranges. */
export const usualTeamSizes = ['1', '2-10', '11-50', '51-200', '201-500', '501-1000', '1001+']

/** Errors contain member names, never their values. */
export interface AcquisitionInput {
  columns: Partial<Record<Listed, string>>
  extra: Record<string, string>
}

/** Returns undefined if the request contains no acquisition data. Empty text is treated as absent. */
export function readAcquisition(input: Record<string, unknown>, attempt: TryRead): AcquisitionInput | undefined {
  const values = Object.entries(input).flatMap(([name, value]): [string, string][] => {
    if (!name.startsWith('acquisition_') || typeof value !== 'string' || value.trim() === '') return []
    const check = isListed(name) ? listed[name] : maxText(500)
    const text = attempt(() => check(name, value.normalize('NFC').trim()))
    return text === undefined ? [] : [[name, text]]
  })
  if (values.length === 0) return undefined
  const others = values.filter(([name]) => !isListed(name))
  attempt(() => {
    if (others.length > maxOthers)
      throw invalidField('acquisition_*', `must not contain more than ${maxOthers} additional names`)
  })
  return {
    columns: Object.fromEntries(values.filter(([name]) => isListed(name))),
    extra: Object.fromEntries(others),
  }
}

/** Undefined means that the request does not contain the member. Null clears it. */
export function readTeamSize(text: string | undefined, attempt: TryRead): string | null | undefined {
  if (text === undefined) return undefined
  if (text.trim() === '') return null
  return attempt(() => maxText(40)('team_size_range', text.normalize('NFC').trim()))
}

const isListed = (name: string): name is Listed => Object.hasOwn(listed, name)

function maxText(maxLength: number): Check {
  return (field, text) => {
    if ([...text].length > maxLength) throw invalidField(field, `must have at most ${maxLength} characters`)
    if (/[^\P{Cc}\t\n\r]/u.test(text))
      throw invalidField(field, 'must not contain control characters except tabs and line breaks')
    return text
  }
}

function address(field: string, text: string): string {
  const url = text.length <= 2048 && URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalidField(field, 'must be an http or https URL of at most 2048 characters')
  return text
}

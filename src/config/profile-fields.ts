import { changeable, list, SettingProblem } from './kinds.ts'
import type { Config } from './load.ts'
import { nearestFirst } from './similar-names.ts'

/** The profile fields that an installation can leave out. */
const optionalFields: readonly string[] = ['last_name', 'display_name', 'title', 'gender', 'dob', 'phone', 'tmz']

const check = (item: string) =>
  optionalFields.includes(item)
    ? item
    : new SettingProblem(`"${item}" is not a profile field: did you mean ${nearestFirst(item, optionalFields)[0]}?`)

export const profileFields = (meaning: string) => ({
  ...changeable(list(meaning, check)),
  fallback: [...optionalFields],
  shownDefault: 'all',
})

export const isFieldUsed = ({ PROFILE_FIELDS }: Pick<Config, 'PROFILE_FIELDS'>, name: string): boolean =>
  !optionalFields.includes(name) || PROFILE_FIELDS.includes(name)

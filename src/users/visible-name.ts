import { publicName } from '../config/branding.ts'
import { SettingProblem } from '../config/kinds.ts'
import { invalidField } from '../lib/errors.ts'

/** For names that others read on pages and in emails, and that must not look like other names. */
export function visibleNameField(field: string, text: string, max: number): string {
  const name = readVisibleName(text, max)
  if (name instanceof SettingProblem) throw invalidField(field, name.message)
  return name
}

/** Returns the name in its normal form. */
export const readVisibleName = (text: string, max: number) => publicName('', max, '').read(text)

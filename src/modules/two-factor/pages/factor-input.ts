import { codeInput } from '../../../ui/fields/code-fields.ts'
import type { Field } from '../../../ui/fields/field.ts'

/** The field for the code of a second factor, or for a recovery code. */
export const factorInput = (
  texts: { code: string; recoveryCode: string },
  method: string,
  isRejected: boolean,
): Field => ({
  ...(method === 'recovery'
    ? { name: 'code', label: texts.recoveryCode, required: true, autocomplete: 'off', isSecret: true }
    : { ...codeInput, label: texts.code }),
  maxlength: 64,
  autocapitalize: 'none',
  spellcheck: 'false',
  isRejected,
})

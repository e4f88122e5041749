import type { Field } from '../../../../ui/fields/field.ts'
import type { PageTexts } from '../../../../ui/texts/index.ts'

export const passkeyNameField = (texts: PageTexts['security'], value: string | undefined): Field => ({
  name: 'name',
  value,
  label: texts.name,
  autocomplete: 'off',
  maxlength: 64,
})

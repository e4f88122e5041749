import type { Field } from '../../../../ui/fields/field.ts'
import type { PageLanguage } from '../../../../ui/texts/index.ts'
import { isUserClient } from '../../clients/sign-in-input.ts'
import { type ClientFields, clientFields, type FormParts } from './client-fields.ts'
import { signInFields } from './sign-in/sign-in-fields.ts'

/** The fields for the type of client. `extra` is only in one of the two forms. */
export function formParts(lang: PageLanguage, data: ClientFields, extra?: Field): FormParts {
  const extras = extra ? [extra] : []
  if (isUserClient(data.type)) {
    const { main, more } = signInFields(lang, data)
    return { main, more: [...extras, ...more] }
  }
  const [name, ...others] = clientFields(lang, data)
  return { main: [...(name ? [name] : []), ...extras, ...others], more: [] }
}

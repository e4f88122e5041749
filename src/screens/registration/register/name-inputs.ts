import type { Field } from '../../../ui/fields/field.ts'
import type { PageContext } from '../../../ui/shared/render.ts'
import { textsFor } from '../../../ui/texts/index.ts'

export interface Names {
  name: string
  last_name: string
}

interface NameInputs {
  hasLastName: boolean
  input: Names
  problems: Record<string, string>
}

/** The optional fields for the names of a user who registers. */
export function nameInputs({ lang }: PageContext, { hasLastName, input, problems }: NameInputs): Field[] {
  const { form: labels } = textsFor(lang)
  const optional = (name: keyof Names, label: string, autocomplete: string) => {
    const [value, problem] = [input[name], problems[name]]
    return { name, label, value, problem, maxlength: 100, autocomplete, note: labels.optional }
  }
  return [
    optional('name', labels.name, 'given-name'),
    ...(hasLastName ? [optional('last_name', labels.lastName, 'family-name')] : []),
  ]
}

import { fill } from '../../../ui/texts/index.ts'
import type { ShownDefinition } from '../definition-schemas.ts'
import type { FieldDefinition } from '../rows.ts'
import type { DesignerValues } from './designer-values.ts'
import { type DesignerTexts, kindName } from './texts.ts'

interface SubmittedType {
  slug_prefix: string
  is_active?: boolean
  field_schema: (Omit<FieldDefinition, 'max_length'> & { max_length?: number | string })[]
}

/** Describes how a change affects existing posts. The list is empty if the change does not affect them. */
export function effectsOf(
  before: ShownDefinition,
  body: Record<string, unknown>,
  { version }: DesignerValues,
  texts: DesignerTexts,
): string[] {
  const { effects } = texts
  const after = body as unknown as SubmittedType
  const found = before.field_schema.map((field) => ({
    field,
    next: after.field_schema.find(({ name }) => name === field.name),
  }))
  const added = after.field_schema.filter(
    ({ name, required }) => required && !before.field_schema.some((field) => field.name === name),
  )
  return [
    ...(version && version !== before.updated_at ? [effects.conflict] : []),
    ...found.flatMap(({ field, next }) => effectsOnField(field, next, texts)),
    ...added.map(({ label }) => fill(effects.required, { label })),
    ...(after.slug_prefix !== before.slug_prefix ? [effects.prefix] : []),
    ...(before.is_active && after.is_active === false ? [effects.inactive] : []),
  ]
}

/** An acceptance applies to one version of the type. After another change, the effects are shown again. */
export const acceptanceOf = ({ updated_at }: ShownDefinition, effects: readonly string[]): string =>
  JSON.stringify([updated_at, ...effects])

function effectsOnField(
  field: ShownDefinition['field_schema'][number],
  next: SubmittedType['field_schema'][number] | undefined,
  texts: DesignerTexts,
): string[] {
  const { effects } = texts
  const { name, label } = field
  if (!next) return [fill(effects.removed, { label, name })]
  const lost = (field.options ?? []).filter((option) => !next.options?.includes(option))
  const isShorter =
    typeof next.max_length === 'number' && next.max_length < (field.max_length ?? Number.POSITIVE_INFINITY)
  const isKind = next.type === field.type
  return [
    ...(isKind
      ? []
      : [fill(effects.kind, { label, from: kindName(texts, field.type), to: kindName(texts, next.type) })]),
    ...(isKind && lost.length > 0 ? [fill(effects.options, { label, options: lost.join(', ') })] : []),
    ...(isKind && isShorter ? [fill(effects.shorter, { label, length: String(next.max_length) })] : []),
    ...(next.required && !field.required ? [fill(effects.required, { label })] : []),
  ]
}

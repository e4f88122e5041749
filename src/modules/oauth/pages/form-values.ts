/** The values of a form, by the names of its fields. */
export type TypedValues = Readonly<Record<string, string | undefined>>

/** The name of the checkbox for a resource. */
export const resourceField = (id: string): string => `resource_${id}`

const isTicked = (typed: TypedValues, id: string) => typed[resourceField(id)] !== undefined

/** The ids of the chosen resources in this order, the default one first. */
export const chosenResources = (typed: TypedValues, order: readonly string[]): string[] => {
  const chosen = order.filter((id) => isTicked(typed, id))
  const first = chosen.find((id) => id === typed.first)
  return first === undefined ? chosen : [first, ...chosen.filter((id) => id !== first)]
}

/** Text that is not a number is sent unchanged, so that the API rejects it. */
export const numberIn = (text: string): number | string => (/^\d{1,9}$/.test(text) ? Number(text) : text)

/** Empty: the default. */
export const lifetimeIn = (text: string | undefined): number | string | null =>
  (text ?? '').trim() === '' ? null : numberIn((text ?? '').trim())

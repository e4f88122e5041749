import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import type { PostType } from '../../post-type-provider.ts'
import { tagSchemas } from '../../taxonomy/schemas.ts'
import { type EditorValues, fieldValue } from './field-inputs.ts'
import { fromLocalInput } from './local-time.ts'

const states = { publish: 'published', unpublish: 'draft', schedule: 'scheduled' } as const

/** Returns the API request body. Browsers omit unchecked checkboxes, so absent checkboxes count as unchecked. */
export function bodyOf(values: EditorValues, type: PostType, timeZone: string | null): Record<string, unknown> {
  const { title, slug, lang, body, body_format, excerpt, visibility, password, scheduled_at, action = 'save' } = values
  const status = Object.hasOwn(states, action) ? states[action as keyof typeof states] : undefined
  const categories = Object.keys(values).flatMap((name) => /^category_(.+)$/.exec(name)?.[1] ?? [])
  const fields = type.fields.map((field) => [field.name, fieldValue(field, values, timeZone)])
  return {
    ...{ title, slug, lang, body, body_format, excerpt, visibility, status, category_ids: categories },
    post_type: type.key,
    password: visibility === 'password' && password ? password : undefined,
    scheduled_at: action === 'schedule' && scheduled_at ? fromLocalInput(scheduled_at, timeZone) : undefined,
    comments_enabled: values.comments_enabled === 'on',
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
  }
}

const maxTags = 50

export type TagIds = { ids: string[] } | { unknown: string }

/** Creates missing tags only for administrators because the API allows no other users to create tags. */
export async function tagIdsOf(member: AdminVisit, text: string, lang: string, creates: boolean): Promise<TagIds> {
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  const ids: string[] = []
  for (const name of names.slice(0, maxTags)) {
    const id = (await findTag(member, name, lang)) ?? (creates ? await createTag(member, name, lang) : undefined)
    if (id === undefined) return { unknown: name }
    ids.push(id)
  }
  return { ids }
}

async function findTag(member: AdminVisit, name: string, lang: string): Promise<string | undefined> {
  const response = await member.api(call(tagSchemas.list, { query: { q: name.slice(0, 100), lang } }))
  if (!response.ok) return undefined
  return response.body.data.find((tag) => tag.name.toLowerCase() === name.toLowerCase())?.id
}

async function createTag(member: AdminVisit, name: string, lang: string): Promise<string | undefined> {
  const response = await member.api(call(tagSchemas.create, { body: { name, lang } }))
  return response.ok ? response.body.data.id : undefined
}

import { plainLine, webAddress } from '../../lib/client-text.ts'
import { invalidField } from '../../lib/errors.ts'
import { readAll } from '../../lib/read-all.ts'
import type { TypedPost } from '../blog/post-type-provider.ts'
import { definitionMembersOf } from './json-value.ts'

const address = (path: string, text: string) => webAddress(path, text)
const line = (max: number) => (path: string, text: string) => plainLine(path, text.trim(), max)

const texts = {
  seo_title: line(70),
  seo_description: line(160),
  seo_keywords: line(255),
  canonical_url: address,
  og_title: line(95),
  og_description: line(200),
  og_image: address,
}

export const seoColumns = [...(Object.keys(texts) as (keyof typeof texts)[]), 'noindex'] as const

export function readSeo(input: Record<string, unknown>): TypedPost {
  const { noindex, ...members } = definitionMembersOf('seo', input, seoColumns)
  return readAll((attempt) => {
    const read: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(members)) {
      read[name] = attempt(() => textMember(name as keyof typeof texts, value))
    }
    if (noindex !== undefined) read.noindex = attempt(() => switchMember(noindex))
    return read as TypedPost
  })
}

function textMember(name: keyof typeof texts, value: unknown): string | null {
  if (typeof value !== 'string') throw invalidField(`seo.${name}`, 'must be a string')
  return value === '' ? null : texts[name](`seo.${name}`, value)
}

function switchMember(value: unknown): boolean {
  if (typeof value !== 'boolean') throw invalidField('seo.noindex', 'must be true or false')
  return value
}

export const shownSeo = (post: TypedPost) =>
  Object.fromEntries(seoColumns.map((name) => [name, post[name] ?? (name === 'noindex' ? false : null)]))

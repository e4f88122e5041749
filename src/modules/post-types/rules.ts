import { always, both } from '../../db/conditions.ts'
import { isAdmin } from '../../http/access/is-admin.ts'
import type { PostTypeRules, TypedPost } from '../blog/post-type-provider.ts'
import { type CompiledType, compileType, type InstalledFeatures } from './compile-type.ts'
import { type DefinitionRow, indexedPosts, postsOfTypes } from './queries.ts'
import { shownSeo } from './seo.ts'

type Reader = { id: string; user_type: string } | undefined

export function createRules(rows: readonly DefinitionRow[], installed: InstalledFeatures): PostTypeRules {
  const definitions = new Map(rows.map((row) => [row.type_key, row]))
  const compiled = new Map<string, CompiledType>()
  const find = (key: string): CompiledType | undefined => {
    const definition = definitions.get(key)
    if (!definition) return undefined
    const type = compiled.get(key) ?? compileType(definition, installed)
    compiled.set(key, type)
    return type
  }
  // A type created after these rules were loaded is unknown, so its posts are hidden.
  const typeOf = ({ post_type = 'post' }: TypedPost): CompiledType =>
    find(post_type) ?? compileType({ ...unknownType, type_key: post_type }, installed)

  const readableKeys = (reader: Reader) => {
    if (isAdmin(reader)) return undefined
    const types = [...definitions.keys()].map((key) => find(key)!).filter((type) => type.mayRead(reader?.user_type))
    const keysOf = (active: boolean) => types.filter(({ isActive }) => isActive === active).map(({ key }) => key)
    return { open: keysOf(true), own: reader ? keysOf(false) : [] }
  }
  const readable = (alias: string, reader: Reader) => {
    const keys = readableKeys(reader)
    return keys ? postsOfTypes(alias, keys, reader?.id) : always
  }
  return {
    find,
    all: () => [...definitions.keys()].map((key) => find(key)!).filter(({ isOffered }) => isOffered),
    typeOf,
    hides(post, reader) {
      if (isAdmin(reader)) return false
      const type = find(post.post_type ?? 'post')
      if (!type?.mayRead(reader?.user_type)) return true
      return !type.isActive && (reader === undefined || post.user_id !== reader.id)
    },
    readable,
    readableKeys,
    collectable: (alias) => {
      const open = readable(alias, undefined)
      return installed.seo ? both([open, indexedPosts(alias)]) : open
    },
    shown(post) {
      const type = typeOf(post)
      return {
        post_type: type.key,
        fields: type.shownFields(post.custom_fields ?? {}),
        ...(type.features.seo && { seo: shownSeo(post) as never }),
      }
    },
  }
}

const unknownType: DefinitionRow = {
  id: '',
  type_key: '',
  type_name: '',
  description: '',
  slug_prefix: '',
  field_schema: [],
  behaviors: {},
  icon: '',
  color: '',
  is_active: false,
  is_built_in: false,
  sort_order: 0,
  created_at: new Date(0),
  updated_at: new Date(0),
}

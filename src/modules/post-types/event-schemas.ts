import Type from 'typebox'

const ofType = () => Type.Object({ type_key: Type.String({ examples: ['recipe'] }) })

export const postTypeEventData = {
  'post_type.created': ofType(),
  'post_type.updated': ofType(),
  'post_type.deleted': ofType(),
} as const

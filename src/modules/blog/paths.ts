export const base = '/api/v1/posts'

/** Routes of one post answer under both names. */
export const postPaths = [`${base}/:id`, `${base}/id/:id`] as const

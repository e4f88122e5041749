export const base = '/api/v1/posts'

/** Routes of one post answer under both names; the API description has the first. */
export const postPaths = [`${base}/id/:id`, `${base}/:id`] as const

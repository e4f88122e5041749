export const base = '/api/v1/posts'

/** A single post is available under both paths; the API description lists the first. */
export const postPaths = [`${base}/id/:id`, `${base}/:id`] as const

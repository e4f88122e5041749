import type { PostRow } from './queries.ts'
import type { RenderText } from './render.ts'

export type PostBody = Pick<PostRow, 'body' | 'body_format' | 'body_html' | 'body_start'>

/** The columns of a rendered body. HTML is stored sanitized, so that removed parts cannot reach an editor either. */
export async function renderBody(
  render: RenderText,
  { body, body_format }: Pick<PostRow, 'body' | 'body_format'>,
): Promise<PostBody> {
  if (body === null || body_format === 'json') return { body, body_format, body_html: null, body_start: '' }
  const { html, start } = await render({ format: body_format, body })
  return { body: body_format === 'html' ? html : body, body_format, body_html: html, body_start: start }
}

import { invalidField } from '../../lib/errors.ts'
import type { PreviewPostBody } from './post-schemas.ts'
import { bodyField, isJson, mustBeText } from './read-members.ts'
import { type RenderText, renderBody } from './render.ts'

/** Renders a body in the same way as saving a post does, so the preview matches the published post. */
export async function previewPost(
  render: RenderText,
  { body: input = '', body_format = 'markdown' }: PreviewPostBody,
): Promise<{ body_html: string | null; excerpt: string }> {
  if (typeof input !== 'string' && body_format !== 'json') throw invalidField('body', mustBeText)
  const body = bodyField(input)
  if (body_format === 'json' && !isJson(body)) throw invalidField('body', 'must be valid JSON')
  const { body_html, body_start } = await renderBody(render, { body, body_format })
  return { body_html, excerpt: body_start }
}

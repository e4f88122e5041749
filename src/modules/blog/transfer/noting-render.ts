import type { Render } from '../render.ts'
import { type Note, note } from './notes.ts'

export const notingRender =
  (render: Render, notes: Note[], what = ''): Render =>
  async (source, field = 'body') => {
    const rendered = await render({ ...source, listsRemoved: source.format === 'html' }, field)
    const { removed = [] } = rendered
    if (removed.length > 0) notes.push(note('HTML is removed from it', `${what}${field}: ${removed.join(', ')}`))
    return rendered
  }

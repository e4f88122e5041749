import type { RenderText } from '../render.ts'
import { type ImportNote, note } from './notes.ts'

export const notingRender =
  (render: RenderText, notes: ImportNote[], what = ''): RenderText =>
  async (source, field = 'body') => {
    const rendered = await render({ ...source, listsRemoved: source.format === 'html' }, field)
    const { removed = [] } = rendered
    if (removed.length > 0) notes.push(note('HTML is removed from it', `${what}${field}: ${removed.join(', ')}`))
    return rendered
  }

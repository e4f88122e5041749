import type { Toolkit } from '../../../src/modules/toolkit.ts'
import type { AccountArea } from '../../../src/ui/account/layout.ts'
import type { PageContext } from '../../../src/ui/shared/render.ts'
import { textsFor } from './texts.ts'

interface NotesView {
  area: AccountArea
  notes: string[]
  /** The form's CSRF token. */
  form: string
  /** The error code of the last submission. */
  problem: string | undefined
}

export const notesPage =
  (toolkit: Toolkit) =>
  ({ area, notes, form, problem }: NotesView, page: PageContext): string => {
    const texts = textsFor(toolkit)(page.lang)
    const data = { texts, notes, form, problem: toolkit.pages.problemText(page.lang, problem, texts.rejections) }
    return toolkit.pages.renderAccountLayout(
      area,
      { template: new URL('./notes.eta', import.meta.url), title: texts.title, data },
      page,
    )
  }

import { type AdminArea, type AdminView, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { Field } from '../../../../ui/fields/field.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'

export interface EntryForm
  extends Pick<AdminView, 'title' | 'lead' | 'parent' | 'problem' | 'problemLink' | 'scripts'> {
  fields: readonly Field[]
  /** Fields that most visitors leave as they are, behind a heading that opens them. */
  more?: readonly Field[]
  moreLabel?: string
  /** The choices of the page before. */
  facts?: readonly { name: string; value: string }[]
  hidden?: readonly { name: string; value: string }[]
  /** The form token. A form without one only asks for what the next page depends on. */
  form?: string | undefined
  action: string
  button: string
  /** A link to what must be added first, next to the title. */
  before?: AdminView['action']
  /** The page to which the visitor returns without saving. */
  back: string
}

/** A page with one form. */
export function entryFormPage(
  area: AdminArea,
  {
    fields,
    more = [],
    moreLabel = '',
    facts = [],
    hidden = [],
    form,
    action,
    button,
    back,
    before,
    ...head
  }: EntryForm,
  page: PageContext,
): string {
  const { cancel } = adminTextsFor(page.lang).shared
  return renderAdminLayout(
    area,
    {
      template: new URL('./form.eta', import.meta.url),
      ...{ ...head, action: before },
      data: { fields, more, moreLabel, facts, hidden, form, action, button, back, cancel },
    },
    page,
  )
}

import type { PageContext } from '../shared/render.ts'
import { textsFor } from '../texts/index.ts'

export const emailInput = (
  page: PageContext,
  more: { value?: string | undefined; problem?: string | undefined } = {},
) => ({
  name: 'email',
  label: textsFor(page.lang).form.email,
  type: 'email',
  maxlength: 254,
  autocomplete: 'username',
  ...more,
})

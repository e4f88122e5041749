import { inFlow } from '../../flow/flow.ts'
import { ownPath, type PageContext, renderPage } from '../../shared/render.ts'
import { type PageTexts, textsFor } from '../../texts/index.ts'

export interface ConfirmPage {
  purpose: keyof PageTexts['confirm']
  /** Path that the button posts to. */
  action: string
  /** The one-time secret of the link. */
  token: string
  /** The signed value that proves the form came from us. */
  page: string
  /** It began in another browser, where a code does the same. */
  isElsewhere?: boolean
}

/** Where links in messages lead. Opening it changes nothing, so programs that only look at links do no harm. */
export function confirmPage(data: ConfirmPage, page: PageContext): string {
  const { confirm, returning } = textsFor(page.lang)
  const texts = confirm[data.purpose]
  const form = { action: inFlow(ownPath(data.action), page.flow), token: data.token, signature: data.page }
  const staysOpen = data.purpose === 'personal_data'
  return renderPage(
    {
      template: new URL('./confirm.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      scripts: ['once.js', ...(staysOpen ? ['leave-address.js'] : [])],
      data: { texts, form, aside: data.isElsewhere && returning.byCode },
    },
    page,
  )
}

import { inFlow } from '../../flow/flow.ts'
import { ownPath, type PageContext, renderPage } from '../../shared/render.ts'
import { type PageTexts, textsFor } from '../../texts/index.ts'

export interface ConfirmPage {
  /** One of the core, or what a module says. */
  purpose: keyof PageTexts['confirm'] | ModulePurpose
  /** Path that the button posts to. */
  action: string
  /** The one-time secret of the link. */
  token: string
  /** The signed value that proves the form came from us. */
  formToken: string
  /** It began in another browser, where a code does the same. */
  isElsewhere?: boolean
}

/** What a link of a module is for. */
export interface ModulePurpose {
  texts(lang: string): { title: string; sentence: string; button: string }
  /** The page stays in the browser after the button was pressed, as the reply is a file. */
  staysOpen: boolean
}

/** Where links in messages lead. Opening it changes nothing, so programs that only look at links do no harm. */
export function confirmPage(data: ConfirmPage, page: PageContext): string {
  const { confirm, returning } = textsFor(page.lang)
  const { purpose } = data
  const [texts, staysOpen] =
    typeof purpose === 'string' ? [confirm[purpose], false] : [purpose.texts(page.lang), purpose.staysOpen]
  const form = { action: inFlow(ownPath(data.action), page.flow), token: data.token, formToken: data.formToken }
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

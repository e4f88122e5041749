import { type PageContext, renderPage } from '../../../../ui/shared/render.ts'
import { oauthTextsFor } from '../../pages/texts.ts'

export interface FormPostPage {
  /** The address of the client, which was checked. */
  action: string
  members: Readonly<Record<string, string>>
}

/** Sends the response to the client as a form (OAuth 2.0 Form Post Response Mode). Without scripts, users press a button. */
export function formPostPage({ action, members }: FormPostPage, page: PageContext): string {
  const { formPost: texts } = oauthTextsFor(page.lang)
  return renderPage(
    {
      template: new URL('./form-post.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      scripts: [new URL('./send-at-once.js', import.meta.url)],
      data: { texts, action, members: Object.entries(members).map(([name, value]) => ({ name, value })) },
    },
    page,
  )
}

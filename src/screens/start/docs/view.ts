import { type PageContext, renderPage } from '../../../ui/shared/render.ts'
import { textsFor } from '../../../ui/texts/index.ts'

export interface DocsPage {
  signedInAs: string
}

export function docsPage({ signedInAs }: DocsPage, page: PageContext): string {
  const { script, ...texts } = textsFor(page.lang).docs
  return renderPage(
    {
      template: new URL('./docs.eta', import.meta.url),
      title: texts.title,
      shape: 'tool',
      styles: ['dialog.css', 'docs.css'],
      scripts: ['docs.js'],
      settings: { texts: script, publicUrl: page.publicUrl, signedInAs },
      data: { texts, about: textsFor(page.lang).home.apiText },
    },
    page,
  )
}

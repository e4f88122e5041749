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
      styles: ['docs.css'],
      scripts: docsScripts,
      settings: { texts: script, publicUrl: page.publicUrl, signedInAs },
      data: { texts, about: textsFor(page.lang).home.apiText },
    },
    page,
  )
}

const docsScripts = [
  'docs/settings.js',
  'docs/dom.js',
  'docs/schema.js',
  'docs/operations.js',
  'docs/request.js',
  'docs/members.js',
  'docs/credentials.js',
  'docs/optional.js',
  'docs/inputs.js',
  'docs/answer.js',
  'docs/ask.js',
  'docs/try-it.js',
  'docs/operation.js',
  'docs.js',
]

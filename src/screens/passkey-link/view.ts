import { passkeyLinkPath } from '../../passkeys/sign-in-link/issue.ts'
import { type PageProblem, problemText } from '../../ui/shared/problem-text.ts'
import { type PageContext, renderPage } from '../../ui/shared/render.ts'
import { fill, textsFor } from '../../ui/texts/index.ts'

interface PasskeyLinkPage {
  formToken: string
  problem?: PageProblem | undefined
}

export function passkeyLinkPage({ formToken, problem }: PasskeyLinkPage, page: PageContext): string {
  const { passkeyLink: texts } = textsFor(page.lang)
  return renderPage(
    {
      template: new URL('./passkey-link.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      data: {
        title: texts.title,
        sentence: fill(texts.sentence, { appName: page.appName }),
        path: passkeyLinkPath,
        form: { formToken, problem: problemText(page.lang, problem, {}) },
        submit: texts.submit,
      },
    },
    page,
  )
}

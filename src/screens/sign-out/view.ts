import { shownApplication } from '../../http/responses/redirects.ts'
import { type PageProblem, problemText } from '../../ui/shared/problem-text.ts'
import { type PageContext, renderPage } from '../../ui/shared/render.ts'
import { fill, type PageTexts, textsFor } from '../../ui/texts/index.ts'

export interface LogoutPage {
  formToken: string
  /** An allowed return address. */
  returnTo?: string | undefined
  /** A form of a module, with its hidden fields. Its page does not lead back to the return address. */
  other?: { action: string; fields: Readonly<Record<string, string>> } | undefined
  problem?: PageProblem
}

/** Asks for confirmation so that links on other sites cannot sign users out. */
export function logoutPage({ formToken, returnTo, other, problem }: LogoutPage, page: PageContext): string {
  const { logout: texts } = textsFor(page.lang)
  const everywhere = fill(texts.sentence, { appName: page.appName })
  const application = returnTo && shownApplication(returnTo)
  const sentence = application ? `${everywhere} ${fill(texts.returns, { application })}` : everywhere
  const stay = stayLink(other ? undefined : returnTo, texts)
  const fields = other?.fields ?? (returnTo === undefined ? {} : { return_to: returnTo })
  const hidden = Object.entries(fields).map(([name, value]) => ({ name, value }))
  const form = { formToken, problem: problemText(page.lang, problem, {}) }
  return renderPage(
    {
      template: new URL('./logout.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      scripts: ['forget-texts.js'],
      data: { texts, sentence, form, action: other?.action ?? '/logout', hidden, stay },
    },
    page,
  )
}

/** Does not link to another host. The sign-in page redirects signed-in users to the application. */
const stayLink = (returnTo: string | undefined, texts: PageTexts['logout']) =>
  returnTo === undefined
    ? { href: '/account', label: texts.stay }
    : {
        href: `/login?${new URLSearchParams({ return_to: returnTo })}`,
        label: fill(texts.stayAndReturn, { application: shownApplication(returnTo) }),
      }

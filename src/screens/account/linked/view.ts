import type { AccountsRoute } from '../../../social/schemas.ts'
import { type AccountArea, accountText, renderAccountLayout } from '../../../ui/account/layout.ts'
import { onDay } from '../../../ui/account/when.ts'
import type { ResponseOf } from '../../../ui/shared/api-route.ts'
import { problemText } from '../../../ui/shared/problem-text.ts'
import { linkTarget, type PageContext } from '../../../ui/shared/render.ts'
import { fill, textsFor } from '../../../ui/texts/index.ts'
import type { SignInProvider } from '../../sign-in/login/view.ts'
import { addPath, removePath } from './schemas.ts'

export type LinkedAccount = ResponseOf<typeof AccountsRoute>['accounts'][number]

export interface LinkedPage {
  area: AccountArea
  accounts: LinkedAccount[]
  providers: SignInProvider[]
  timeZone: string | null
  forms: { add: string; remove: string }
  done?: string | undefined
  problem?: string | undefined
  hasPasswords: boolean
}

export function linkedPage({ area, accounts, providers, timeZone, forms, ...outcome }: LinkedPage, page: PageContext) {
  const { account, linked: texts } = textsFor(page.lang)
  const rejections = outcome.hasPasswords
    ? texts.rejections
    : { ...texts.rejections, LAST_SIGN_IN_METHOD: texts.lastMethodWithoutPasswords }
  const isLinked = new Set(accounts.map(({ provider }) => provider))
  return renderAccountLayout(
    area,
    {
      template: new URL('./list.eta', import.meta.url),
      title: texts.title,
      done: accountText({ ...account.done, ...texts.done }, outcome.done),
      data: {
        texts,
        forms,
        addPath,
        removePath,
        problem: problemText(page.lang, outcome.problem, rejections),
        accounts: accounts.map(({ provider, email, name, linked_at, last_used_at }) => ({
          provider,
          brand: titleOf(provider, providers),
          who: email || name,
          about: `${fill(texts.since, { date: onDay(page.lang, linked_at, timeZone) })}, ${fill(texts.used, { date: onDay(page.lang, last_used_at, timeZone) })}`,
        })),
        offers: providers
          .filter(({ name }) => !isLinked.has(name))
          .map(({ name, title }) => ({ provider: name, label: fill(texts.link, { name: title }) })),
      },
    },
    page,
  )
}

/** The CSP (`form-action`) blocks redirects from a form to the provider, so the response is a page that redirects. */
export function continuePage(
  { area, title, url }: { area: AccountArea; title: string; url: string },
  page: PageContext,
) {
  const { linked: texts } = textsFor(page.lang)
  const data = {
    text: fill(texts.goOnText, { name: title }),
    label: fill(texts.goOn, { name: title }),
    url: linkTarget(url),
  }
  return renderAccountLayout(
    area,
    { template: new URL('./go-on.eta', import.meta.url), title: fill(texts.goOn, { name: title }), data },
    page,
  )
}

export const titleOf = (name: string, providers: SignInProvider[]): string =>
  providers.find((provider) => provider.name === name)?.title ?? name

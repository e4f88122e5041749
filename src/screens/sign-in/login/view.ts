import { inFlow } from '../../../ui/flow/flow.ts'
import { type NoticeKey, noticeFor } from '../../../ui/messages/notice/view.ts'
import { secondStepPath } from '../../../ui/paths.ts'
import { codeOf, type PageProblem, problemText } from '../../../ui/shared/problem-text.ts'
import { linkTarget, type PageContext, renderPage } from '../../../ui/shared/render.ts'
import { fill, type PageTexts, textsFor } from '../../../ui/texts/index.ts'

export interface SignInProvider {
  name: string
  title: string
}

export interface SignInOptions {
  /** Present if passkeys can be used on this page. */
  passkey: { autofill: boolean } | undefined
  /** Undefined if lost passkeys cannot be replaced. */
  recoverPath?: string | undefined
  byMail: boolean
  password: boolean
  /** Undefined if the pages accept no registrations. */
  registerPath: string | undefined
  providers: SignInProvider[]
}

export interface LoginPage {
  formToken: string
  ways: SignInOptions
  /** The destination if a script completes the sign-in. */
  next: string
  /** What follows a sign-in with a password in a browser that can create passkeys. */
  upgrade?: 'offer' | 'silent' | undefined
  notice?: NoticeKey | undefined
  problem?: PageProblem
  identifier?: string | undefined
  /** Whether the browser has several session cookies, so that a sign-in would have no effect. */
  hasSeveralCookies?: boolean
}

export function loginPage(data: LoginPage, page: PageContext): string {
  const { login: texts, form: fields } = textsFor(page.lang)
  const { passkey, byMail, providers } = data.ways
  const others = passkey !== undefined || byMail || providers.length > 0
  return renderPage(
    {
      template: new URL('./login.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      ...(passkey && passkeyScript(passkey, data, page)),
      data: {
        texts,
        fields,
        happened: data.notice && noticeFor(data.notice, page.lang),
        form: { formToken: data.formToken, problem: problemText(page.lang, data.problem, texts.rejections) },
        isRejected: codeOf(data.problem) === 'INVALID_CREDENTIALS',
        isUnproven: codeOf(data.problem) === 'EMAIL_NOT_VERIFIED',
        identifier: data.identifier ?? '',
        hasSeveralCookies: data.hasSeveralCookies,
        ways: {
          ...data.ways,
          providers: providers.map((provider) => providerLink(provider, texts, page.flow)),
        },
        others,
        autofill: passkey?.autofill === true,
        upgrade: data.upgrade,
        othersNeedScript: passkey !== undefined && !byMail && providers.length === 0,
      },
    },
    page,
  )
}

const passkeyScript = (
  { autofill }: NonNullable<SignInOptions['passkey']>,
  { next, upgrade }: Pick<LoginPage, 'next' | 'upgrade'>,
  { lang, flow }: PageContext,
) => ({
  scripts: ['passkey-sign-in.js', ...(upgrade ? ['passkey-creation.js'] : [])],
  settings: {
    autofill,
    next,
    upgrade,
    secondStep: inFlow(secondStepPath, flow),
    refused: textsFor(lang).login.passkeyRejected,
  },
})

const providerLink = ({ name, title }: SignInProvider, texts: PageTexts['login'], flow: string | undefined) => ({
  name,
  // If there is no flow, the link starts one so that users return to this service's pages.
  href: linkTarget(
    `/auth/social/${encodeURIComponent(name)}/login?${flow === undefined ? 'screen=login' : `flow=${flow}`}`,
  ),
  label: fill(texts.provider, { name: title }),
})

import { passkeyOfferPath } from '../../../ui/paths.ts'
import { type PageProblem, problemText } from '../../../ui/shared/problem-text.ts'
import { type PageContext, renderPage } from '../../../ui/shared/render.ts'
import { textsFor } from '../../../ui/texts/index.ts'

export interface PasskeyOfferPage {
  formToken: string
  problem?: PageProblem
}

export function passkeyOfferPage({ formToken, problem }: PasskeyOfferPage, page: PageContext): string {
  const { passkeyOffer: texts, security } = textsFor(page.lang)
  const rejections = { ...security.rejections, ...texts.rejections }
  return renderPage(
    {
      template: new URL('./passkey-offer.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      scripts: ['passkey-add.js'],
      settings: { exists: rejections.exists, refused: rejections.PASSKEY },
      data: {
        texts,
        path: passkeyOfferPath,
        needsScript: rejections.NO_PASSKEY,
        form: { formToken, problem: problemText(page.lang, problem, rejections) },
      },
    },
    page,
  )
}

import type { AccountVisit } from '../../../../../ui/account/account-visit.ts'
import { type AccountArea, renderAccountLayout } from '../../../../../ui/account/layout.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fill } from '../../../../../ui/texts/index.ts'
import { securityTextsFor } from '../../texts.ts'
import { securityPath } from '../shared/paths.ts'

export interface CodesPage {
  area: AccountArea
  codes: string[]
  /** The email address on the printout. */
  email: string
  /** Whether the codes were generated together with the first method. */
  isFirst: boolean
}

/** The codes are shown only in the response to the request that generated them. */
export const showCodes = ({ area, profile, show }: AccountVisit, codes: string[], isFirst: boolean) =>
  show((page) => codesPage({ area, codes, email: profile.user.email, isFirst }, page))

export function codesPage({ area, codes, email, isFirst }: CodesPage, page: PageContext): string {
  const { security } = securityTextsFor(page.lang)
  const texts = security.codes
  return renderAccountLayout(
    area,
    {
      template: new URL('./codes.eta', import.meta.url),
      title: texts.title,
      scripts: [new URL('../../codes.js', import.meta.url)],
      settings: { copied: texts.copied, fileName: texts.fileName },
      data: {
        texts,
        codes,
        owner: fill(texts.of, { name: `${email} · ${page.appName}` }),
        sentence: isFirst ? `${texts.first} ${texts.sentence}` : texts.sentence,
        next: securityPath,
      },
    },
    page,
  )
}

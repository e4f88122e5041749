import type { FormOutcome } from '../../../../ui/account/account-visit.ts'
import { type AccountArea, accountText, renderAccountLayout } from '../../../../ui/account/layout.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { textsFor } from '../../../../ui/texts/index.ts'
import { deletePath, personalDataDownloadPath } from '../schemas.ts'

export interface PersonalDataPage extends FormOutcome {
  area: AccountArea
  download: string
}

export function personalDataPage({ area, download, done, problem }: PersonalDataPage, page: PageContext): string {
  const { account, personalData: texts } = textsFor(page.lang)
  return renderAccountLayout(
    area,
    {
      template: new URL('./personal-data.eta', import.meta.url),
      title: texts.title,
      done: accountText(account.done, done),
      data: {
        problem: problemText(page.lang, problem, texts.rejections),
        copy: { texts: texts.data, path: personalDataDownloadPath, form: download },
        deletion: { texts: texts.deletion, path: deletePath },
      },
    },
    page,
  )
}

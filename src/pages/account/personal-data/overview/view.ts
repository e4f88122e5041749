import { problemText } from '../../../shared/problem-text.ts'
import type { PageContext } from '../../../shared/render.ts'
import { textsFor } from '../../../texts/index.ts'
import type { FormOutcome } from '../../shared/account-visit.ts'
import { type AccountArea, accountText, renderAccountLayout } from '../../shared/layout.ts'
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
        problem: problemText(page.lang, problem, texts.refusals),
        copy: { texts: texts.data, path: personalDataDownloadPath, form: download },
        deletion: { texts: texts.deletion, path: deletePath },
      },
    },
    page,
  )
}

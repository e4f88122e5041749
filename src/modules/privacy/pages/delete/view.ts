import { day, hour } from '../../../../lib/time.ts'
import { deleteNow } from '../../../../screens/account/personal-data/delete/view.ts'
import { deletePath } from '../../../../screens/account/personal-data/schemas.ts'
import type { FormOutcome } from '../../../../ui/account/account-visit.ts'
import { type AccountArea, accountText, renderAccountLayout } from '../../../../ui/account/layout.ts'
import type { ShowPage } from '../../../../ui/account/personal-data-replacement.ts'
import { onDay } from '../../../../ui/account/when.ts'
import { personalDataPath } from '../../../../ui/paths.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { textsFor as coreTexts, fill, type PageLanguage } from '../../../../ui/texts/index.ts'
import { pendingDeletionOf } from '../pending-deletion.ts'
import { privacyPaths } from '../schemas.ts'
import { privacyTextsFor } from '../texts.ts'

export interface ScheduleDeletionPage extends FormOutcome {
  area: AccountArea
  email: string
  /** The grace period in milliseconds. Undefined if the account is deleted immediately. */
  grace?: number | undefined
  /** The time of a pending deletion. */
  deletionAt?: string | undefined
  timeZone: string | null
  forms: { now: string; later: string; cancel: string }
}

export function scheduleDeletionPage(
  { area, email, grace, deletionAt, timeZone, forms, done, problem }: ScheduleDeletionPage,
  page: PageContext,
): string {
  const { account, personalData: core } = coreTexts(page.lang)
  const { deletion } = privacyTextsFor(page.lang)
  return renderAccountLayout(
    area,
    {
      template: new URL('./delete.eta', import.meta.url),
      title: core.deletion.title,
      done: accountText(account.done, done),
      data: {
        texts: { ...core.deletion, ...deletion },
        path: privacyPaths.request,
        form: forms.later,
        ...laterOf(page.lang, grace),
        pending: deletionAt && {
          text: fill(deletion.pending, { date: onDay(page.lang, deletionAt, timeZone) }),
          path: privacyPaths.cancel,
          form: forms.cancel,
        },
        now: deleteNow(page.lang, email, forms.now),
        problem: problemText(page.lang, problem, core.rejections),
        back: personalDataPath,
      },
    },
    page,
  )
}

function laterOf(lang: PageLanguage, grace: number | undefined) {
  if (grace === undefined) return undefined
  const { deletion } = privacyTextsFor(lang)
  const time = { time: inWords(lang, grace) }
  return { later: { title: fill(deletion.later, time), text: fill(deletion.laterText, time) } }
}

function inWords(lang: string, time: number): string {
  const [size, unit] = time >= day ? ([day, 'day'] as const) : ([hour, 'hour'] as const)
  const count = Math.max(1, Math.floor(time / size))
  return new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

export const showDelete: ShowPage = async (ctx, { area, profile, api, sign, show }, outcome, status) => {
  const grace = ctx.config.PRIVACY_DELETION_GRACE
  const data = {
    area,
    email: profile.user.email,
    grace: grace > 0 ? grace : undefined,
    deletionAt: await pendingDeletionOf(api),
    timeZone: profile.user.tmz,
    forms: { now: sign(deletePath), later: sign(privacyPaths.request), cancel: sign(privacyPaths.cancel) },
    ...outcome,
  }
  return show((page) => scheduleDeletionPage(data, page), status)
}

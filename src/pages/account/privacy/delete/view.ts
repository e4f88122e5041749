import { day, hour } from '../../../../lib/time.ts'
import type { PageContext } from '../../../shared/render.ts'
import { wordsFor } from '../../../shared/words-for.ts'
import { fill, textsFor } from '../../../texts/index.ts'
import { type Area, renderArea, wordsOf } from '../../shared/area.ts'
import { paths, privacyPath } from '../paths.ts'

export interface DeletePage {
  area: Area
  email: string
  /** How long a deletion can be cancelled, in milliseconds; undefined when it is at once. */
  grace?: number | undefined
  /** Signed values of the forms. */
  forms: { now: string; later: string }
  done?: string | undefined
  problem?: string | undefined
}

/** The ways to delete an account: with time to think it over, and at once. */
export function deletePage({ area, email, grace, forms, done, problem }: DeletePage, page: PageContext): string {
  const { account, privacy } = textsFor(page.lang)
  const texts = privacy.deletion
  return renderArea(
    area,
    {
      template: new URL('./delete.eta', import.meta.url),
      title: texts.title,
      done: wordsOf(account.done, done),
      data: {
        texts,
        paths,
        forms,
        later: grace !== undefined && fill(texts.laterText, { time: inWords(page.lang, grace) }),
        confirm: fill(texts.confirm, { email }),
        problem: wordsFor(page.lang, problem, privacy.refusals),
        back: privacyPath,
      },
    },
    page,
  )
}

/** "14 days": never more than there is. */
function inWords(lang: string, time: number): string {
  const [size, unit] = time >= day ? ([day, 'day'] as const) : ([hour, 'hour'] as const)
  const count = Math.max(1, Math.floor(time / size))
  return new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

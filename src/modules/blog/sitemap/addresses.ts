import type { Context } from '../../../context.ts'
import { pageOf, paginationOf } from '../../../lib/paging.ts'
import { iso } from '../../../lib/time.ts'
import { languageField } from '../read-members.ts'
import { publicAddress } from './public-address.ts'
import { countWanted, findWanted } from './queries.ts'

const mostRows = 1_000

/** What a sitemap names, for those who make their own: one entry a post, in the language that is asked for. */
export async function listAddresses(
  { config, clock, db, modules }: Context,
  { lang, ...paging }: { lang?: string; page?: number; limit?: number },
) {
  const page = pageOf(paging, mostRows)
  const filter = {
    now: new Date(clock.now()),
    lang: lang === undefined ? undefined : languageField('lang', lang),
    withTranslations: modules.isInstalled('blog', 'ext-translations'),
  }
  const total = await countWanted(db, filter)
  const pagination = paginationOf(page, total)
  const rows = await findWanted(db, filter, page)
  return {
    addresses: rows.map((row) => ({
      id: row.id,
      slug: row.slug,
      lang: row.lang,
      url: publicAddress(config, row, { lang: row.original_lang }),
      updated_at: iso(row.updated_at),
    })),
    meta: { ...pagination, has_more: pagination.page < pagination.pages, cached: false as const },
  }
}

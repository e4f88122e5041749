import type { Context } from '../../../context.ts'
import { listMetaOf, pageOf, paginationOf } from '../../../lib/paging.ts'
import { iso } from '../../../lib/time.ts'
import { postLanguageField } from '../read-members.ts'
import { publicAddress } from './public-address.ts'
import { countWanted, findWanted } from './queries.ts'
import { scopeOf } from './scope.ts'

const maxRows = 1_000

export async function listAddresses(
  ctx: Context,
  { lang, ...paging }: { lang?: string; page?: number; limit?: number },
) {
  const page = pageOf(paging, maxRows)
  const { config, db } = ctx
  const scope = await scopeOf(ctx)
  const filter = { ...scope, lang: lang === undefined ? undefined : postLanguageField('lang', lang) }
  const total = await countWanted(db, filter)
  const rows = await findWanted(db, filter, page)
  return {
    addresses: rows.map((row) => ({
      id: row.id,
      slug: row.slug,
      lang: row.lang,
      url: publicAddress(config, scope, row, { lang: row.original_lang, post_type: row.post_type }),
      updated_at: iso(row.updated_at),
    })),
    meta: listMetaOf(paginationOf(page, total)),
  }
}

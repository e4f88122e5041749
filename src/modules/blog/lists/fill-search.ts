import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { second } from '../../../lib/time.ts'
import { hasExtension } from '../components.ts'
import { fillSearch } from './search-queries.ts'

/** The batch is small so that no post stays locked for long. */
const batch = 50

/** Indexes posts and translations that were written while the search tables were missing. */
export const searchIndexJob = {
  every: () => second,
  async run(ctx: Context): Promise<void> {
    await fill(ctx, 'post')
    if (hasExtension(ctx, 'ext-translations')) await fill(ctx, 'translation')
  },
}

async function fill(ctx: Context, kind: 'post' | 'translation'): Promise<void> {
  for (;;) if ((await transact(ctx, ({ db }) => fillSearch(db, kind, batch))) < batch) return
}

import { pagesOfferPasskeys } from '../../../config/passkeys.ts'
import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { accountPages } from '../../../ui/account/account-visit.ts'
import type { ReadOverviewPart } from '../../../ui/account/overview-part.ts'
import { readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { portraitOf } from '../../../ui/shared/profile.ts'
import { upgradesSilently } from '../../sign-in/passkey-upgrade.ts'
import { OverviewRoute } from '../schemas.ts'
import { overviewPage } from './view.ts'

const path = '/account'

export const overviewRoutes =
  (partsOf: () => readonly ReadOverviewPart[]) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, path)
    pages.get(path, { schema: OverviewRoute, config: readByAnyone }, async (member, { query }) => {
      const { area, profile, show } = member
      const parts = await Promise.all(partsOf().map((read) => read(ctx, member)))
      const portrait = portraitOf(ctx.config, profile.user)
      const hasPasswords = ctx.config.PASSWORDS_ENABLED
      const hasPasskeys = pagesOfferPasskeys(ctx.config)
      const upgrades = await upgradesSilently(ctx, member)
      const data = { area, profile, portrait, hasPasswords, hasPasskeys, parts, upgrades, done: query.done }
      return show((page) => overviewPage(data, page))
    })
  }

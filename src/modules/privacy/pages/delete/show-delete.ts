import { deletePath } from '../../../../pages/account/personal-data/paths.ts'
import type { ShowPage } from '../../../../pages/account/personal-data/replacement.ts'
import { privacyPaths } from '../paths.ts'
import { scheduleDeletionPage } from './view.ts'

export const showDelete: ShowPage = async (ctx, { area, profile, sign, show }, outcome, status) => {
  const grace = ctx.config.PRIVACY_DELETION_GRACE
  const data = {
    area,
    email: profile.user.email,
    grace: grace > 0 ? grace : undefined,
    forms: { now: sign(deletePath), later: sign(privacyPaths.request) },
    ...outcome,
  }
  return show((page) => scheduleDeletionPage(data, page), status)
}

import { personalDataDownloadPath } from '../../../../screens/account/personal-data/schemas.ts'
import type { AccountVisit } from '../../../../ui/account/account-visit.ts'
import type { ShowPage } from '../../../../ui/account/personal-data-replacement.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { PrivacyStatusRoute } from '../../schemas.ts'
import { pendingDeletionOf } from '../pending-deletion.ts'
import { privacyPaths } from '../schemas.ts'
import { privacyPage } from './view.ts'

export const showPrivacy: ShowPage = async (ctx, member, outcome, status) => {
  const { area, profile, sign, show } = member
  const { region, consent, sale, mail, cancel } = privacyPaths
  const data = {
    area,
    ...(await decisionsOf(member)),
    version: ctx.config.GDPR_CONSENT_VERSION,
    timeZone: profile.user.tmz,
    forms: {
      region: sign(region),
      consent: sign(consent),
      sale: sign(sale),
      download: sign(personalDataDownloadPath),
      mail: sign(mail),
      cancel: sign(cancel),
    },
    ...outcome,
  }
  return show((page) => privacyPage(data, page), status)
}

async function decisionsOf({ api: ask }: AccountVisit) {
  const [status, deletionAt] = await Promise.all([ask(call(PrivacyStatusRoute)), pendingDeletionOf(ask)])
  return { choices: status.ok ? status.body.data : undefined, deletionAt }
}

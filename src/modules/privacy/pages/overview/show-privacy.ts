import { downloadPath } from '../../../../pages/account/personal-data/paths.ts'
import type { ShowPage } from '../../../../pages/account/personal-data/replacement.ts'
import type { Member } from '../../../../pages/account/shared/member.ts'
import { paths } from '../paths.ts'
import { type Choices, privacyPage } from './view.ts'

const api = '/auth/user/me/privacy'

export const showPrivacy: ShowPage = async (ctx, member, outcome, status) => {
  const { area, profile, sign, show } = member
  const { region, consent, sale, mail, cancel } = paths
  const data = {
    area,
    ...(await decisionsOf(member)),
    version: ctx.config.GDPR_CONSENT_VERSION,
    timeZone: profile.user.tmz,
    forms: {
      region: sign(region),
      consent: sign(consent),
      sale: sign(sale),
      download: sign(downloadPath),
      mail: sign(mail),
      cancel: sign(cancel),
    },
    ...outcome,
  }
  return show((page) => privacyPage(data, page), status)
}

async function decisionsOf({ api: ask }: Member) {
  const [status, deletion] = await Promise.all([
    ask<{ data: Choices }>({ method: 'GET', path: api }),
    ask<{ data: { status: string; scheduled_for: string | null } }>({ method: 'GET', path: `${api}/delete-request` }),
  ])
  const pending = deletion.ok && deletion.body.data.status === 'pending' ? deletion.body.data.scheduled_for : null
  return { choices: status.ok ? status.body.data : undefined, deletionAt: pending ?? undefined }
}

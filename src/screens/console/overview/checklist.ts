import { DetailsRoute } from '../../../admin/user-details-schemas.ts'
import { ListApplicationsRoute } from '../../../applications/schemas.ts'
import { AuditRoute } from '../../../audit/schemas.ts'
import { pagesOfferPasskeys, sharedParentDomain } from '../../../config/passkeys.ts'
import type { Context } from '../../../context.ts'
import { SettingsRoute } from '../../../stored-settings/schemas.ts'
import type { AdminVisit } from '../../../ui/console/admin-visit.ts'
import { type AdminTexts, adminTextsFor } from '../../../ui/console/texts/index.ts'
import { securityPath } from '../../../ui/paths.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { countAllPasskeys } from '../../../webauthn/relying-party-queries.ts'
import { newApplicationPath } from '../applications/paths.ts'
import { modulePath, modulesPath } from '../modules/modules.ts'
import { settingPath, settingsPath } from '../settings/settings.ts'

type StepName = keyof AdminTexts['checklist']['steps']

export interface ChecklistStep {
  name: StepName
  path: string
  isDone: boolean
}

const domainPath = settingPath({ chapter: 'Passkeys', name: 'WEBAUTHN_RP_ID' })
const brandNames = ['APP_NAME', 'APP_LOGO', 'APP_ACCENT']

/** Returns the first steps after setup, for superadmins only. Undefined if all steps are done. */
export async function readChecklist(ctx: Context, member: AdminVisit): Promise<ChecklistStep[] | undefined> {
  const { user } = member.profile
  if (user.user_type !== 'superadmin') return undefined
  const { settings } = await member.read(call(SettingsRoute))
  const details = await member.read(call(DetailsRoute, { params: { user_id: user.id } }))
  const isChanged = (...names: string[]) =>
    settings.some(({ name, source }) => names.includes(name) && source !== 'default')
  const hasHappened = async (event: string) => {
    const { pagination } = await member.read(call(AuditRoute, { query: { event, limit: 1 } }))
    return pagination.total > 0
  }
  const { pagination: applications } = await member.read(call(ListApplicationsRoute, { query: { limit: 1 } }))
  const mustChooseDomain = await mustChoosePasskeyDomain(ctx)
  const steps: ChecklistStep[] = [
    { name: 'name', path: '/account/profile', isDone: user.name !== '' },
    protectionStep(ctx, details),
    { name: 'brand', path: `${settingsPath}/brand`, isDone: isChanged(...brandNames) },
    ...(mustChooseDomain ? [{ name: 'passkey_domain' as const, path: domainPath, isDone: false }] : []),
    { name: 'mail', path: '/admin/messages/templates', isDone: await hasHappened('test_message_sent') },
    { name: 'application', path: newApplicationPath, isDone: isChanged('ALLOWED_REDIRECTS') || applications.total > 0 },
    { name: 'colleague', path: '/admin/people/new?role=admin', isDone: await hasHappened('admin_user_created') },
  ]
  return steps.every(({ isDone }) => isDone) ? undefined : steps
}

interface OwnDetails {
  user: { two_factor: boolean }
  passkeys?: readonly unknown[]
}

/** A passkey needs no module, and replaces both the password and the second factor. */
function protectionStep(ctx: Context, { user, passkeys = [] }: OwnDetails): ChecklistStep {
  const isDone = user.two_factor
  if (pagesOfferPasskeys(ctx.config))
    return { name: 'passkey', path: `${securityPath}/add`, isDone: isDone || passkeys.length > 0 }
  if (ctx.modules.navigation().some(({ path }) => path === securityPath))
    return { name: 'factor', path: securityPath, isDone }
  const suggested = ctx.modules.suggestion()
  return { name: 'factor_module', path: suggested ? modulePath(suggested) : modulesPath, isDone: false }
}

/** Once a passkey exists, another domain would invalidate it, so the step is no longer shown. */
const mustChoosePasskeyDomain = async ({ config, db }: Context): Promise<boolean> =>
  config.PASSKEYS_ENABLED && sharedParentDomain(config) !== undefined && (await countAllPasskeys(db)) === 0

export function checklistData(lang: string, steps: readonly ChecklistStep[]) {
  const { checklist: texts } = adminTextsFor(lang)
  return { texts, steps: steps.map(({ name, ...step }) => ({ ...step, ...texts.steps[name] })) }
}

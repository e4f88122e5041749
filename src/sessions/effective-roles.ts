import type { FastifyRequest } from 'fastify'
import type { Application, EffectiveRoles, FoundSession } from '../context.ts'

/** For a back end. With the secret of an application, contains only the roles of the application. */
export function effectiveRoles(
  { cached, roles }: Pick<FoundSession, 'cached' | 'roles'>,
  bridgeSecret: { application: Application | undefined } | undefined,
): EffectiveRoles | undefined {
  if (roles.isEmpty) return undefined
  const application = bridgeSecret?.application?.id
  const known = cached.effectiveRoles
  if (known?.set === roles && known.application === application) return known.effective
  const effective = roles.of(cached.view.grants.ids, application)
  cached.effectiveRoles = { set: roles, application, effective }
  return effective
}

/** With the secret of an application, or in its session, contains only the roles of the application. */
export function rolesInSession({ auth, bridgeSecret }: Pick<FastifyRequest, 'auth' | 'bridgeSecret'>) {
  const { roles, grants, session } = auth
  const application = bridgeSecret?.application?.id ?? session.application_id ?? undefined
  const effective = roles?.of(grants?.ids ?? [], application)
  return effective && { roles: [...effective.roles], permissions: [...effective.permissions] }
}

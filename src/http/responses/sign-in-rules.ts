import type { Application, Applications } from '../../context.ts'
import { declaredAddressOf, type Targets } from './redirects.ts'

export interface SignInRules {
  /** Whether a session that began in this way is accepted. Null for a sign-in that counts as no way. */
  accepts(method: string | null): boolean
  acceptsRegistrations: boolean
}

/** A name that is unknown or switched off in the settings accepts nothing, because no session has it. */
export const acceptsMethod = (
  { signInMethods }: Pick<Application, 'signInMethods'>,
  method: string | null | undefined,
): boolean => signInMethods.length === 0 || (method != null && signInMethods.includes(method))

export const rulesOf = (applications: readonly Application[]): SignInRules => ({
  accepts: (method) => applications.every((application) => acceptsMethod(application, method)),
  acceptsRegistrations: applications.every(({ registration }) => registration),
})

type RuleTargets = { config: Targets['config']; applications: Pick<Applications, 'latest'> }

/**
 * The rules for a page, or for a return address. If the settings contain the address of an application, its rules apply
 * nevertheless. So do those of applications for which servers may take the page.
 */
export const rulesAt = (targets: RuleTargets, page: URL): SignInRules => rulesOf(applicationsAt(targets, page))

function applicationsAt({ config, applications }: RuleTargets, page: URL): Application[] {
  const stored = applications.latest()
  const declared = declaredAddressOf(config, page)
  const found = stored.ofReturnAddress(page)
  const owner = found && found.address.length >= (declared?.length ?? 0) ? found : undefined
  const address = owner?.address ?? declared
  if (address !== undefined) return [...(owner ? [owner.application] : []), ...stored.restrictedBelow(page, address)]
  // Visitors choose the port and some choose the scheme, so an address that nobody has is looked up by its host.
  const origins = stored.onHost(page.hostname.replace(/\.$/, ''))
  return origins.flatMap(({ origin }) => {
    const meant = new URL(origin)
    meant.pathname = page.pathname
    const owner = stored.ofReturnAddress(meant)
    return [...(owner ? [owner.application] : []), ...stored.restrictedBelow(meant, owner?.address ?? origin)]
  })
}

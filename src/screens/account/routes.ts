import type { Context } from '../../context.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import type { ReadOverviewPart } from '../../ui/account/overview-part.ts'
import type { FindReplacement } from '../../ui/account/personal-data-replacement.ts'
import type { ReadSecurityPart } from '../../ui/account/security-part.ts'
import type { SecondFactorPages } from '../../ui/shared/second-factor-pages.ts'
import type { SignInProvider } from '../sign-in/login/view.ts'
import { confirmRoutes } from './confirm/routes.ts'
import { emailPageRoutes } from './email/routes.ts'
import { linkedRoutes } from './linked/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { passwordPageRoutes } from './password/routes.ts'
import { personalDataPages } from './personal-data/routes.ts'
import { pictureFormRoutes } from './profile/picture-routes.ts'
import { profilePageRoutes } from './profile/routes.ts'
import { securityPages } from './security/routes.ts'
import { sessionsRoutes } from './sessions/routes.ts'

interface Parts {
  providers: SignInProvider[]
  secondFactor: SecondFactorPages | undefined
  overviewParts: () => readonly ReadOverviewPart[]
  securityParts: () => readonly ReadSecurityPart[]
  personalData: FindReplacement
}

const pagesFor = ({ providers, secondFactor, overviewParts, securityParts, personalData }: Parts) => [
  overviewRoutes(overviewParts),
  confirmRoutes(secondFactor),
  profilePageRoutes,
  pictureFormRoutes,
  emailPageRoutes,
  passwordPageRoutes,
  ...securityPages(securityParts),
  sessionsRoutes,
  linkedRoutes(providers),
  ...personalDataPages(personalData),
]

export const accountRoutes =
  (parts: Parts) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const routes of pagesFor(parts)) routes(ctx)(http)
  }

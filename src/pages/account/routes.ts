import type { Context } from '../../context.ts'
import type { Routes } from '../../http/server/create-server.ts'
import type { Provider } from '../login-page.ts'
import { confirmRoutes } from './confirm-routes.ts'
import { emailPageRoutes } from './email-routes.ts'
import { linkedRoutes } from './linked/linked-routes.ts'
import { onboardingPageRoutes } from './onboarding/onboarding-routes.ts'
import { overviewRoutes } from './overview-routes.ts'
import { passwordPageRoutes } from './password-routes.ts'
import { pictureFormRoutes } from './picture-routes.ts'
import { deleteAccountRoutes } from './privacy/delete-routes.ts'
import { privacyHistoryRoutes } from './privacy/history-routes.ts'
import { privacyPageRoutes } from './privacy/privacy-routes.ts'
import { profilePageRoutes } from './profile-routes.ts'
import { securityAddRoutes } from './security/add-routes.ts'
import { securityListRoutes } from './security/list-routes.ts'
import { securityProofRoutes } from './security/proof-routes.ts'
import { sessionsRoutes } from './sessions-routes.ts'

const pagesFor = (providers: Provider[]) => [
  overviewRoutes,
  confirmRoutes,
  profilePageRoutes,
  pictureFormRoutes,
  emailPageRoutes,
  passwordPageRoutes,
  sessionsRoutes,
  securityListRoutes,
  securityAddRoutes,
  securityProofRoutes,
  linkedRoutes(providers),
  privacyPageRoutes,
  privacyHistoryRoutes,
  deleteAccountRoutes,
  onboardingPageRoutes,
]

/** The pages of somebody who is signed in. */
export const accountRoutes =
  (providers: Provider[]) =>
  (ctx: Context): Routes =>
  (http) => {
    for (const routes of pagesFor(providers)) routes(ctx)(http)
  }

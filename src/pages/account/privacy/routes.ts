import { deleteAccountRoutes } from './delete/routes.ts'
import { privacyHistoryRoutes } from './history/routes.ts'
import { privacyPageRoutes } from './overview/routes.ts'

/** Consent, its history, and the end of the account. */
export const privacyPages = [privacyPageRoutes, privacyHistoryRoutes, deleteAccountRoutes]

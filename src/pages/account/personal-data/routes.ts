import { deleteAccountRoutes } from './delete/routes.ts'
import { personalDataRoutes } from './overview/routes.ts'
import type { FindReplacement } from './replacement.ts'

/** A copy of the data, and the end of the account. */
export const personalDataPages = (replacement: FindReplacement) => [
  personalDataRoutes(replacement),
  deleteAccountRoutes(replacement),
]

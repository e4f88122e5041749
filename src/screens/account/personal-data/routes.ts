import type { FindReplacement } from '../../../ui/account/personal-data-replacement.ts'
import { deleteAccountRoutes } from './delete/routes.ts'
import { personalDataRoutes } from './overview/routes.ts'

export const personalDataPages = (replacement: FindReplacement) => [
  personalDataRoutes(replacement),
  deleteAccountRoutes(replacement),
]

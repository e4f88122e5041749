import { deleteAccountRoutes } from './delete/routes.ts'
import { personalDataRoutes } from './overview/routes.ts'
import type { FindReplacement } from './replacement.ts'

export const personalDataPages = (replacement: FindReplacement) => [
  personalDataRoutes(replacement),
  deleteAccountRoutes(replacement),
]

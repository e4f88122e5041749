import type { GetApplicationRoute } from '../../../applications/schemas.ts'
import type { ResponseOf } from '../../../ui/shared/api-route.ts'

export const applicationsPath = '/admin/applications'
export const newApplicationPath = `${applicationsPath}/new`

export const applicationPath = (id: string): string => `${applicationsPath}/${encodeURIComponent(id)}`

/** The page with the files and settings of an application. */
export const connectPath = (id: string, recipe: string): string =>
  `${applicationPath(id)}/connect?${new URLSearchParams({ with: recipe })}`

/** An application in the API's responses. */
export type ShownApplication = ResponseOf<typeof GetApplicationRoute>['data']

/** As in the job that erases applications. */
export const restorableDays = 14

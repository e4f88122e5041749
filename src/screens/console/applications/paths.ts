import type { GetApplicationRoute } from '../../../applications/schemas.ts'
import type { ResponseOf } from '../../../ui/shared/api-route.ts'

export const applicationsPath = '/admin/applications'
export const newApplicationPath = `${applicationsPath}/new`

export const adoptPath = '/admin/adopt/address'

export const testPath = (id: string): string => `${applicationPath(id)}/test`

export const applicationPath = (id: string): string => `${applicationsPath}/${encodeURIComponent(id)}`

/** The path of the route. */
export const appearanceOfOne = `${applicationsPath}/:application_id/appearance`

export const appearancePath = (id: string): string => `${applicationPath(id)}/appearance`

export const appearancePreviewPath = (id: string): string => `${appearancePath(id)}/preview`

export const secretsPath = (id: string): string => `${applicationPath(id)}/secrets`

/** Of no application. */
export const otherRejectionsPath = `${applicationsPath}/rejections`

/** The page with the files and settings of an application. */
export const connectPath = (id: string, recipe?: string): string =>
  recipe === undefined ? connectAction(id) : `${connectAction(id)}?${new URLSearchParams({ with: recipe })}`

/** The path to which the page's form posts. */
export const connectAction = (id: string): string => `${applicationPath(id)}/connect`

/** An application in the API's responses. */
export type ShownApplication = ResponseOf<typeof GetApplicationRoute>['data']

/** As in the job that erases applications. */
export const restorableDays = 14

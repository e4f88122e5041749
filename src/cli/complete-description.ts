import type { App } from '../app.ts'
import { apiDescription } from '../http/openapi/describe-api.ts'

export function completeDescription({ http, hub }: Pick<App, 'http' | 'hub'>): unknown {
  const columns = hub.installed.modules.flatMap(({ userColumns = {} }) => Object.values(userColumns).flat())
  return apiDescription(http, { userColumns: () => columns })()
}

import type { App } from '../app.ts'
import { apiDescription } from '../http/openapi/describe-api.ts'

/** With the user members of all modules as optional members, whatever is installed. */
export function completeDescription({ http, hub }: Pick<App, 'http' | 'hub'>): unknown {
  const columns = hub.installed.modules.flatMap(({ userColumns = {} }) => Object.values(userColumns).flat())
  return apiDescription(http, { userColumns: () => columns })()
}

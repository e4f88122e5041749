import { defineModule } from '../../hub/define-module.ts'
import { checksums } from './checksums.ts'
import { postTypesOf } from './port.ts'
import { definitionRoutes } from './routes.ts'

export const postTypes = defineModule({
  directory: new URL('./', import.meta.url),
  checksums,
  switches: ['BLOG_ENABLED', 'POST_TYPES_ENABLED'],
  disabledFirst: true,
  routes: definitionRoutes,
  postTypes: postTypesOf,
})

import { defineModule } from '../../hub/define-module.ts'
import { postTypesChecksums } from './checksums.ts'
import { postTypeAuditEvents, postTypeErrors } from './names.ts'
import { createProvider } from './provider.ts'
import { definitionRoutes } from './routes.ts'
import { postTypeSettings } from './settings.ts'

export const postTypes = defineModule({
  directory: new URL('./', import.meta.url),
  checksums: postTypesChecksums,
  switches: ['BLOG_ENABLED', 'POST_TYPES_ENABLED'],
  disabledFirst: true,
  settings: { chapter: 'Post types', settings: postTypeSettings },
  errors: postTypeErrors,
  auditEvents: postTypeAuditEvents,
  tags: { 'Post types': 'Custom post types with their own fields (module post-types).' },
  routes: definitionRoutes,
  postTypeProvider: createProvider,
})

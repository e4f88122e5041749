import { defineModule } from '../../hub/define-module.ts'
import { checksums } from './checksums.ts'
import { auditEvents, errors } from './names.ts'
import { createProvider } from './provider.ts'
import { definitionRoutes } from './routes.ts'
import { postTypeSettings } from './settings.ts'

export const postTypes = defineModule({
  directory: new URL('./', import.meta.url),
  checksums,
  switches: ['BLOG_ENABLED', 'POST_TYPES_ENABLED'],
  disabledFirst: true,
  settings: { chapter: 'Post types', settings: postTypeSettings },
  errors,
  auditEvents,
  tags: { 'Post types': 'Custom post types with their own fields (module post-types).' },
  routes: definitionRoutes,
  postTypeProvider: createProvider,
})

import { bool, type ChangeableIn, changeable, duration, type SettingValues } from '../../config/kinds.ts'
import { defineModule } from '../../hub/define-module.ts'
import checksums from './checksums.json' with { type: 'json' }
import { postTypeEventData } from './event-schemas.ts'
import { postTypeDerivations } from './events.ts'
import { postTypeAuditEvents, postTypeErrors } from './names.ts'
import { designerPageRoutes } from './pages/routes.ts'
import { designerPaths } from './pages/schemas.ts'
import { designerTextsFor } from './pages/texts.ts'
import { createProvider } from './provider.ts'
import { definitionRoutes } from './routes.ts'
import spanishMeanings from './settings-es.json' with { type: 'json' }
import words from './words.json' with { type: 'json' }

const postTypeSettings = {
  POST_TYPES_ENABLED: changeable(
    bool(false, 'enable custom post types; requires the post-types module and BLOG_ENABLED'),
  ),
  POST_TYPES_CACHE_TTL: duration('300s', '0s', '1h', 'how long post type definitions are cached'),
  POST_TYPES_FRESH_CACHE_MODE: bool(false, 'read post type definitions from the database on every request'),
} as const

type PostTypeSettings = SettingValues<typeof postTypeSettings>

declare module '../../config/load.ts' {
  interface Config extends PostTypeSettings {}
  interface ChangeableSettings extends ChangeableIn<typeof postTypeSettings> {}
}

export const postTypes = defineModule({
  directory: new URL('./', import.meta.url),
  checksums,
  words,
  switches: ['BLOG_ENABLED', 'POST_TYPES_ENABLED'],
  disabledFirst: true,
  settings: {
    chapter: 'Post types',
    chapterNames: { es: 'Tipos de publicación' },
    settings: postTypeSettings,
    meanings: { es: spanishMeanings },
  },
  errors: postTypeErrors,
  auditEvents: postTypeAuditEvents,
  events: postTypeEventData,
  derivedEvents: postTypeDerivations,
  permissions: { 'post_types:manage': 'admin' },
  permissionWords: {
    en: { 'post_types:manage': 'create and change post types' },
    es: { 'post_types:manage': 'crear y modificar tipos de publicación' },
  },
  tags: { 'Post types': 'Custom post types with their own fields (post-types module).' },
  routes: definitionRoutes,
  pages: {
    routes: designerPageRoutes,
    console: {
      sentences: (lang) => designerTextsFor(lang).sentences,
      eventGroup: (lang) => designerTextsFor(lang).title,
    },
    adminNavigation: () => [
      {
        path: designerPaths.list,
        label: (lang) => designerTextsFor(lang).title,
        icon: 'modules',
        permission: 'post_types:manage',
        after: '/admin/content',
      },
    ],
  },
  postTypeProvider: createProvider,
})

declare module '../../config/staff-permissions.ts' {
  interface ModulePermissions {
    'post_types:manage': true
  }
}

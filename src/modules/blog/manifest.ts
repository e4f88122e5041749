import { defineModule } from '../../hub/define-module.ts'
import { bookmarkRoutes } from './bookmarks/routes.ts'
import checksums from './checksums.json' with { type: 'json' }
import { commentRoutes } from './comments/routes.ts'
import { blogEventData } from './event-schemas.ts'
import { featuredImageRoutes } from './featured-image/routes.ts'
import { searchIndexJob } from './lists/fill-search.ts'
import { sumUpCounts } from './lists/stored-count-queries.ts'
import { purgeTrash } from './move-post.ts'
import { base, blogAuditEvents, blogErrors, blogLimits } from './names.ts'
import { contentRoles } from './pages/content/content-visit.ts'
import { contentPageRoutes } from './pages/content/routes.ts'
import { contentPaths } from './pages/content/schemas.ts'
import { readingPageRoutes } from './pages/reading/routes.ts'
import { readingPaths } from './pages/reading/schemas.ts'
import { blogTextsFor } from './pages/texts.ts'
import { blogData } from './personal-data.ts'
import { endAllPreviewLinks, previewLinkCleanupJobs } from './preview-links/change-links.ts'
import { previewLinkRoutes } from './preview-links/routes.ts'
import { reactionRoutes } from './reactions/routes.ts'
import { listRoutes, readRoutes } from './read-routes.ts'
import { createRenderer, perWriterQueue } from './render.ts'
import { createResponseCache, invalidateOnWrite } from './response-cache.ts'
import { revisionRoutes } from './revision-routes.ts'
import { postRoutes } from './routes.ts'
import { publishDue } from './scheduling/publish-due.ts'
import { blogSettings } from './settings.ts'
import spanishMeanings from './settings-es.json' with { type: 'json' }
import { sitemapRoutes } from './sitemap/routes.ts'
import { taxonomyRoutes } from './taxonomy/routes.ts'
import { translationRoutes } from './translations/routes.ts'
import { activeProvider } from './type-rules.ts'
import { viewCleanupJobs } from './views/cleanup-jobs.ts'
import { viewRoutes } from './views/routes.ts'
import words from './words.json' with { type: 'json' }

export const blog = defineModule({
  directory: new URL('./', import.meta.url),
  checksums,
  words,
  switches: ['BLOG_ENABLED'],
  settings: {
    chapter: 'Blog',
    chapterNames: { es: 'Blog' },
    settings: blogSettings,
    meanings: { es: spanishMeanings },
    derive: ({ BLOG_PUBLIC_BASE_URL, FRONTEND_URL }) => ({
      BLOG_PUBLIC_BASE_URL: BLOG_PUBLIC_BASE_URL ?? `${FRONTEND_URL}/blog`,
    }),
  },
  errors: blogErrors,
  auditEvents: blogAuditEvents,
  events: blogEventData,
  limits: blogLimits,
  permissions: { 'blog:manage': 'admin' },
  permissionWords: {
    en: { 'blog:manage': 'manage all posts, comments and tags' },
    es: { 'blog:manage': 'gestionar todas las publicaciones, los comentarios y las etiquetas' },
  },
  tags: {
    Blog: 'Posts, comments, categories and tags (blog module).',
  },
  commands: {
    description: 'Import and export posts',
    commands: {
      import: async () => (await import('./cli/import.ts')).importCommand,
      export: async () => (await import('./cli/export.ts')).exportCommand,
    },
  },
  prepare(ctx, modules) {
    ctx.postTypeProvider = activeProvider(ctx, modules)
  },
  routes: (ctx) => (http) => {
    const renderFor = perWriterQueue(createRenderer())
    const cache = createResponseCache(ctx)
    invalidateOnWrite(http, cache)
    readRoutes(ctx, cache)(http)
    for (const routes of [postRoutes, revisionRoutes, translationRoutes]) routes(ctx, renderFor)(http)
    for (const routes of [commentRoutes, reactionRoutes, bookmarkRoutes, viewRoutes]) routes(ctx)(http)
    for (const routes of [listRoutes, taxonomyRoutes, featuredImageRoutes, sitemapRoutes, previewLinkRoutes])
      routes(ctx)(http)
  },
  pages: {
    routes: (ctx) => (http) => {
      for (const routes of [readingPageRoutes, contentPageRoutes]) routes(ctx)(http)
    },
    console: { sentences: (lang) => blogTextsFor(lang).sentences, eventGroup: (lang) => blogTextsFor(lang).eventGroup },
    crawlRules: ({ BLOG_PAGES }) =>
      BLOG_PAGES
        ? [
            `Allow: ${readingPaths.blog}$`,
            `Allow: ${readingPaths.blog}/`,
            `Allow: ${readingPaths.blog}?`,
            'Disallow: /blog/preview/',
            `Allow: ${base}/sitemap.xml`,
            'Allow: /logo',
          ]
        : [],
    firstStep: (config) => ({
      path: contentPaths.create,
      label: (lang) => blogTextsFor(lang).content.list.write,
      roles: contentRoles(config),
    }),
    adminNavigation: (config) => [
      {
        path: contentPaths.posts,
        label: (lang) => blogTextsFor(lang).content.title,
        icon: 'content',
        roles: contentRoles(config),
      },
    ],
  },
  cleanupJobs: {
    deleted_posts: (ctx) => purgeTrash(ctx, 1_000),
    ...viewCleanupJobs,
    ...previewLinkCleanupJobs,
    post_counts: ({ db }) => sumUpCounts(db, 1_000),
  },
  scheduledJobs: {
    due_posts: {
      every: ({ BLOG_SCHEDULER_INTERVAL }) => BLOG_SCHEDULER_INTERVAL,
      run: async (ctx) => void (await publishDue(ctx)),
    },
    search: searchIndexJob,
  },
  voidLinks: endAllPreviewLinks,
  personalData: blogData,
})

declare module '../../config/staff-permissions.ts' {
  interface ModulePermissions {
    'blog:manage': true
  }
}

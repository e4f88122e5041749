import { defineModule } from '../../hub/define-module.ts'
import { day } from '../../lib/time.ts'
import { bookmarkRoutes } from './bookmarks/routes.ts'
import { checksums } from './checksums.ts'
import { commentRoutes } from './comments/routes.ts'
import { sumUpCounts } from './lists/kept-count-queries.ts'
import { listRoutes } from './lists/routes.ts'
import { blogData } from './personal-data.ts'
import { purgePosts } from './queries.ts'
import { reactionRoutes } from './reactions/routes.ts'
import { createRenderer } from './render.ts'
import { revisionRoutes } from './revision-routes.ts'
import { postRoutes } from './routes.ts'
import { publishDue } from './scheduling/publish-due.ts'
import { sitemapRoutes } from './sitemap/routes.ts'
import { taxonomyRoutes } from './taxonomy/routes.ts'
import { translationRoutes } from './translations/routes.ts'

export const blog = defineModule({
  directory: new URL('./', import.meta.url),
  checksums,
  isEnabled: ({ BLOG_ENABLED }) => BLOG_ENABLED,
  routes: (ctx) => (http) => {
    const render = createRenderer()
    for (const routes of [postRoutes, revisionRoutes, translationRoutes]) routes(ctx, render)(http)
    for (const routes of [commentRoutes, reactionRoutes, bookmarkRoutes, sitemapRoutes]) routes(ctx)(http)
    for (const routes of [listRoutes, taxonomyRoutes]) routes(ctx)(http)
  },
  chores: {
    deleted_posts: async ({ db, config, clock }) => {
      const days = config.BLOG_TRASH_DAYS
      return days === 0 ? 0 : purgePosts(db, new Date(clock.now() - days * day), 1_000)
    },
    post_counts: ({ db }) => sumUpCounts(db, 1_000),
  },
  rounds: {
    due_posts: {
      every: ({ BLOG_SCHEDULER_INTERVAL }) => BLOG_SCHEDULER_INTERVAL,
      run: async (ctx) => void (await publishDue(ctx)),
    },
  },
  personalData: blogData,
})

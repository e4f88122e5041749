import { blogTextsFor } from '../texts.ts'
import type { ContentRights } from './content-visit.ts'
import { contentPaths } from './schemas.ts'

export const contentStyles = [new URL('../article.css', import.meta.url), new URL('./content.css', import.meta.url)]

interface Tab {
  path: string
  label: string
  isCurrent: boolean
}

/** Returns tabs for the pages that the user may open, or no tabs if there is only one such page. */
export function tabsFor(lang: string, rights: ContentRights, current: string): Tab[] {
  const { tabs } = blogTextsFor(lang).content
  const all = [
    { path: contentPaths.posts, label: tabs.posts, isSeen: rights.writes },
    { path: contentPaths.comments, label: tabs.comments, isSeen: rights.moderates && rights.hasComments },
    { path: contentPaths.tags, label: tabs.tags, isSeen: rights.administers },
  ]
  const seen = all.filter(({ isSeen }) => isSeen)
  return seen.length > 1 ? seen.map(({ path, label }) => ({ path, label, isCurrent: path === current })) : []
}

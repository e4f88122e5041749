import { type DiffLine, diffLines } from '../../../../lib/line-diff.ts'
import { atTime } from '../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import type { ListRevisionsRoute, ReadRevisionRoute } from '../../revision-schemas.ts'
import type { ShownPost } from '../../schemas.ts'
import { blogTextsFor } from '../texts.ts'
import { contentPaths, postPath } from './schemas.ts'
import { contentStyles } from './tabs.ts'

type RevisionEntry = ResponseOf<typeof ListRevisionsRoute>['data'][number]

type Revision = ResponseOf<typeof ReadRevisionRoute>['data']

interface RevisionList {
  area: AdminArea
  post: ShownPost
  revisions: RevisionEntry[]
  timeZone: string | null
}

const pathOf = (post: ShownPost, { id }: RevisionEntry): string =>
  contentPaths.revision.replace(':id', post.id).replace(':revision_id', id)

export function revisionsPage({ area, post, revisions, timeZone }: RevisionList, page: PageContext): string {
  const { revisions: texts } = blogTextsFor(page.lang).content
  // The newest revision has the same content as the current post.
  const rows = revisions.map((revision, index) => ({
    title: revision.title,
    time: atTime(page.lang, revision.created_at, timeZone),
    isCurrent: index === 0,
    path: pathOf(post, revision),
  }))
  return renderAdminLayout(
    area,
    {
      template: new URL('./revisions.eta', import.meta.url),
      styles: contentStyles,
      title: texts.title,
      parent: { path: postPath(post.id), label: post.title },
      data: { texts, rows },
    },
    page,
  )
}

interface RevisionDetail extends Omit<RevisionList, 'revisions'> {
  revision: Revision
  restore: { path: string; formToken: string }
}

/** Shows how restoring the revision would change the current post. */
export function revisionPage({ area, post, revision, restore, timeZone }: RevisionDetail, page: PageContext): string {
  const { revisions: texts, fields } = blogTextsFor(page.lang).content
  const parts = [
    { label: fields.title, lines: diffLines(post.title, revision.title) },
    { label: fields.body, lines: withoutDistantLines(diffLines(post.body ?? '', revision.body ?? '')) },
    { label: fields.excerpt, lines: revision.excerpt === null ? [] : diffLines(post.excerpt, revision.excerpt) },
  ]
  const changed = parts.filter(({ lines }) => lines.some(({ kind }) => kind !== 'same'))
  return renderAdminLayout(
    area,
    {
      template: new URL('./revision.eta', import.meta.url),
      styles: contentStyles,
      title: fill(texts.of, { time: atTime(page.lang, revision.created_at, timeZone) }),
      lead: texts.lead,
      parent: { path: contentPaths.revisions.replace(':id', post.id), label: texts.title },
      data: { texts, parts: changed, restore: changed.length > 0 && restore, version: post.updated_at },
    },
    page,
  )
}

type ShownLine = DiffLine | { kind: 'gap'; text: string }

const context = 3

/** Keeps a few unchanged lines before and after each change. A gap is represented by one line without text. */
function withoutDistantLines(lines: readonly DiffLine[]): ShownLine[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same')
  const near = lines.map((_line, at) => isNear(at))
  return lines.flatMap((line, at): ShownLine[] => {
    if (near[at]) return [line]
    return at === 0 || near[at - 1] ? [{ kind: 'gap', text: '' }] : []
  })
}

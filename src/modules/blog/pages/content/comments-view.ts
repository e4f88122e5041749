import { ago } from '../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../ui/texts/index.ts'
import type { ShownComment } from '../../comments/schemas.ts'
import { authorName } from '../reading/authors.ts'
import { linkWithQuery } from '../reading/links.ts'
import { blogTextsFor } from '../texts.ts'
import type { ContentRights } from './content-visit.ts'
import { textOf } from './list-view.ts'
import { contentPaths } from './schemas.ts'
import { contentStyles, tabsFor } from './tabs.ts'

export const commentStates = ['pending', 'approved', 'rejected', 'spam'] as const
export type CommentState = (typeof commentStates)[number]

export interface CommentQueue {
  area: AdminArea
  rights: ContentRights
  status: CommentState
  comments: ShownComment[]
  posts: ReadonlyMap<string, { title: string; path: string }>
  total: number
  page: number
  pages: number
  formToken: string
  now: number
  done?: string | undefined
  problem?: string | undefined
}

const actions = { approve: 'approved', reject: 'rejected', spam: 'spam' } as const

export function commentsPage(queue: CommentQueue, page: PageContext): string {
  const { content } = blogTextsFor(page.lang)
  const texts = content.comments
  const { status } = queue
  const at = (members: { status?: string; page?: number }) =>
    linkWithQuery(contentPaths.comments, { status, ...members })
  return renderAdminLayout(
    queue.area,
    {
      template: new URL('./comments.eta', import.meta.url),
      styles: contentStyles,
      title: content.title,
      done: textOf(texts.done, queue.done),
      problem: problemText(page.lang, queue.problem, { ...content.rejections, EDIT_CONFLICT: texts.conflict }),
      data: {
        texts,
        sections: content.sections,
        tabs: tabsFor(page.lang, queue.rights, contentPaths.comments),
        states: commentStates.map((one) => ({
          label: texts.states[one],
          path: at({ status: one }),
          isCurrent: one === status,
        })),
        status,
        path: contentPaths.comments,
        formToken: queue.formToken,
        actions: Object.entries(actions).flatMap(([action, result]) =>
          result === status ? [] : [{ action, label: texts.actions[action as keyof typeof actions] }],
        ),
        comments: queue.comments.map((comment) => shownComment(queue, comment, page)),
        total: fillPlural(page.lang, texts.total, queue.total),
        newer: queue.page > 1 && at({ page: queue.page - 1 }),
        older: queue.page < queue.pages && at({ page: queue.page + 1 }),
        paging: content.list,
      },
    },
    page,
  )
}

function shownComment({ posts, now }: CommentQueue, comment: ShownComment, page: PageContext) {
  const { content, reading } = blogTextsFor(page.lang)
  const name = (comment.author && authorName(comment.author)) || reading.comments.nobody
  const post = posts.get(comment.post_id)
  return {
    id: comment.id,
    version: comment.updated_at,
    name,
    text: comment.comment_body || reading.comments.deleted,
    when: ago(page.lang, comment.created_at, now),
    post,
    choose: fill(content.comments.choose, { name }),
    reason: comment.moderation_reason,
  }
}

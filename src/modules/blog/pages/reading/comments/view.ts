import { onDay } from '../../../../../ui/account/when.ts'
import { problemText } from '../../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../../ui/texts/index.ts'
import type { ShownComment } from '../../../comments/schemas.ts'
import { hasExtension } from '../../../components.ts'
import type { ShownPost } from '../../../schemas.ts'
import { type BlogTexts, blogTextsFor } from '../../texts.ts'
import { authorName, authorPortrait } from '../authors.ts'
import { linkWithQuery } from '../links.ts'
import type { LoadedComments } from '../post/load-post.ts'
import type { Reader } from '../reader.ts'
import { readingPaths } from '../schemas.ts'
import { inThreads } from './threads.ts'

export interface PostOutcome {
  /** The id of the comment being replied to. */
  reply?: string | undefined
  done?: string | undefined
  problem?: string | undefined
  /** The visitor's input. */
  comment?: string
}

/** Undefined if the post has no comments and nobody can add one. */
export function commentsData(
  reader: Reader,
  page: PageContext,
  post: ShownPost,
  { comments, page: number, pages, total }: LoadedComments,
  outcome: PostOutcome,
) {
  if (!hasExtension(reader.ctx, 'ext-comments') || post.status !== 'published') return undefined
  const isOpen = post.comments_enabled && reader.ctx.config.COMMENTS_ENABLED
  if (!isOpen && total === 0) return undefined
  const texts = blogTextsFor(page.lang).reading.comments
  const path = reader.links.pathOf(post)
  const at = (wanted: number) => `${linkWithQuery(path, { comments: wanted })}#comments`
  const repliesTo = comments.find(({ id }) => id === outcome.reply)
  const shown = (comment: ShownComment) => shownComment(reader, page, comment, isOpen ? path : undefined)
  return {
    title: total > 0 ? fillPlural(page.lang, texts.title, total) : texts.none,
    isEmpty: total === 0,
    threads: inThreads(comments).map(({ comment, depth }) => ({ ...shown(comment), depth })),
    earlier: number > 1 && at(number - 1),
    later: number < pages && at(number + 1),
    done: outcome.done === 'commented' || outcome.done === 'pending' ? texts.done[outcome.done] : undefined,
    form: isOpen && reader.bringsSession && formOf(reader, post, repliesTo, outcome, texts, page),
    signIn: isOpen && !reader.bringsSession && signInFor(reader, path),
    closed: !isOpen && texts.closed,
  }
}

function shownComment({ ctx }: Reader, page: PageContext, comment: ShownComment, path: string | undefined) {
  const texts = blogTextsFor(page.lang).reading.comments
  const { id, author, comment_body: text, created_at, edited_at, status } = comment
  const name = (author && authorName(author)) || texts.nobody
  const isGone = text === ''
  const isApproved = status === 'approved'
  return {
    id,
    name,
    portrait: authorPortrait(ctx.config, author?.picture ?? null, name),
    text: isGone ? undefined : text,
    time: created_at,
    date: onDay(page.lang, created_at, null),
    isEdited: edited_at !== null,
    chip: isApproved ? undefined : texts[status],
    reply: path !== undefined && isApproved && !isGone && `${linkWithQuery(path, { reply: id })}#comment-form`,
  }
}

const formOf = (
  { sign, links }: Reader,
  post: ShownPost,
  repliesTo: ShownComment | undefined,
  { problem, comment }: PostOutcome,
  texts: BlogTexts['reading']['comments'],
  page: PageContext,
) => ({
  path: readingPaths.comment,
  formToken: sign(readingPaths.comment),
  problem: problemText(page.lang, problem, texts.rejections),
  post: { id: post.id, slug: post.slug },
  lang: post.lang,
  parent: repliesTo?.id,
  label: repliesTo
    ? fill(texts.replyLabel, { name: (repliesTo.author && authorName(repliesTo.author)) || texts.nobody })
    : texts.label,
  cancel: repliesTo && `${links.pathOf(post)}#comment-form`,
  comment: comment ?? '',
})

const signInFor = ({ ctx }: Reader, path: string): string =>
  linkWithQuery('/login', { return_to: `${ctx.config.PUBLIC_URL}${path}` })

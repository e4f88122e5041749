import { atTime } from '../../../../ui/account/when.ts'
import { call, type ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import type { PageApi } from '../../../../ui/shared/visit.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { hasExtension } from '../../components.ts'
import { previewLinkDays } from '../../preview-links/change-links.ts'
import { ListPreviewLinksRoute } from '../../preview-links/schemas.ts'
import type { ShownPost } from '../../schemas.ts'
import { blogTextsFor } from '../texts.ts'
import { contentPaths } from './schemas.ts'

type PreviewLink = ResponseOf<typeof ListPreviewLinksRoute>['data'][number]

export interface PreviewLinksPanel {
  links: PreviewLink[]
  /** Whether a new link can be created. The API allows this until the post is published. */
  mayCreate: boolean
  /** The link that was just created. */
  url: string | undefined
  create: { path: string; formToken: string }
  revoke: { path: string; formToken: string }
}

interface PanelSource {
  ctx: Parameters<typeof hasExtension>[0] & { config: { BLOG_PAGES: boolean } }
  api: PageApi
  sign(action: string): string
}

/** Undefined if there are no links and none can be created, or if the visitor may not list them. */
export async function loadPreviewLinks(
  { ctx, api, sign }: PanelSource,
  post: ShownPost | undefined,
  url: string | undefined,
): Promise<PreviewLinksPanel | undefined> {
  if (!post || !ctx.config.BLOG_PAGES || !hasExtension(ctx, 'ext-preview-links')) return undefined
  const response = await api(call(ListPreviewLinksRoute, { params: { id: post.id } }))
  // Impersonated sessions may open the editor, but the API does not list preview links for them.
  if (!response.ok) return undefined
  const links = response.body.data
  const mayCreate = post.status !== 'published'
  if (!mayCreate && links.length === 0) return undefined
  const formOf = (pattern: string) => {
    const path = pattern.replace(':id', post.id)
    return { path, formToken: sign(path) }
  }
  const forms = { create: formOf(contentPaths.previewLinks), revoke: formOf(contentPaths.revokePreviewLinks) }
  return { links, mayCreate, url, ...forms }
}

export function previewLinksData(panel: PreviewLinksPanel, page: PageContext, timeZone: string | null) {
  const { previewLinks: texts } = blogTextsFor(page.lang).content
  const at = (text: string, time: string) => fill(text, { time: atTime(page.lang, time, timeZone) })
  return {
    texts,
    lead: fill(texts.lead, { days: previewLinkDays }),
    url: panel.url,
    links: panel.links.map((link) => ({
      created: at(texts.created, link.created_at),
      expires: at(texts.expires, link.expires_at),
    })),
    create: panel.mayCreate && panel.create,
    revoke: panel.revoke,
  }
}

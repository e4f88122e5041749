/** Small export files in the formats of WordPress and Ghost. */

export interface WordpressItem {
  id: number
  title?: string
  type?: string
  status?: string
  name?: string
  content?: string
  /** Additional XML elements, inserted unchanged. */
  more?: string
}

const cdata = (text: string) => `<![CDATA[${text}]]>`

export const item = ({
  id,
  title = 'Post',
  type = 'post',
  status = 'publish',
  name = '',
  content = 'Words',
  more = '',
}: WordpressItem) => `
  <item>
    <title>${cdata(title)}</title><link>https://old.example.com/?p=${id}</link><dc:creator>${cdata('ada')}</dc:creator>
    <content:encoded>${cdata(content)}</content:encoded><excerpt:encoded>${cdata('')}</excerpt:encoded>
    <wp:post_id>${id}</wp:post_id><wp:post_date>${cdata('2020-01-31 10:00:00')}</wp:post_date>
    <wp:post_date_gmt>${cdata('2020-01-31 09:00:00')}</wp:post_date_gmt>
    <wp:post_modified_gmt>${cdata('2020-02-01 09:00:00')}</wp:post_modified_gmt>
    <wp:comment_status>${cdata('open')}</wp:comment_status><wp:post_name>${cdata(name)}</wp:post_name>
    <wp:status>${cdata(status)}</wp:status><wp:post_type>${cdata(type)}</wp:post_type>
    ${/post_password/.test(more) ? '' : `<wp:post_password>${cdata('')}</wp:post_password>`}${more}
  </item>`

export const comment = (
  id: number,
  parent: number,
  content: string,
  approved = '1',
  email = '',
  type = 'comment',
  userId = 7,
) => `
    <wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author>${cdata('Somebody')}</wp:comment_author>
      <wp:comment_author_email>${email}</wp:comment_author_email><wp:comment_author_IP>192.0.2.7</wp:comment_author_IP>
      <wp:comment_date_gmt>${cdata(`2020-02-02 10:${String(id % 60).padStart(2, '0')}:00`)}</wp:comment_date_gmt><wp:comment_content>${cdata(content)}</wp:comment_content>
      <wp:comment_approved>${cdata(approved)}</wp:comment_approved><wp:comment_type>${cdata(type)}</wp:comment_type>
      <wp:comment_parent>${parent}</wp:comment_parent><wp:comment_user_id>${userId}</wp:comment_user_id></wp:comment>`

export const wordpress = (
  items: string,
  { email = 'ada@old.example.com', head = '' } = {},
) => `<?xml version="1.0" encoding="UTF-8" ?>${head}
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
  <title>Old site</title><language>es</language><wp:wxr_version>1.2</wp:wxr_version>
  <wp:base_site_url>https://old.example.com</wp:base_site_url><wp:base_blog_url>https://old.example.com</wp:base_blog_url>
  <wp:author><wp:author_id>1</wp:author_id><wp:author_login>${cdata('ada')}</wp:author_login><wp:author_email>${cdata(email)}</wp:author_email></wp:author>
  <wp:category><wp:term_id>2</wp:term_id><wp:category_nicename>${cdata('machines')}</wp:category_nicename><wp:category_parent></wp:category_parent><wp:cat_name>${cdata('Machines &amp; tools')}</wp:cat_name></wp:category>
  <wp:category><wp:term_id>3</wp:term_id><wp:category_nicename>${cdata('engines')}</wp:category_nicename><wp:category_parent>${cdata('machines')}</wp:category_parent><wp:cat_name>${cdata('Engines')}</wp:cat_name></wp:category>
  ${items}
</channel></rss>
`

export const ghost = (posts: unknown, more: Record<string, unknown> = {}) =>
  JSON.stringify({
    db: [
      {
        meta: { exported_on: 1_700_000_000_000, version: '5.80.0' },
        data: {
          posts,
          users: [{ id: 'u1', email: 'ada@old.example.com', name: 'Ada' }],
          tags: [
            { id: 't1', name: 'Engines', slug: 'engines' },
            { id: 't2', name: '#internal', slug: 'hash-internal' },
          ],
          posts_tags: [
            { id: 'x1', post_id: 'p1', tag_id: 't2', sort_order: 1 },
            { id: 'x2', post_id: 'p1', tag_id: 't1', sort_order: 0 },
          ],
          posts_authors: [{ id: 'y1', post_id: 'p1', author_id: 'u1', sort_order: 0 }],
          ...more,
        },
      },
    ],
  })

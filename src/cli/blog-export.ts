import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { command } from './command.ts'
import { createFile } from './create-file.ts'
import { withBlog } from './with-blog.ts'

export const blogExport = command({
  meta: {
    name: 'wardenry blog export',
    description: 'Write all posts with their translations, categories, tags and comments to a new file, as JSON',
  },
  args: { file: { type: 'positional', description: 'such as blog.json; must not be there yet', required: true } },
  run: ({ file }) =>
    withBlog(async ({ ctx }) => {
      const { exportPosts } = await import('../modules/blog/transfer/export-posts.ts')
      const stream = await createFile(file)
      const done = finished(stream)
      done.catch(() => {})
      const count = await exportPosts(ctx, async (text) => {
        if (!stream.write(text)) await Promise.race([once(stream, 'drain'), done])
      })
      stream.end()
      await done
      process.stdout.write(`${file}: ${count} posts\n`)
    }),
})

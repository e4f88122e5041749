import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { moduleCommand } from '../../../hub/module-command.ts'
import { createFile } from '../../../lib/create-file.ts'

export const exportCommand = moduleCommand({
  description: 'Export all posts with their translations, categories, tags and comments to a new JSON file',
  args: {
    file: { type: 'positional', description: 'new file, such as blog.json; must not exist yet', required: true },
  },
  run: async (ctx, { file }) => {
    const { exportPosts } = await import('../transfer/export-posts.ts')
    const stream = await createFile(file)
    const done = finished(stream)
    done.catch(() => {})
    const count = await exportPosts(ctx, async (text) => {
      if (!stream.write(text)) await Promise.race([once(stream, 'drain'), done])
    })
    stream.end()
    await done
    process.stdout.write(`${file}: ${count} posts\n`)
  },
})

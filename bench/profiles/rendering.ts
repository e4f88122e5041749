import { percentile } from '../numbers.ts'
import { type Service, withDelay } from '../service.ts'

export interface RenderingFigures {
  /** Milliseconds from sending a post to receiving the response. Posts are sent one after the other. */
  p50: number
  max: number
  /** The service's maximum event loop delay during these requests, in milliseconds. */
  delay: number
}

const repeats = 20
const size = 100_000

/** A section with every kind of Markdown that is expensive to parse. */
const section = (number: number) => `## Part ${number} of *everything*

Some **strong** words, a [link](https://example.com/${number} "title"), \`code\` and a footnote of sorts.[^${number}]

- one item, with ~~old~~ text
  - and one below it
- [x] done

| Name | Value |
|------|------:|
| part | ${number} |

> Quoted, <b>with HTML</b> and an ![image](/uploads/${number}.webp).

\`\`\`js
const part = ${number}
\`\`\`

[^${number}]: The note.

`

const body = Array.from({ length: Math.ceil(size / section(1000).length) }, (_, at) => section(1000 + at))
  .join('')
  .slice(0, size)

/** POST /api/v1/posts with 100 kB of Markdown. The service responds once it has rendered and stored the HTML. */
export async function measureRendering(service: Service, writer: string): Promise<RenderingFigures> {
  const write = async () => {
    const started = performance.now()
    const reply = await fetch(`http://127.0.0.1:${service.port}/api/v1/posts`, {
      method: 'POST',
      headers: { 'x-session-id': writer, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Long', body }),
    })
    if (!reply.ok) throw new Error(`a long post was answered ${reply.status}: ${await reply.text()}`)
    await reply.arrayBuffer()
    return performance.now() - started
  }
  // The first post is not measured, because it waits for the rendering process to start.
  await write()
  const [times, delay] = await withDelay(service, async () => {
    const taken: number[] = []
    for (let count = 0; count < repeats; count++) taken.push(await write())
    return taken.toSorted((left, right) => left - right)
  })
  return { p50: percentile(times, 0.5), max: times.at(-1) ?? 0, delay }
}

/** A single pass, because a regular expression would take quadratic time for unclosed comments. */
export function withoutComments(html: string, isGone: (comment: string) => boolean = () => true): string {
  let kept = ''
  let from = 0
  for (;;) {
    const start = html.indexOf('<!--', from)
    const end = start < 0 ? -1 : html.indexOf('-->', start + 4)
    if (end < 0) return kept + html.slice(from)
    const after = end + 3
    kept += isGone(html.slice(start, after)) ? html.slice(from, start) : html.slice(from, after)
    from = after
  }
}

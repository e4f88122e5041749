/** The page's CSP allows style elements with a nonce only, so style attributes become rules of such an element. */
export function previewDocument(html: string, nonce: string): string {
  const rules: string[] = []
  const plain = html
    .replace(/ style="([^"<]*)"/g, (_, style: string) => {
      rules.push(`[data-rule="${rules.length}"]{${style}}`)
      return ` data-rule="${rules.length - 1}"`
    })
    .replaceAll('<style>', `<style nonce="${nonce}">`)
  const extra = `<base target="_blank"><style nonce="${nonce}">${rules.join('')}</style></head>`
  return plain.replace('</head>', () => extra)
}

const codeLanguage = ['className', /^language-[\w+#.-]{1,40}$/] as const
const web = ['http', 'https']

/**
 * Other attributes, such as `class`, `style` and ids without the prefix, are removed because a page's styles or scripts
 * may use them.
 */
export const allowed = {
  tagNames: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'div', 'span', 'section'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'blockquote', 'q', 'cite', 'pre', 'code', 'kbd', 'samp', 'var'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
    ...['a', 'img', 'figure', 'figcaption', 'details', 'summary'],
    ...['em', 'strong', 'b', 'i', 'u', 's', 'del', 'ins', 'mark', 'small', 'sub', 'sup', 'abbr', 'time'],
    ...['ruby', 'rb', 'rt', 'rp', 'bdo', 'bdi', 'dfn', 'wbr'],
  ],
  attributes: {
    a: ['href', 'title'],
    li: ['value'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    code: [codeLanguage],
    ol: ['start', 'reversed', ['type', '1', 'a', 'A', 'i', 'I']],
    th: ['align', 'colSpan', 'rowSpan', 'scope'],
    td: ['align', 'colSpan', 'rowSpan'],
    abbr: ['title'],
    blockquote: ['cite'],
    q: ['cite'],
    del: ['cite', 'dateTime'],
    ins: ['cite', 'dateTime'],
    time: ['dateTime'],
    details: ['open'],
    '*': ['lang', 'dir', ['id', /^user-content-./]],
  },
  ancestors: Object.fromEntries(
    ['caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'].map((name) => [name, ['table']]),
  ),
  protocols: { href: [...web, 'mailto', 'tel'], src: web, cite: web },
  /** These elements are removed together with their text. */
  strip: [
    ...['script', 'style', 'title', 'template', 'svg', 'math', 'iframe', 'object', 'embed', 'noscript', 'noembed'],
    ...['noframes', 'xmp', 'plaintext', 'textarea', 'select', 'audio', 'video', 'canvas', 'form'],
  ],
  clobber: [],
  allowComments: false,
  allowDoctypes: false,
} as never

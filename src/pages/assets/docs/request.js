/** The security schemes of the document. They have their own inputs, whatever it says about these headers. */
export const credentialHeaders = { session: 'X-Session-ID', bridge: 'X-Bridge-Secret' }

/** The inputs of somebody, as one request. Empty query values are left out; an empty path value keeps its `{name}`. */
export function requestFor(operation, { path = {}, query = {}, header = {}, form = {}, body }) {
  const filled = operation.path.replace(/\{(\w+)\}/g, (whole, name) =>
    path[name] ? encodeURIComponent(path[name]) : whole,
  )
  const pairs = Object.entries(query).filter(([, value]) => value !== '')
  const headers = Object.fromEntries(Object.entries(header).filter(([, value]) => value !== ''))
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  return {
    method: operation.method.toUpperCase(),
    path: pairs.length > 0 ? `${filled}?${new URLSearchParams(pairs)}` : filled,
    headers,
    form: Object.keys(form).length > 0 ? Object.entries(form) : undefined,
    body,
  }
}

/** The same request for a terminal. Credentials are shell variables, so that nobody copies a secret by accident. */
export function curlFor(request, credentials, publicUrl) {
  const isImplied = request.method === 'GET' || (request.method === 'POST' && (request.body || request.form))
  const method = isImplied ? '' : `-X ${request.method} `
  return [
    `curl ${method}${quoted(publicUrl + request.path)}`,
    credentials.includes('session') && `-H "${credentialHeaders.session}: $SESSION_ID"`,
    credentials.includes('bridge') && `-H "${credentialHeaders.bridge}: $BRIDGE_SECRET"`,
    ...Object.entries(request.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(request.form ?? []).map(([name, value]) => `-F ${quoted(`${name}=${value.name ? `@${value.name}` : value}`)}`),
    request.body && `-d ${quoted(request.body)}`,
  ]
    .filter(Boolean)
    .join(' \\\n  ')
}

const quoted = (text) => (/^[\w:/.@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

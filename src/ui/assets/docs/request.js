/** The security schemes' headers have separate inputs, even if the document lists them as parameters. */
export const credentialHeaders = { session: 'X-Session-ID', bridge: 'X-Bridge-Secret' }

/** Creates a request from the inputs. Empty query values are omitted, and empty path values remain `{name}`. */
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

/** Returns the request as a curl command. Credentials are shell variables so that no secret is copied by accident. */
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

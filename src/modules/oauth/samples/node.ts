import { quoted, type Sample, type SampleTerms } from './sample.ts'

export const node: Sample = {
  machine: ({ issuer, clientId, scope, resource }) => {
    // The library rejects unencrypted addresses unless it is told to accept them.
    const isLocal = issuer.startsWith('http:')
    const insecure = isLocal ? ', undefined, { execute: [allowInsecureRequests] }' : ''
    return `// npm install openid-client
import { ${isLocal ? 'allowInsecureRequests, ' : ''}clientCredentialsGrant, discovery } from 'openid-client'

const resource = ${quoted(resource)}
const service = await discovery(new URL(${quoted(issuer)}), ${quoted(clientId)}, process.env.CLIENT_SECRET${insecure})

let token
async function accessToken() {
  if (!token || token.expiresIn() < 60)
    token = await clientCredentialsGrant(service, { scope: ${quoted(scope)}, resource })
  return token.access_token
}

const reply = await fetch(resource, { headers: { authorization: \`Bearer \${await accessToken()}\` } })
console.log(await reply.text())
`
  },
  resource_server: (terms) => `${terms.isJwt ? withKeys(terms) : withIntrospection(terms)}
createServer(async (request, reply) => {
  const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ')
  const claims = scheme.toLowerCase() === 'bearer' ? await verify(token).catch(() => undefined) : undefined
  if (!claims) return reply.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
  reply.end(JSON.stringify({ client: claims.client_id, scopes: (claims.scope ?? '').split(' ') }))
}).listen(Number(process.env.PORT), '127.0.0.1')
`,
}

const withKeys = ({ issuer, resource, alg }: SampleTerms) => `// npm install jose
import { createServer } from 'node:http'
import { createRemoteJWKSet, jwtVerify } from ${quoted('jose')}

const keys = createRemoteJWKSet(new URL(${quoted(`${issuer}/oauth/jwks`)}))
const checks = { issuer: ${quoted(issuer)}, audience: ${quoted(resource)}, typ: 'at+jwt', algorithms: [${quoted(alg)}] }
const verify = async (token) => (await jwtVerify(token, keys, checks)).payload
`

const withIntrospection = ({ issuer, clientId, resource }: SampleTerms) => `import { createServer } from 'node:http'

const credentials = btoa(${quoted(`${clientId}:`)} + process.env.CLIENT_SECRET)
async function verify(token) {
  const reply = await fetch(${quoted(`${issuer}/oauth/introspect`)}, {
    method: 'POST',
    headers: { authorization: \`Basic \${credentials}\` },
    body: new URLSearchParams({ token }),
  })
  const claims = await reply.json()
  return claims.active === true && claims.aud === ${quoted(resource)} ? claims : undefined
}
`

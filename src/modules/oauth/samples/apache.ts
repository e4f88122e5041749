import type { Sample, SampleTerms } from './sample.ts'

export const apache: Sample = {
  web: ({ issuer, clientId, scope, redirectUri }) => `# apt-get install libapache2-mod-auth-openidc
# CLIENT_SECRET and a random CRYPTO_PASSPHRASE are in /etc/apache2/envvars.
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID ${clientId}
OIDCClientSecret "\${CLIENT_SECRET}"
# Nothing else is at this address.
OIDCRedirectURI ${redirectUri}
OIDCCryptoPassphrase "\${CRYPTO_PASSPHRASE}"
OIDCScope "${scope}"
OIDCPKCEMethod S256
<Location "/">
  AuthType openid-connect
  Require valid-user
</Location>
`,
  resource_server: (terms) => {
    // The module has no EdDSA, and cannot read such keys.
    const usesKeys = terms.isJwt && terms.alg !== 'EdDSA'
    return `# apt-get install libapache2-mod-oauth2
<Location "/">
  AuthType oauth2
  # A result is kept for 5 seconds. The default is 5 minutes, even if the token ends before.
${usesKeys ? '' : encoded}  OAuth2TokenVerify ${usesKeys ? withKeys(terms) : withIntrospection(terms)}
  OAuth2TargetPass prefix=OAUTH2_CLAIM_
  <RequireAll>
    Require oauth2_claim "iss:${terms.issuer}"
    Require oauth2_claim "aud:${terms.resource}"
  </RequireAll>
</Location>
`
  },
}

const encoded = '  # Characters other than letters, digits, "_", "-" and "." of the secret must be percent-encoded.\n'

/** By default, the module keeps the keys for a day. */
const withKeys = ({ issuer }: SampleTerms): string =>
  `jwks_uri ${issuer}/oauth/jwks "jwks_uri.expiry=3600&verify.exp=required&expiry=5"`

const withIntrospection = ({ issuer, clientId }: SampleTerms): string =>
  `introspect ${issuer}/oauth/introspect \\
    "introspect.auth=client_secret_basic&client_id=${clientId}&client_secret=\${CLIENT_SECRET}&expiry=5"`

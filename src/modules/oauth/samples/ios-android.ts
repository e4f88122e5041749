import { quoted, type Sample } from './sample.ts'

/** AppAuth for both systems. */
export const iosAndroid: Sample = {
  native: ({ issuer, clientId, scope, redirectUri }) => {
    const scheme = new URL(redirectUri).protocol.slice(0, -1)
    return `// Android: build.gradle, with net.openid:appauth
android.defaultConfig.manifestPlaceholders = [appAuthRedirectScheme: ${quoted(scheme)}]

// Kotlin
AuthorizationServiceConfiguration.fetchFromIssuer(Uri.parse(${quoted(issuer)})) { configuration, _ ->
  val request = AuthorizationRequest.Builder(
    configuration!!, ${quoted(clientId)}, ResponseTypeValues.CODE, Uri.parse(${quoted(redirectUri)})
  ).setScope(${quoted(scope)}).build()
}

// iOS: Info.plist, with AppAuth
<key>CFBundleURLTypes</key>
<array><dict><key>CFBundleURLSchemes</key><array><string>${scheme}</string></array></dict></array>

// Swift
OIDAuthorizationService.discoverConfiguration(forIssuer: URL(string: ${quoted(issuer)})!) { configuration, _ in
  let request = OIDAuthorizationRequest(
    configuration: configuration!, clientId: ${quoted(clientId)}, scopes: [${scope.split(' ').map(quoted).join(', ')}],
    redirectURL: URL(string: ${quoted(redirectUri)})!, responseType: OIDResponseTypeCode, additionalParameters: nil)
}
`
  },
}

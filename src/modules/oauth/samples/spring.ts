import { quoted, type Sample } from './sample.ts'

export const spring: Sample = {
  machine: ({ issuer, clientId, scope }) => `# spring-boot-starter-oauth2-client
spring:
  security:
    oauth2:
      client:
        registration:
          wardenry:
            client-id: ${quoted(clientId)}
            client-secret: \${CLIENT_SECRET}
            client-authentication-method: client_secret_basic
            authorization-grant-type: client_credentials
            scope: ${quoted(scope.replaceAll(' ', ','))}
        provider:
          wardenry:
            token-uri: ${quoted(`${issuer}/oauth/token`)}
`,
  web: ({ issuer, clientId, scope }) => `# spring-boot-starter-oauth2-client
spring:
  security:
    oauth2:
      client:
        registration:
          wardenry:
            client-id: ${quoted(clientId)}
            client-secret: \${CLIENT_SECRET}
            scope: ${quoted(scope.replaceAll(' ', ','))}
        provider:
          wardenry:
            issuer-uri: ${quoted(issuer)}
            user-name-attribute: sub
`,
  // The decoder for JWTs rejects the type at+jwt unless it is configured in Java.
  resource_server: ({ issuer, clientId }) => `# spring-boot-starter-oauth2-resource-server
spring:
  security:
    oauth2:
      resourceserver:
        opaquetoken:
          introspection-uri: ${quoted(`${issuer}/oauth/introspect`)}
          client-id: ${quoted(clientId)}
          client-secret: \${CLIENT_SECRET}
`,
}

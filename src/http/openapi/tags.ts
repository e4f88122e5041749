const descriptions: Record<string, string> = {
  'Sign-in': 'Password and passkey.',
  Registration: 'Self-registration of new users.',
  Sessions: 'Read, extend and end sessions.',
  Bridge: 'Session validation for back ends, with the bridge secret.',
  'Passwordless sign-in': 'Sign-in links and codes by email or text message.',
  Passkeys: 'The passkeys of the signed-in user.',
  'Account recovery': 'Sign in again after the loss of all passkeys.',
  'E-mail verification': 'Email address verification.',
  Passwords: 'Reset, change and check passwords.',
  'E-mail change': 'Changes to the login email address, confirmed from both inboxes.',
  Profile: 'The profile of the signed-in user.',
  'Sign-in with other providers': 'OAuth 2 and OpenID Connect.',
  'Set-up': 'The first superadmin.',
  Administration: 'User management for administrators.',
  Applications: 'Applications whose users sign in here, added while the service runs.',
  Messages: 'Delivery and templates of emails and text messages.',
  Events: 'Events about users, sessions and module data, for back ends.',
  Modules: 'Installation and updates of modules.',
  Health: 'Health checks for load balancers and supervisors.',
}

export const addTags = (tags: Readonly<Record<string, string>>): void => void Object.assign(descriptions, tags)

export const describeTags = (names: Iterable<string>) =>
  [...names].map((name) => ({ name, ...(descriptions[name] && { description: descriptions[name] }) }))

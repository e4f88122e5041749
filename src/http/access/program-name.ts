const names: Readonly<Record<string, string>> = {
  postmanruntime: 'Postman',
  okhttp: 'OkHttp',
  'go-http-client': 'Go',
  guzzlehttp: 'Guzzle',
  node: 'Node.js',
  windowspowershell: 'PowerShell',
  code: 'Visual Studio Code',
  teams: 'Microsoft Teams',
  slack_ssb: 'Slack',
  discord: 'Discord',
  dalvik: 'Android app',
}

/** The forms in which programs other than browsers name themselves. Names are single words without dots, so that they contain neither a message nor a link. */
const forms = [
  // `curl/8.5.0`, `python-requests/2.32.3`, `MyApp/1.0 CFNetwork/1410`
  /^(?!Mozilla\/|Opera\/)([a-z][\w-]{0,39})(?:\/v?\d|$)/i,
  /\b((?:Windows)?PowerShell)\/\d/i,
  /\b(Teams)\/\d/,
  // The application in which Electron runs, as in `Code/1.95.3 Chrome/128 Electron/32`
  /\b([a-z][\w-]{0,39})\/[\w.+-]+ Chrome\/\S+ Electron\//i,
  // `(compatible; bingbot/2.0; +http://…)`
  /\bcompatible; (?!MSIE|Konqueror|Trident)([a-z][\w-]{0,39})(?:\/v?\d|;|\))/i,
]

/** The name of a program that is not a browser. Undefined for browsers, and if there is no name. */
export function programName(userAgent: string): string | undefined {
  const name = forms.map((form) => form.exec(userAgent)?.[1]).find((found) => found !== undefined)
  return name === undefined ? undefined : (names[name.toLowerCase()] ?? name)
}

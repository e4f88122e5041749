import type { Mutant } from '../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'the preview of a message executes nothing',
    file: 'src/http/responses/response-headers.ts',
    from: '"base-uri \'none\'; sandbox",',
    to: '"base-uri \'none\'",',
    test: 'test/screens/console/messages.test.ts',
  },
  {
    rule: 'in a logo that is opened alone nothing runs',
    file: 'src/http/responses/response-headers.ts',
    from: "\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox\"",
    to: "\"default-src 'self'; style-src 'unsafe-inline'; img-src data:\"",
    test: 'test/screens/theme.test.ts',
  },
  {
    rule: 'a picture is served with a policy that lets nothing run',
    file: 'src/http/responses/response-headers.ts',
    from: "'content-security-policy': \"default-src 'none'; frame-ancestors 'none'; sandbox\",\n",
    to: '',
    test: 'test/pictures/serving.test.ts',
  },
  {
    rule: 'opening a link in a browser consumes nothing',
    file: 'src/http/responses/wants-page.ts',
    from: '  if (isPrefetch(request)) return true\n',
    to: '',
    test: 'test/email-addresses/verification.test.ts',
  },
  {
    rule: 'a link leads to allowed targets only',
    file: 'src/http/responses/redirects.ts',
    from: 'return owner && !owner.isDisabled ? { url: url.href, application: owner.application } : undefined',
    to: 'return { url: url.href, application: undefined }',
    test: 'test/passwordless/ask.test.ts',
  },
  {
    rule: 'a path prefix of ALLOWED_REDIRECTS ends where a segment ends',
    file: 'src/lib/return-address.ts',
    from: 'pathname.startsWith(`${prefix}/`)',
    to: 'pathname.startsWith(prefix)',
    test: 'test/http/redirects.test.ts',
  },
  {
    rule: 'a path that a server may decode out of its prefix is not below it',
    file: 'src/lib/return-address.ts',
    from: ' || hasDisguisedSegment(pathname)',
    to: '',
    test: 'test/http/redirects.test.ts',
  },
  {
    rule: 'no return address names a route of our own API',
    file: 'src/http/responses/redirects.ts',
    from: 'if (isBelowApi(config.PUBLIC_URL, url)) return undefined',
    to: '',
    test: 'test/http/redirects.test.ts',
  },
  {
    rule: 'no return address holds a name and password',
    file: 'src/http/responses/redirects.ts',
    from: 'url.username || url.password || url.href.length',
    to: 'url.href.length',
    test: 'test/http/redirects.test.ts',
  },
  {
    rule: 'a document that something was taken from is sent again, whatever time is asked for',
    file: 'src/http/responses/send-document.ts',
    from: 'Math.max(now, (before?.since ?? 0) + second)',
    to: '(before?.since ?? now)',
    test: 'test/modules/blog/sitemap.test.ts',
  },
]

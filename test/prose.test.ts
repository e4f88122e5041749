import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')

/** Words and sentence beginnings that the writing rules in CONTRIBUTING.md exclude, and what to write instead. */
const rules: [pattern: RegExp, instead: string][] = [
  [/\banew\b/i, 'again'],
  [/\bwho(?:m|se)?ever\b/i, 'anyone who, or the subject itself'],
  [/\bbeside\b/i, 'next to, in addition to, or while'],
  [/\bstands? (?:for|in|beside|there|here)\b/i, 'means, or is'],
  [/\bgo(?:es)? along\b/i, 'is sent with'],
  [/\bsuch as are\b/i, 'such as'],
  [/\bthat which\b/i, 'the noun itself'],
  [/(?:^|[.:] )What (?:is|was|are|has|a|the|one|you)\b[^.?]*\.(?: |$)/, 'a noun as the subject'],
  [/\bin vain\b/i, 'without success'],
  [/\bby itself again\b/i, 'automatically'],
]

const withoutCode = (text: string): string =>
  text.replaceAll(/^ *```.*?^ *```$/gms, '').replaceAll(/`[^`]*`/g, '`code`')
const commentsOf = (text: string): string =>
  [...text.matchAll(/^\s*(?:\/\/|--|\*|\/\*\*?)\s?(.*)$/gm)]
    .map(([, line = '']) => line.replace(/\*\/$/, ''))
    .join('\n')
const valuesOf = (text: string): string =>
  [...text.matchAll(/: "((?:[^"\\]|\\.)*)"/g)].map(([, value]) => value).join('\n')

const places: [glob: string[], read: (text: string) => string][] = [
  [['*.md', 'docs/**/*.md', 'packages/*/*.md', 'examples/*/README.md'], withoutCode],
  [['{src,scripts,bench,bin,packages/*/src,examples}/**/*.{ts,js,sql}'], (text) => withoutCode(commentsOf(text))],
  [['src/**/texts/en.json'], valuesOf],
  [['src/**/{templates,mails}/en/*.eta'], (text) => text.replaceAll(/<%.*?%>/gs, '')],
]

for (const [globs, read] of places)
  test(`${globs.join(', ')} follow the writing rules`, () => {
    const files = globSync(globs, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] })
    assert.ok(files.length > 5, `only ${files.length} files`)
    const found = files.flatMap((file) =>
      read(readFileSync(join(root, file), 'utf8'))
        // A sentence may continue on the next line.
        .replaceAll(/\n(?=[a-z])/g, ' ')
        .split('\n')
        .flatMap((line) =>
          rules
            .filter(([pattern]) => pattern.test(line))
            .map(([pattern, instead]) => `${file}: "${pattern.exec(line)?.[0]}" (write: ${instead})`),
        ),
    )
    assert.deepEqual(found, [])
  })

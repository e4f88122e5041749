import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const read = (pattern: string): Map<string, string> =>
  new Map(globSync(pattern, { cwd: root }).map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const sources = read('src/**/*.ts')

test('no two files export a function or a type with the same name', () => {
  const functions = /^export (?:async )?function\*? (\w+)|^export const (\w+) = (?:async )?[(<]/gm
  const types = /^export (?:interface|type|class) (\w+)/gm
  for (const pattern of [functions, types]) {
    const places = new Map<string, string[]>()
    for (const [file, source] of sources)
      for (const [, one, other] of source.matchAll(pattern)) {
        const name = one ?? other ?? ''
        places.set(name, [...(places.get(name) ?? []), file])
      }
    assert.ok(places.size > 100, `only ${places.size} names`)
    assert.deepEqual(
      [...places].filter(([, files]) => files.length > 1),
      [],
    )
  }
})

test('no type has a name that says nothing about its purpose', () => {
  const vague = /^(?:export )?(?:interface|type|class) (Given|Asked|Shown|Told|Wish|Deed|Change)\b/gm
  const files = [...read('{src,test,scripts,bench,examples,packages/*/src}/**/*.ts')]
  assert.deepEqual(
    files.flatMap(([file, source]) => Array.from(source.matchAll(vague), ([found]) => `${file}: ${found}`)),
    [],
  )
})

test('no source file has more than 250 lines', () => {
  const long = [...sources].filter(([, source]) => source.trimEnd().split('\n').length > 250)
  assert.deepEqual(
    long.map(([file]) => file),
    [],
  )
})

// Fastify calls its object `reply`, comments of the blog have replies, and onboarding has questions with answers.
const otherMeanings = /^(reply|_reply|hasReplies|repliesTo|ErrorReply|OnboardingAnswers|answersIn|forgetAnswers)$/

test('names use the words of the glossary', () => {
  const declared = /^ *(?:export )?(?:async )?(?:function\*?|class|interface|type) (\w+)|^(?:export )?const (\w+)/gm
  const avoided = /^(?:repl(?:y|ies)|answers?|answered|refus(?:e|es|ed|al|als)|person|people)$/i
  const isAvoided = (name: string) => name.split(/(?=[A-Z])|[-_]/).some((word) => avoided.test(word))
  const found = [...read('{src,scripts,bench,packages/*/src}/**/*.ts')].flatMap(([file, source]) => [
    ...file.split(/[/.]/).filter((name) => isAvoided(name) && !file.includes('/comments/')),
    ...Array.from(source.matchAll(declared), ([, one, other]) => one ?? other ?? '')
      .filter((name) => isAvoided(name) && !otherMeanings.test(name))
      .map((name) => `${file}: ${name}`),
  ])
  assert.deepEqual(found, [])
})

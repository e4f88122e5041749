import { plainLine, plainText, webAddress } from '../lib/client-text.ts'
import { AppError, type FieldProblem, invalidField } from '../lib/errors.ts'
import { assertHonestLinks, usableVariables } from './check-links.ts'
import { flatPieces, type MailNode } from './mail-nodes.ts'
import { type HtmlElement, type MessageHtmlNode, parseHtml } from './message-html.ts'
import {
  isLink,
  isTextMessage,
  type MessageName,
  mayBeEmpty,
  messageVariables,
  requiredVariables,
  subjectVariables,
} from './messages.ts'
import { fillPieces, type Piece, piecesOf, variablesIn } from './placeholders.ts'

/** A message's source. Without `html`, the HTML is generated from the text. */
export interface MessageTemplate {
  subject: string
  text: string
  html: string | null
}

export interface CheckedTemplate {
  subject: Piece[]
  text: Piece[]
  html: MailNode[] | null
}

export const maxLengths = { subject: 200, text: 5_000, html: 10_000, textMessage: 480 }

/** Throws VALIDATION_ERROR with the first problem in each field. Stored templates are also checked before each use. */
export function checkTemplate(name: MessageName, { subject, text, html }: MessageTemplate): CheckedTemplate {
  const problems: FieldProblem[] = []
  const collect = <Result>(check: () => Result): Result | undefined => {
    try {
      return check()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      problems.push(...(error.details ?? []))
      return undefined
    }
  }
  const checked = {
    subject: collect(() => checkSubject(name, subject)),
    text: collect(() => checkText(name, text)),
    html: html === null ? null : collect(() => checkHtml(name, html)),
  }
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { details: problems })
  return checked as CheckedTemplate
}

function checkSubject(name: MessageName, source: string): Piece[] {
  const subject = plainLine('subject', source, maxLengths.subject).trim()
  if (subject === '') throw invalidField('subject', 'must not be empty')
  assertVisible('subject', subject)
  return piecesOf('subject', subject, subjectVariables(name))
}

function checkText(name: MessageName, source: string): Piece[] {
  const isText = isTextMessage(name)
  const text = plainText('text', unixLines(source), isText ? maxLengths.textMessage : maxLengths.text).trim()
  if (text === '') throw invalidField('text', 'must not be empty')
  assertVisible('text', text)
  const pieces = piecesOf('text', text, messageVariables(name))
  assertPlaced('text', pieces)
  assertRequired(name, 'text', variablesIn(pieces))
  if (isText && !/\n@\{\{ *host *\}\} #\{\{ *code *\}\}$/.test(text))
    throw invalidField('text', 'must end with the line "@{{host}} #{{code}}", from which phones read the code')
  return pieces
}

/** Browsers submit text with CRLF line endings. */
const unixLines = (source: string): string => source.replace(/\r\n?/g, '\n')

function checkHtml(name: MessageName, source: string): MailNode[] {
  if (isTextMessage(name)) throw invalidField('html', 'must be empty, because this is a text message')
  const html = plainText('html', unixLines(source), maxLengths.html).trim()
  if (html === '') throw invalidField('html', 'must not be empty; leave it out to generate it from the text')
  assertVisible('html', html)
  const nodes = parseHtml('html', html).map((node) => mailNode(node, messageVariables(name)))
  const pieces = nodes.flatMap(flatPieces)
  assertPlaced('html', pieces)
  assertHonestLinks(nodes)
  assertRequired(name, 'html', usableVariables(nodes))
  return nodes
}

const mailNode = (node: MessageHtmlNode, variables: readonly string[]): MailNode =>
  'text' in node
    ? { pieces: piecesOf('html', node.text, variables) }
    : {
        tag: node.tag,
        className: classOf(node),
        href: node.tag === 'a' ? hrefOf(node, variables) : undefined,
        children: node.children.map((child) => mailNode(child, variables)),
      }

const classes: Readonly<Record<string, readonly string[]>> = { a: ['button'], p: ['code', 'muted'] }

function classOf({ tag, attributes }: HtmlElement): string | undefined {
  const { class: given } = attributes
  if (given === undefined || (Object.hasOwn(classes, tag) && classes[tag]?.includes(given))) return given
  throw invalidField('html', `<${tag}> must not have the class "${given.slice(0, 20)}"`)
}

/** A placeholder must be the entire URL so that a template cannot send a user's codes or links to another host. */
function hrefOf({ attributes }: HtmlElement, variables: readonly string[]): Piece {
  const source = (attributes.href ?? '').trim()
  const [piece, ...more] = piecesOf('html', source, variables.filter(isLink))
  if (!piece) throw invalidField('html', '<a> must have "href"')
  if ('variable' in piece && more.length === 0) return piece
  if (more.length > 0) throw invalidField('html', '"href" must be one placeholder or a URL without placeholders')
  const address = webAddress('html', source)
  if (!address.startsWith('https:')) throw invalidField('html', '"href" must be an https URL')
  return { text: address }
}

/** Invisible characters can disguise the text around them, and not all email programs end a word at special spaces. */
function assertVisible(field: string, text: string): void {
  if (/[\p{Cf}\p{Zl}\p{Zp}]|(?![ \u00a0])\p{Zs}/u.test(text))
    throw invalidField(field, 'must not contain invisible characters or special spaces')
}

/** Unicode noncharacters that represent placeholders during the check. */
const [anyVariable, linkVariable] = ['\ufdd0', '\ufdd1']
const inAddress = /[/\\?=&%]|[\p{L}\p{N}\ufdd0]\.[\p{L}\p{N}\ufdd0]/u

/** Email programs turn URLs into links, so no value may become part of a URL, even if other values are empty. */
function assertPlaced(field: string, pieces: readonly Piece[]): void {
  for (const empty of subsetsOf([...new Set(variablesIn(pieces))].filter(mayBeEmpty))) {
    const text = fillPieces(pieces, (variable) => {
      if (empty.includes(variable)) return ''
      return isLink(variable) ? linkVariable : anyVariable
    })
    assertVisible(field, text)
    for (const [run] of text.matchAll(/[^ \t\n]+/g)) assertApart(field, run.replace(/[\u3002\uff0e\uff61]/g, '.'))
  }
}

function assertApart(field: string, run: string): void {
  if (/\b(?!https:)[a-z][a-z0-9+.-]*:\/\//i.test(run)) throw invalidField(field, 'must link only to https URLs')
  if (run.includes(linkVariable) && run !== linkVariable)
    throw invalidField(field, 'must have white space before and after the placeholder of a link')
  if (run.includes(anyVariable) && inAddress.test(run))
    throw invalidField(field, 'must not have a placeholder within a URL')
}

function subsetsOf(variables: readonly string[]): string[][] {
  const subsets: string[][] = [[]]
  for (const variable of variables) subsets.push(...subsets.map((subset) => [...subset, variable]))
  return subsets
}

function assertRequired(name: MessageName, field: string, used: readonly string[]): void {
  const missing = requiredVariables(name).find((group) => !group.some((one) => used.includes(one)))
  if (missing) throw invalidField(field, `must contain ${missing.map((one) => `{{${one}}}`).join(' or ')}`)
}

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'vite'

interface BannedWord {
  readonly word: string
  readonly replacement: string
  readonly forms: RegExp
  /** True if the word is banned only in names, because it has a different meaning in sentences. */
  readonly namesOnly?: true
  readonly exceptions?: readonly { readonly at: string; readonly reason: string }[]
}

const characters = (at: string) => ({ at, reason: 'characters of a text' })
const paying = (at: string) => ({ at, reason: 'a payment card' })

/**
 * Words replaced by the field's own terms. String literals are not checked: users, the wire, SQL and providers use
 * them.
 */
export const BANNED_WORDS: readonly BannedWord[] = [
  { word: 'reach', replacement: 'scope', forms: /\breach\b/, namesOnly: true },
  { word: 'nudge', replacement: 'notifyWorkers', forms: /\bnudg(e|es|ed|ing)\b/ },
  { word: 'stray', replacement: 'orphan', forms: /\bstrays?\b/ },
  { word: 'keeper', replacement: 'task or reconciler', forms: /\bkeepers?\b/ },
  { word: 'surveyor', replacement: 'task', forms: /\bsurveyors?\b/ },
  { word: 'sweeper', replacement: 'task', forms: /\bsweepers?\b/ },
  { word: 'clockwork', replacement: 'task', forms: /\bclockwork\b/ },
  { word: 'yard', replacement: 'test environment', forms: /\byards?\b/ },
  { word: 'doomed', replacement: 'to delete', forms: /\bdoomed\b/ },
  { word: 'Standing', replacement: 'state', forms: /\bstanding\b/ },
  { word: 'kept answer', replacement: 'stored reply', forms: /\bkept answers?\b/ },
  { word: 'trouble', replacement: 'last error', forms: /\btroubles?\b/ },
  {
    word: 'letter',
    replacement: 'email',
    forms: /\bletters?\b/,
    exceptions: [
      characters('contract/src/calls/invoice.ts'),
      { at: 'contract/src/calls/supplier.ts', reason: 'a letter of undertaking' },
      { at: 'server/src/domain/money/invoice/gst/', reason: 'a letter of undertaking' },
      characters('emulator/src/aws/ids.ts'),
      characters('emulator/src/razorpay/ids.ts'),
      characters('server/src/http/validate.ts'),
      characters('server/src/providers/azure/gallery-names.ts'),
      characters('web/src/ui/chart/options.ts'),
    ],
  },
  {
    word: 'tally',
    replacement: 'counter',
    forms: /\btall(y|ies|ied)\b/,
    exceptions: [
      { at: 'server/src/domain/money/books/', reason: 'the accounting program of that name' },
      { at: 'server/src/domain/money/ledger/storm.test.ts', reason: 'the accounting program of that name' },
      { at: 'web/src/screens/ledger/ExportEntries.tsx', reason: 'the accounting program of that name' },
    ],
  },
  {
    word: 'card',
    replacement: 'template, or network interface',
    forms: /(?<!\bvm )\bcards?\b/,
    exceptions: [
      { at: 'web/', reason: 'cards on the screen, as the specification calls them' },
      paying('emulator/src/razorpay/'),
      paying('server/src/live/payment'),
    ],
  },
]

export const PHRASES: readonly { readonly name: string; readonly pattern: RegExp; readonly firstLineOnly?: true }[] = [
  {
    name: 'starts without a subject',
    pattern:
      /^(One|Those|It|They|The same|Its|Their|Of|His|Hers|Such|So many|As many|Nothing|Nobody|Somebody|Whoever|What|Who|Whose|Whether|Where|Else|Besides|Meanwhile)\b(?! (is|are) (a|an|the) )/,
    firstLineOnly: true,
  },
  {
    name: 'names no actor',
    pattern: /\b(nobody|somebody|whoever|whatever it|no one's|somebody's|nobody's)\b/i,
  },
  {
    name: 'uses a figurative verb',
    pattern:
      /\b(stands?|stood) (in|beside|at|below|above|for|there|here|of|on|by|between|before)\b|\bgoes on\b|\bgo on\b|\blives? (its|a|whole|lives)\b|\bat work\b|\bis over\b|\bare over\b/i,
  },
  {
    name: 'uses a vague passive',
    pattern: /\b(is|are|was|were|be) (told|asked|heard|kept|given back|said|meant|judged|looked at|looked up)\b/i,
  },
  {
    name: 'uses an archaic adverb',
    pattern:
      /\b(anew|by itself|by themselves|of its own|of their own|likewise|beforehand|once more|no more\b(?! than)|any more|besides|thereby|whereby|in place of|for good|of now)\b/i,
  },
  {
    name: 'uses "is to" for "must" or "will"',
    pattern: /\b(is|are|was|were) to (be|go|come|have|stand|hold|wait|say|leave|know|see|end|begin)\b/i,
  },
  {
    name: 'uses a clause as a noun',
    pattern:
      /\b(of|by|to|for|with|at|from|than|and) (what|who|whom|whoever)\b (is|are|was|were|has|have|may|can|comes?|goes|stands?|it|they|he|she)\b/i,
  },
]

/** Texts of the specification with the American spelling. */
const SPECIFIED = new Set(['Organization', 'Organizations', 'Create Organization', 'Organization is required'])
/** Parts that use the provider's own terms, such as AWS Organizations. */
const PROVIDER_TERMS = ['emulator/', 'server/src/providers/aws', 'server/src/doctor/aws']
/** Excludes parts of an address, an option, a permission or a SQL alias, `@param organization`, and AWS's service. */
const AMERICAN = /(?<![-\w/.?#]|\bas |@param |AWS )organizations?(?!\w|[:=]|\.\w)/i

interface Text {
  readonly kind: 'name' | 'comment' | 'title' | 'string'
  readonly line: number
  readonly text: string
}

const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .trim()
    .toLowerCase()

export function textsOf(file: string, source: string): Text[] {
  const { program, comments } = parseSync(file, source)
  const breaks = [...source.matchAll(/\n/g)].map(({ index }) => index)
  const lineOf = (at: number) => 1 + breaks.filter((each) => each < at).length
  const texts: Text[] = [{ kind: 'name', line: 1, text: wordsOf(basename(file).replace(/\.\w+$/, '')) }]
  const name = (node: { readonly name: string; readonly start: number }) => {
    texts.push({ kind: 'name', line: lineOf(node.start), text: wordsOf(node.name) })
  }
  const string = (start: number, text: string) => {
    texts.push({ kind: 'string', line: lineOf(start), text: text.trim() })
  }
  new Visitor({
    Literal({ start, value }) {
      if (typeof value === 'string') string(start, value)
    },
    TemplateElement: ({ start, value }) => string(start, value.raw),
    JSXText: ({ start, value }) => string(start, value),
    Identifier: name,
    PrivateIdentifier: name,
    JSXIdentifier: name,
    CallExpression({ callee, arguments: [title] }) {
      if (title?.type !== 'Literal' || typeof title.value !== 'string') return
      if (!/^(describe|test|it)\b/.test(source.slice(callee.start, callee.end))) return
      texts.push({ kind: 'title', line: lineOf(title.start), text: title.value })
    },
  }).visit(program)
  let end = -1
  for (const comment of comments) {
    const text = comment.value.replaceAll(/^[\s*]+/gm, '').trim()
    const last = texts.at(-1)!
    const continues = comment.type === 'Line' && /^\n?[ \t]*$/.test(source.slice(end, comment.start)) && end >= 0
    if (continues) texts[texts.length - 1] = { ...last, text: `${last.text}\n${text}` }
    else texts.push({ kind: 'comment', line: lineOf(comment.start), text })
    end = comment.type === 'Line' ? comment.end : -1
  }
  return texts
}

export function bannedIn(file: string, texts: readonly Text[], banned: readonly BannedWord[]): string[] {
  return banned.flatMap(({ word, replacement, forms, namesOnly, exceptions }) => {
    if (exceptions?.some(({ at }) => file.startsWith(at))) return []
    const found = texts.filter(
      ({ kind, text }) => kind !== 'string' && !(namesOnly && kind !== 'name') && forms.test(text.toLowerCase()),
    )
    const lines = [...new Set(found.map(({ line }) => line))]
    return lines.map((line) => `${file}:${line} says ${word}: say ${replacement}`)
  })
}

export function phrasingsIn(file: string, texts: readonly Text[]): string[] {
  return texts
    .filter(({ kind }) => kind !== 'name' && kind !== 'string')
    .flatMap(({ line, text, kind }) =>
      PHRASES.flatMap(({ name, pattern, firstLineOnly }) =>
        // The subject of a title may be the title of its `describe`.
        (firstLineOnly && kind === 'title' ? [] : text.split('\n').slice(0, firstLineOnly ? 1 : undefined))
          .filter((each) => pattern.test(each))
          .map((each) => `${file}:${line} ${name}: ${each}`),
      ),
    )
}

/** Reports comments and texts on screen that say "organization". The field of that name is written in backticks, or first. */
export function spellingsIn(file: string, texts: readonly Text[]): string[] {
  if (PROVIDER_TERMS.some((at) => file.startsWith(at)) || /\.(test|spec)\.tsx?$/.test(file)) return []
  return texts
    .filter(({ kind, text }) => kind === 'comment' || (kind === 'string' && /\s|^[A-Z]/.test(text)))
    .filter(({ text }) => !SPECIFIED.has(text) && !/^organization\b|\bselect\b[^.]*\bfrom\b/.test(text))
    .filter(({ text }) => AMERICAN.test(text.replaceAll(/`[^`]*`/g, '')))
    .map(({ line, text }) => `${file}:${line} says organization: say organisation: ${text.replaceAll(/\s+/g, ' ')}`)
}

/** Returns the lines of a page without blocks of code. */
export function linesOfPage(page: string): Text[] {
  let isCode = false
  return page.split('\n').flatMap((text, index): Text[] => {
    if (text.startsWith('```')) isCode = !isCode
    return isCode ? [] : [{ kind: 'comment', line: index + 1, text }]
  })
}

function listFiles(root: string, ...patterns: readonly string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed
    .trim()
    .split('\n')
    .filter((file) => existsSync(root + file))
}

export function readSources(
  root: string,
  isWanted: (file: string) => boolean = () => true,
): { readonly file: string; readonly texts: readonly Text[] }[] {
  return listFiles(root, '*.ts', '*.tsx')
    .filter((file) => isWanted(file) && !file.endsWith('.d.ts') && !file.startsWith('scripts/words'))
    .map((file) => ({ file, texts: textsOf(file, readFileSync(root + file, 'utf8')) }))
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('../', import.meta.url))
  const pages = listFiles(root, '*.md').filter((file) => file !== 'docs/spec-coverage.md')
  const found = readSources(root).flatMap(({ file, texts }) => [
    ...(/^(server|web|contract|emulator)\//.test(file) ? bannedIn(file, texts, BANNED_WORDS) : []),
    ...phrasingsIn(file, texts),
    ...(/^(server|web|contract|cli|scripts)\//.test(file) ? spellingsIn(file, texts) : []),
  ])
  for (const file of pages) found.push(...spellingsIn(file, linesOfPage(readFileSync(root + file, 'utf8'))))
  for (const each of found) process.stdout.write(`${each}\n`)
  if (found.length > 0) process.stdout.write(`${found.length} phrasings to reword: see CONTRIBUTING.md, "Comments".\n`)
  process.exitCode = found.length > 0 ? 1 : 0
}

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bannedIn, questionsIn, textsOf, type Banned } from './words.ts'

const characters = (at: string) => ({ at, why: 'the characters of a text' })
const paying = (at: string) => ({ at, why: 'a card that somebody pays with' })

/** The words that the field's own took the place of. Strings are not read: people, the wire, SQL and providers use them. */
const BANNED: readonly Banned[] = [
  { word: 'reach', say: 'scope', forms: /\breach\b/, namesOnly: true },
  { word: 'nudge', say: 'notifyWorkers', forms: /\bnudg(e|es|ed|ing)\b/ },
  { word: 'stray', say: 'orphan', forms: /\bstrays?\b/ },
  { word: 'keeper', say: 'task or reconciler', forms: /\bkeepers?\b/ },
  { word: 'surveyor', say: 'task', forms: /\bsurveyors?\b/ },
  { word: 'sweeper', say: 'task', forms: /\bsweepers?\b/ },
  { word: 'clockwork', say: 'task', forms: /\bclockwork\b/ },
  {
    word: 'letter',
    say: 'email',
    forms: /\bletters?\b/,
    fine: [
      characters('contract/src/words/sandbox.ts'),
      characters('emulator/src/aws/ids.ts'),
      characters('emulator/src/razorpay/ids.ts'),
      characters('emulator/src/ssh/shell/options.ts'),
      characters('server/src/domain/search/find.ts'),
      characters('server/src/domain/people/user/weak-password'),
      characters('server/src/domain/people/user/passwords.ts'),
      characters('server/src/http/validate.ts'),
      characters('server/src/providers/azure/gallery-names.ts'),
      characters('web/src/screens/createvm/entries.ts'),
      characters('web/src/ui/chart/options.ts'),
    ],
  },
  { word: 'yard', say: 'test environment', forms: /\byards?\b/ },
  {
    word: 'tally',
    say: 'counter',
    forms: /\btall(y|ies|ied)\b/,
    fine: [
      { at: 'server/src/domain/money/books/', why: 'the bookkeeping program of that name' },
      { at: 'web/src/screens/ledger/ExportEntries.tsx', why: 'the bookkeeping program of that name' },
    ],
  },
  { word: 'doomed', say: 'to delete', forms: /\bdoomed\b/ },
  { word: 'Standing', say: 'state', forms: /\bstanding\b/ },
  { word: 'kept answer', say: 'stored reply', forms: /\bkept answers?\b/ },
  { word: 'trouble', say: 'last error', forms: /\btroubles?\b/ },
  {
    word: 'card',
    say: 'template, or network interface',
    forms: /(?<!\bvm )\bcards?\b/,
    fine: [
      { at: 'web/', why: 'cards on the screen, as the specification calls them' },
      paying('emulator/src/razorpay/'),
      paying('server/src/live/payment-life.ts'),
    ],
  },
]

const root = fileURLToPath(new URL('../', import.meta.url))
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
  cwd: root,
  encoding: 'utf8',
})
const sources = listed
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(root, file)))
  .map((file) => ({ file, texts: textsOf(file, readFileSync(join(root, file), 'utf8')) }))

const isChecked = (file: string) =>
  /^(server|web|contract|emulator)\//.test(file) && !file.startsWith('server/src/db/migrations/')

test('names and comments have none of the words that the field’s own words replace', () => {
  const checked = sources.filter(({ file }) => isChecked(file))
  expect(checked.length).toBeGreaterThan(800)
  expect(checked.flatMap(({ file, texts }) => bannedIn(file, texts, BANNED))).toEqual([])
})

test('comments begin with their subject, and names of tests do', () => {
  const all = (kind: 'comment' | 'title') =>
    sources
      .filter(({ file }) => !file.startsWith('server/src/db/migrations/'))
      .flatMap(({ file, texts }) => questionsIn(kind, texts).map(({ line, text }) => `${file}:${line} ${text}`))
  const found = [...all('comment'), ...all('title')]
  // Few enough: else they are all named.
  expect(found.length > 40 ? found : []).toEqual([])
})

test('a word is found in names of every form and in comments, and not in strings', () => {
  const source = `// A stray\n// machine.\nconst strayMachine = { STRAY_ONE: 'stray' }\nclass A { #isStray = \`stray\` }`
  const stray = BANNED.find(({ word }) => word === 'stray')
  expect(bannedIn('server/src/a.ts', textsOf('a.ts', source), [stray!]).toSorted()).toEqual(
    [1, 3, 4].map((line) => `server/src/a.ts:${line} says stray: say orphan`),
  )
  const titled = textsOf('a.test.ts', "test.each([1])('what is %i', () => {})\ndescribe('a word', () => {})")
  expect(questionsIn('title', titled).map(({ text }) => text)).toEqual(['what is %i'])
})

test('every exception is still needed', () => {
  const needless = BANNED.flatMap(({ fine = [], ...banned }) =>
    fine.filter(
      ({ at }) => !sources.some(({ file, texts }) => file.startsWith(at) && bannedIn(file, texts, [banned]).length > 0),
    ),
  )
  expect(needless).toEqual([])
})

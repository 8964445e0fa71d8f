import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { BANNED_WORDS, bannedIn, phrasingsIn, readSources, spellingsIn, textsOf } from './words.ts'

test('finds a banned word in names of every form and in comments, but not in strings', () => {
  const source = `// A stray\n// machine.\nconst strayMachine = { STRAY_ONE: 'stray' }\nclass A { #isStray = \`stray\` }`
  const orphanRule = BANNED_WORDS.find(({ word }) => word === 'stray')
  expect(bannedIn('server/src/a.ts', textsOf('a.ts', source), [orphanRule!]).toSorted()).toEqual(
    [1, 3, 4].map((line) => `server/src/a.ts:${line} says stray: say orphan`),
  )
})

test.each([
  ['/** Nothing stands of it. */', ['starts without a subject', 'uses a figurative verb']],
  ['// Deletes the row.\n// Whoever asked is told.', ['names no actor', 'uses a vague passive']],
  ['// The row is made anew.', ['uses an archaic adverb']],
  ['/** True while the machine is to be deleted. */', ['uses "is to" for "must" or "will"']],
  ["test('what is asked of whom', () => {})", ['uses a vague passive']],
  ["const nobody = 'nobody is told anew'", []],
  ['/** Returns the rows that a worker must delete. */', []],
])('%s', (source, expected) => {
  const found = phrasingsIn('a.ts', textsOf('a.ts', source))
  expect(found.map((each) => /^a\.ts:\d+ ([^:]+)/.exec(each)![1]!).toSorted()).toEqual(expected.toSorted())
})

test.each([
  ["const text = 'Select an organization.'", true],
  ['const text = <p>Users of the organization</p>', true],
  ['const text = `${n} organizations have it`', true],
  ["const text = 'Another Organization'", true],
  ['// Locks the organization.', true],
  ['// Reads the field `organization`.', false],
  ["const button = 'Create Organization'", false],
  ["const problem = 'organization is missing.'", false],
  ["const path = '/admin/organization and more'", false],
  ["const hint = 'Add --organization <name>.'", false],
  ['const query = sql`select name as organization from organisation`', false],
  ["const name = { organization: 'organization' }", false],
  ["const right = 'Grant Organization.Read.All to it'", false],
])('reports the American spelling, except in names and specified texts: %s', (source, isReported) => {
  expect(spellingsIn('web/src/a.tsx', textsOf('a.tsx', source)).length > 0).toBe(isReported)
})

test('every exception is still needed', () => {
  const exceptions = BANNED_WORDS.flatMap(({ exceptions = [] }) => exceptions.map(({ at }) => at))
  const sources = readSources(fileURLToPath(new URL('../', import.meta.url)), (file) =>
    exceptions.some((at) => file.startsWith(at) && at !== 'web/'),
  )
  const unused = BANNED_WORDS.flatMap(({ exceptions = [], ...banned }) =>
    exceptions.filter(
      ({ at }) =>
        at !== 'web/' &&
        !sources.some(({ file, texts }) => file.startsWith(at) && bannedIn(file, texts, [banned]).length > 0),
    ),
  )
  expect(unused).toEqual([])
})

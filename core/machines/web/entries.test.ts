import { describe, expect, test } from 'vitest'
import {
  addRoster,
  addTyped,
  correctRow,
  describeEntries,
  leaveOutRows,
  NO_ENTRIES,
  removeEntries,
  validOf,
} from './entries.ts'

const typed = (...texts: string[]) => texts.reduce(addTyped, NO_ENTRIES)
const emailsOf = (entries: { all: readonly { email: string }[] }) => entries.all.map(({ email }) => email)

describe('a roster with several columns of addresses', () => {
  const text = 'Name,Work email,Home email\nAsha Rao,asha@acme.test,asha@home.test'
  test('adds no learner until the user chooses a column', () => {
    const asked = addRoster(NO_ENTRIES, text)
    expect([asked.all, asked.inDoubt?.columns]).toEqual([[], ['Work email', 'Home email']])
    const chosen = addRoster(asked, asked.inDoubt!.text, ['Home email'])
    expect(addRoster(asked, 'b@acme.test, c@acme.test').inDoubt).toEqual(asked.inDoubt)
    expect([emailsOf(chosen), chosen.inDoubt, chosen.unusedColumns]).toEqual([['asha@home.test'], null, ['Work email']])
  })
})

describe('Email IDs', () => {
  test('are split on whitespace and commas, in lower case and without duplicates', () => {
    expect(emailsOf(typed('a@acme.test', ' b@acme.test,c@acme.test\n\tA@ACME.test ,, d@acme.test'))).toEqual([
      'a@acme.test',
      'b@acme.test',
      'c@acme.test',
      'd@acme.test',
    ])
    expect(emailsOf(typed(' , \n'))).toEqual([])
  })
  test('may have the comma of an Asian keyboard and characters without a glyph', () => {
    expect(emailsOf(typed('a@acme.test\u200B，b@acme.test\u2060、\uFEFFc@acme.test\u200D'))).toEqual([
      'a@acme.test',
      'b@acme.test',
      'c@acme.test',
    ])
  })
  test('stay visible when invalid and are excluded from the order', () => {
    const entries = typed('a@acme.test nonsense b@acme c+d@acme.test e@acme.toolong7 f.g_h-i@sub.acme.co')
    expect(entries.all).toHaveLength(6)
    expect(validOf(entries).map(({ email }) => email)).toEqual(['a@acme.test', 'f.g_h-i@sub.acme.co'])
    expect(describeEntries(entries, 0)).toBe('2 e-mails, 4 invalid and ignored')
    expect(describeEntries(typed('a@acme.test'), 0)).toBe('1 e-mail')
  })
  test('may be typed with a name, also one with a comma in quotes', () => {
    const entries = typed(
      'Ann Ames <ann@live.test>, "Bell, Bob" <BOB@live.test> ',
      'Cy ',
      'Dee ',
      '<cy@live.test>',
      'x@y.zz',
    )
    expect(entries.all.map(({ email, name }) => [email, name])).toEqual([
      ['ann@live.test', 'Ann Ames'],
      ['bob@live.test', 'Bell, Bob'],
      ['cy@live.test', 'Cy Dee'],
      ['x@y.zz', null],
    ])
    expect(validOf(entries)).toHaveLength(4)
    // Words that were added with Enter stay visible as invalid.
    expect(typed('Ann', '<ann@live.test>').all).toMatchObject([
      { email: 'ann' },
      { email: 'ann@live.test', name: null },
    ])
    expect(validOf(typed('<ann+tag@live.test>', '<ann@@live.test>'))).toEqual([])
  })
  test('accept a paste of a thousand addresses', () => {
    const pasted = Array.from({ length: 1000 }, (_, index) => `learner.${index}@acme.test`).join('\n')
    expect(validOf(typed(pasted))).toHaveLength(1000)
  })
  test('are removed one at a time', () => {
    expect(emailsOf(removeEntries(typed('a b c'), ['b']))).toEqual(['a', 'c'])
  })
})

describe('a roster', () => {
  const pasted = addRoster(
    typed('asha@x.test first+tag@x.test'),
    'Name,Email,Roll\nAsha Rao,asha@x.test,1\nNo Mail,,2\nBala,b@@x,3\nC,c@x.technology,4\nC,C@x.technology,5\nTag,first+tag@x.test,6',
  )
  test('adds learners with names to typed entries, by the rule of mail', () => {
    expect(validOf(pasted).map(({ email, name }) => `${name} ${email}`)).toEqual([
      'Asha Rao asha@x.test',
      'Tag first+tag@x.test',
      'C c@x.technology',
    ])
    expect(pasted.unusedColumns).toEqual(['Roll'])
    expect(describeEntries(pasted, 1)).toBe(
      '3 learners, 1 row without an address (line 3), 1 row to correct (line 4), 1 repetition of an address, 1 already has a machine',
    )
  })
  test('has its rows corrected or left out, and loses none otherwise', () => {
    const [withoutAddress, invalid] = pasted.rows
    const stillInvalid = correctRow(pasted, invalid!.key, 'Bala b@x')
    expect(stillInvalid.rows).toMatchObject([
      withoutAddress,
      { text: 'Bala b@x', reason: 'b@x is not a valid e-mail address.' },
    ])
    const fixed = correctRow(stillInvalid, invalid!.key, 'Bala b@x.test')
    expect(fixed.rows).toEqual([withoutAddress])
    expect(fixed.all.at(-1)).toEqual({ email: 'b@x.test', name: 'Bala', isTyped: false })
    expect(correctRow(fixed, withoutAddress!.key, '').rows).toHaveLength(1)
    expect(leaveOutRows(fixed, [withoutAddress!.key]).rows).toEqual([])
    const addedTwice = addRoster(fixed, 'nonsense')
    expect(new Set(addedTwice.rows.map(({ key }) => key)).size).toBe(2)
  })
})

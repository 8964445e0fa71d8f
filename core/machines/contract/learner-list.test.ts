import { describe, expect, test } from 'vitest'
import { personName } from '@trainyard/users/contract/people.ts'
import { decodeText } from '@trainyard/platform/contract/words/delimited.ts'
import { readRoster, type Roster } from './learner-list.ts'
import { growthOfTime, LINEAR } from '@trainyard/platform/contract/test-growth.ts'

/** Learners as `address` or `address=name`, then problems as `!line`, repetitions as `~line`, unused columns as `?name`. */
function summaryOf({ people, problems, repeated, unusedColumns }: Roster): string {
  return [
    ...people.map(({ email, name }) => (name === null ? email : `${email}=${name}`)),
    ...problems.map(({ line }) => `!${line}`),
    ...repeated.map(({ line }) => `~${line}`),
    ...unusedColumns.map((column) => `?${column}`),
  ].join(' | ')
}

const BOTH = 'asha@x.test=Asha Rao | b@x.test=Bala K'
const ASHA = 'asha@x.test=Asha Rao'

const PASTED: readonly (readonly [what: string, text: string, expected: string])[] = [
  ['Outlook with a quoted name', '"Rao, Asha" <asha@x.test>; b@x.test,', 'asha@x.test=Rao, Asha | b@x.test'],
  [
    'Outlook with commas in plain names',
    'Rao, Asha <asha@x.test>; K, Bala <b@x.test>',
    'asha@x.test=Rao, Asha | b@x.test=K, Bala',
  ],
  ['Outlook with line ends', 'Asha Rao <asha@x.test>;\r\nBala K <b@x.test>;\r\n', BOTH],
  [
    'Outlook with single quotes',
    "'Asha Rao' <asha@x.test>; 'K, Bala' <b@x.test>",
    'asha@x.test=Asha Rao | b@x.test=K, Bala',
  ],
  ['Outlook with links', 'Asha Rao [mailto:asha@x.test]; Bala K <b@x.test<mailto:b@x.test>>', BOTH],
  ['Outlook with the address as name', "'asha@x.test' <asha@x.test>", 'asha@x.test'],
  ['Gmail', 'Asha Rao <asha@x.test>, Bala K <b@x.test>', BOTH],
  [
    'Gmail with surnames first',
    'Rao, Asha <asha@x.test>, K, Bala <b@x.test>',
    'asha@x.test=Rao, Asha | b@x.test=K, Bala',
  ],
  ['a mail header', 'To: Asha Rao <asha@x.test>, Bala K <b@x.test>', BOTH],
  ['comments', 'asha@x.test (Asha Rao), b@x.test (Bala K)', BOTH],
  ['spaces alone', 'asha@x.test  b@x.test\tc@x.test', 'asha@x.test | b@x.test | c@x.test'],
  ['commas without spaces', 'asha@x.test,b@x.test,c@x.test', 'asha@x.test | b@x.test | c@x.test'],
  ['a line per address', 'asha@x.test\nb@x.test\n\nc@x.test\n', 'asha@x.test | b@x.test | c@x.test'],
  ['names before addresses', 'Asha Rao asha@x.test\nBala K - b@x.test', BOTH],
  ['names after addresses', 'asha@x.test Asha Rao\nb@x.test: Bala K', BOTH],
  ['a line with a name, then one with its address', 'Asha Rao\nasha@x.test\nBala K\nb@x.test', BOTH],
  ['names and addresses in turns', 'Asha Rao, asha@x.test, Bala K, b@x.test', BOTH],
  ['a numbered list', '1. Asha Rao <asha@x.test>\n2) Bala K <b@x.test>', BOTH],
  ['bullets', '• Asha Rao <asha@x.test>\n- Bala K <b@x.test>', BOTH],
  ['Excel cells', 'Asha Rao\tasha@x.test\nBala K\tb@x.test', BOTH],
  ['Excel cells with a header', 'Name\tEmail\nAsha Rao\tasha@x.test\nBala K\tb@x.test', BOTH],
  [
    'Excel cells with two names and a number',
    '1\tAsha\tRao\tasha@x.test\n2\tBala\tK\tb@x.test',
    `${BOTH} | ?column 1 (1)`,
  ],
  ['one Excel column with a heading', 'Email IDs\nasha@x.test\nb@x.test', 'asha@x.test | b@x.test'],
  [
    'full-width commas and at signs',
    'asha＠x.test，b@x.test、c@x.test；d@x.test',
    'asha@x.test | b@x.test | c@x.test | d@x.test',
  ],
  [
    'zero-width characters and no-break spaces',
    '\u200Basha@x.test\u200B,\u00A0b@x.test\u200D\uFEFF',
    'asha@x.test | b@x.test',
  ],
  ['capitals', 'Asha Rao <ASHA@X.Test>', ASHA],
  ['the same address twice', 'asha@x.test\nAsha Rao <Asha@x.test>', `${ASHA} | ~2`],
  ['a word and a broken address', 'asha@x.test; nonsense; b@x', 'asha@x.test | !1 | !1'],
  ['a line without an address', 'asha@x.test\nTo be confirmed\nb@x.test', 'asha@x.test | b@x.test | !2'],
  ['Indian scripts', 'आशा राव <asha@x.test>, బాలా <b@x.test>', 'asha@x.test=आशा राव | b@x.test=బాలా'],
  ['tags, apostrophes and long endings', "Asha O'Rao <asha+lab@x.technology>", "asha+lab@x.technology=Asha O'Rao"],
  ['characters for another direction and a bell', 'Asha\u202E Rao\u0007 <asha@x.test>', ASHA],
  ['a quote that is never closed', '"Rao <asha@x.test>\nBala K <b@x.test>', 'asha@x.test=Rao | b@x.test=Bala K'],
  ['no separators', 'Asha Rao <asha@x.test> Bala K <b@x.test>', BOTH],
  ['one Excel cell of several lines', '"asha@x.test\nb@x.test"', 'asha@x.test | b@x.test'],
  ['the name after the address', '<asha@x.test> Asha Rao', ASHA],
  ['sentence marks around addresses', '(asha@x.test), [b@x.test]. <c@x.test>', 'asha@x.test | b@x.test | c@x.test'],
]

describe('a pasted roster', () => {
  test.each(PASTED)('with %s is read', (_, text, expected) => {
    expect(summaryOf(readRoster(text))).toBe(expected)
  })
})

const utf16 = (text: string, bigEndian = false, mark = true): Uint8Array => {
  const bytes = Buffer.from(mark ? `\uFEFF${text}` : text, 'utf16le')
  return bigEndian ? bytes.swap16() : bytes
}
const CSV = 'Name,Email\nAsha Rao,asha@x.test\nBala K,b@x.test\n'

const FILES: readonly (readonly [what: string, file: string | Uint8Array, expected: string])[] = [
  ['commas', CSV, BOTH],
  ['semicolons', CSV.replaceAll(',', ';'), BOTH],
  ['tabs', CSV.replaceAll(',', '\t'), BOTH],
  ['vertical bars', CSV.replaceAll(',', '|'), BOTH],
  ['a UTF-8 byte order mark', `\uFEFF${CSV}`, BOTH],
  ['UTF-16, little endian', utf16(CSV.replaceAll(',', '\t')), BOTH],
  ['UTF-16, big endian', utf16(CSV, true), BOTH],
  ['UTF-16 without a byte order mark', utf16(CSV, false, false), BOTH],
  ['Windows-1252', Buffer.from('Name,Email\nJosé Núñez,jose@x.test\n', 'latin1'), 'jose@x.test=José Núñez'],
  ['CRLF', CSV.replaceAll('\n', '\r\n'), BOTH],
  ['CR', CSV.replaceAll('\n', '\r'), BOTH],
  ['a CRLF header over LF rows', CSV.replace('\n', '\r\n'), BOTH],
  [
    'an LF header over CRLF and CR rows',
    'Name,Email\nAsha Rao,asha@x.test\r\nBala K,b@x.test\rC,c@x.test',
    `${BOTH} | c@x.test=C`,
  ],
  ['sep=;', `sep=;\n${CSV.replaceAll(',', ';')}`, BOTH],
  ['sep=, and a byte order mark', `\uFEFFsep=,\r\n${CSV}`, BOTH],
  ['sep= that is not true', `sep=;\n${CSV}`, BOTH],
  ['quotes', '"Name","Email"\r\n"Rao, ""Ash"" Asha","asha@x.test"\r\n', 'asha@x.test=Rao, Ash Asha'],
  [
    'a line end in a quoted cell',
    'Name,Email,Note\n"Asha\nRao",asha@x.test,\nBala K,b@x.test,"x\ny"\n,,late\n',
    `${BOTH} | !6 | ?Note`,
  ],
  [
    'an unclosed quote',
    'Name,Email\n"Asha,asha@x.test\nBala K,b@x.test\nC,c@x.test',
    'b@x.test=Bala K | c@x.test=C | !2',
  ],
  [
    'a quote that another line closes',
    'Name,Email\n"Asha,asha@x.test\nBala K,b@x.test\nC",c@x.test',
    'b@x.test=Bala K | c@x.test=C | !2',
  ],
  ['a title above the header', `Batch 12\n\n${CSV}`, `${BOTH} | !1`],
  ['a header below the rows', 'Asha Rao,asha@x.test\nBala K,b@x.test\nName,Email', BOTH],
  ['a header in the middle and again', `Asha Rao,asha@x.test\nName,Email\nBala K,b@x.test\nName,Email`, BOTH],
  ['two files with a second byte order mark', `\uFEFF${CSV}\uFEFFName,Email\nC,c@x.test\n`, `${BOTH} | c@x.test=C`],
  [
    'columns in another order and unknown ones',
    'Roll no,E-mail ID,Student Name,Phone\n7,asha@x.test,Asha Rao,98\n,b@x.test,Bala K,',
    `${BOTH} | ?Roll no | ?Phone`,
  ],
  ['first and last names', 'First name;Surname;Email address\nAsha;Rao;asha@x.test\nBala;K;b@x.test', BOTH],
  [
    'a Google contacts export',
    'First Name,Middle Name,Last Name,E-mail 1 - Label,E-mail 1 - Value\nAsha,,Rao,* Work,asha@x.test',
    `${ASHA} | ?E-mail 1 - Label`,
  ],
  [
    'an Outlook contacts export',
    '"First Name","Last Name","Company","E-mail Address","E-mail Type"\n"Asha","Rao","Acme","asha@x.test","SMTP"',
    `${ASHA} | ?Company | ?E-mail Type`,
  ],
  [
    'a second address',
    'Name,Email,Manager email\nAsha Rao,asha@x.test,boss@x.test\nBala K,b@x.test,',
    `${BOTH} | ?Manager email`,
  ],
  [
    'rows without an address',
    'Name,Email\nAsha Rao,asha@x.test\nNo Mail,\nBala K,b@x.test\nBad,b@@x',
    `${BOTH} | !3 | !5`,
  ],
  ['an unquoted comma in a name', 'Name,Email\nRao, Asha,asha@x.test', 'asha@x.test=Rao, Asha'],
  ['two addresses in a cell', 'Name,Email\nAsha,"a@x.test; b@x.test"', '!2'],
  [
    'display names in the address column',
    'Email\n"Rao, Asha" <asha@x.test>\nBala K <b@x.test>',
    'asha@x.test=Rao, Asha | b@x.test=Bala K',
  ],
  [
    'no header and a course',
    'Asha Rao,Linux,asha@x.test\nBala K,Linux,b@x.test\nC D,Linux,c@x.test',
    `${BOTH} | c@x.test=C D | ?column 2 (Linux)`,
  ],
  ['empty rows at the end', `${CSV},\n,\n`, BOTH],
  ['nothing', '', ''],
]

describe('a roster file', () => {
  test.each(FILES)('with %s is read', (_, file, expected) => {
    expect(summaryOf(readRoster(typeof file === 'string' ? file : decodeText(file)))).toBe(expected)
  })
})

test('names are valid for the call that stores them, and people, problems and repetitions add up', () => {
  for (const [, text] of PASTED) {
    for (const { name } of readRoster(text).people) expect(personName.parse(name)).toBe(name)
  }
  const rows = Array.from({ length: 500 }, (_, i) =>
    i % 50 === 9 ? `L ${i},` : i % 50 === 19 ? 'L,l0@x.test' : `L ${i},l${i}@x.test`,
  )
  const { people, problems, repeated } = readRoster(`Name,Email\r\n${rows.join('\n')}`)
  expect([people.length, problems.length, repeated.length]).toEqual([480, 10, 10])
  expect(problems[0]).toEqual({ line: 11, text: 'L 9,', reason: 'There is no e-mail address.' })
})

test.each([
  ['dots', (size: number) => `a${'.'.repeat(size)}x@`],
  ['quotes', (size: number) => `a@x.test ${'"'.repeat(size)}x`],
  ['commented at signs', (size: number) => `${'@'.repeat(size)}(`],
  ['blanks', (size: number) => `a@x.test${' '.repeat(size)}b`],
  ['addresses', (size: number) => `${'a@'.repeat(size / 2)}<`],
  ['links', (size: number) => '[mailto:'.repeat(size / 8)],
  ['brackets', (size: number) => 'a<@>'.repeat(size / 4)],
  ['links of addresses', (size: number) => 'a@x<mailto:a>'.repeat(size / 13)],
])('a long text of %s is read in linear time', (_, textOf) => {
  expect(growthOfTime((size) => readRoster(textOf(size)), 40_000)).toBeLessThan(LINEAR)
})

test.each([
  ['asha@x.test<mailto:asha@x.test>, b@x.test <mailto:b@x.test>', ['asha@x.test', 'b@x.test']],
  ['<mailto:asha@x.test>', ['asha@x.test']],
  ['asha@x.test (Asha Rao)', ['asha@x.test']],
])('links and comments of %s are read', (text, expected) => {
  const { people, problems } = readRoster(text)
  expect([people.map(({ email }) => email), problems]).toEqual([expected, []])
})

describe('a table with several columns of addresses', () => {
  test.each([
    [
      'Entra ID, with a guest and a member without a mailbox',
      'userPrincipalName,displayName,mail,userType\nasha@x.onmicrosoft.test,Asha Rao,asha@x.test,Member\n' +
        'b_gmail.com#EXT#@x.onmicrosoft.test,Bala K,b@x.test,Guest\nc@x.test,C,,Member\n' +
        'd_gmail.com#EXT#@x.onmicrosoft.test,D,,Guest',
      `${BOTH} | c@x.test=C | !5 | ?userType`,
    ],
    [
      'a parent before the student',
      'Student Name,Parent Email,Student Email\nAsha Rao,mother@y.test,asha@x.test\nBala K,father@y.test,b@x.test',
      `${BOTH} | ?Parent Email`,
    ],
    [
      'more addresses of managers than of learners',
      'Name,Manager E-mail,E-mail\nAsha Rao,boss@x.test,asha@x.test\nBala K,boss@x.test,',
      `${ASHA} | !3 | ?Manager E-mail`,
    ],
    ['only the address of a parent', 'Student,Parent email\nAsha Rao,asha@x.test', ASHA],
    [
      'the same address in both',
      'Name,Work email,Home email\nAsha Rao,asha@x.test,Asha@x.test',
      `${ASHA} | ?Home email`,
    ],
    [
      'a report of a meeting',
      'Meeting ID,Topic,Start Time,End Time,User Email,Duration (Minutes),Participants\n' +
        '812 3456,Linux 101,07/01/2026 09:00:00 AM,07/01/2026 10:00:00 AM,trainer@x.test,60,2\n\n' +
        'Name (Original Name),User Email,Total Duration (Minutes),Guest\n' +
        'Asha Rao,asha@x.test,55,No\nBala K,b@x.test,54,Yes\nVisitor,,3,Yes',
      `${BOTH} | !1 | !2 | !7 | ?Total Duration (Minutes) | ?Guest`,
    ],
    [
      'a newer report of a meeting',
      'Topic,ID,Host name,Host email,Start time,End time,Participants\nLinux,812,Trainer,trainer@x.test,9:00,10:00,2\n\n' +
        'Name (original name),Email,Total duration (minutes),Guest\nAsha Rao,asha@x.test,55,No\nBala K,b@x.test,54,Yes',
      `${BOTH} | !1 | !2 | ?Total duration (minutes) | ?Guest`,
    ],
    [
      'a report with two lists of participants',
      '1. Summary\nMeeting title\tLinux\n\n2. Participants\nName\tFirst Join\tEmail\tRole\nAsha Rao\t9:00\tasha@x.test\tPresenter\n\n' +
        '3. In-Meeting Activities\nName\tJoin Time\tLeave Time\tEmail\tRole\nAsha Rao\t9:00\t9:30\tasha@x.test\tPresenter\nBala K\t9:05\t9:30\tb@x.test\tAttendee',
      `${BOTH} | !1 | !2 | !4 | !8 | ~10 | ?First Join | ?Role | ?Join Time | ?Leave Time`,
    ],
  ])('of %s is read by its headings', (_, text, expected) => {
    expect(summaryOf(readRoster(text))).toBe(expected)
  })

  test.each([
    [
      'Name,Work email,Personal email\nAsha Rao,asha@x.test,asha@home.test',
      ['Work email', 'Personal email'],
      `${ASHA} | ?Personal email`,
    ],
    [
      'Name,Email,Email\nAsha Rao,asha@x.test,a@home.test',
      ['Email (column 2)', 'Email (column 3)'],
      `${ASHA} | ?Email (column 3)`,
    ],
    [
      'Asha Rao,asha@x.test,mother@y.test\nBala K,b@x.test,father@y.test',
      ['column 2 (asha@x.test)', 'column 3 (mother@y.test)'],
      `${BOTH} | ?column 3 (mother@y.test)`,
    ],
  ])('needs a choice between two equally good columns: %j', (text, columns, expected) => {
    const asked = readRoster(text)
    expect([summaryOf(asked), asked.addressColumns]).toEqual(['', columns])
    const chosen = readRoster(text, [columns[0]!])
    expect([summaryOf(chosen), chosen.addressColumns]).toEqual([expected, []])
  })
})

test('needs a choice for each table of a text, one after the other', () => {
  const text =
    'Name,Work email,Home email\nAsha Rao,asha@x.test,asha@home.test\n' +
    'Name,Office email,Private email,Role\nBala K,b@x.test,b@home.test,Guest'
  expect(readRoster(text).addressColumns).toEqual(['Work email', 'Home email'])
  expect(readRoster(text, ['Work email']).addressColumns).toEqual(['Office email', 'Private email'])
  expect(summaryOf(readRoster(text, ['Work email', 'Office email']))).toBe(
    `${BOTH} | ?Home email | ?Private email | ?Role`,
  )
})

test('addresses that Slack copies as links are read', () => {
  expect(summaryOf(readRoster('<mailto:asha@x.test|asha@x.test> <mailto:b@x.test|b@x.test>'))).toBe(
    'asha@x.test | b@x.test',
  )
  expect(summaryOf(readRoster('<mailto:asha@x.test|Asha Rao>, <mailto:b@x.test|Bala K>'))).toBe(BOTH)
})

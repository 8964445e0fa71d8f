import { expect, test } from 'vitest'
import type { Machine } from '../api/client.ts'
import { classSessionWindows } from './apply.ts'
import { parseTrainings } from './file.ts'
import { type Change, describe, planOf, type CurrentState, type CurrentClassSession } from './plan.ts'

const FILE = `training: Python
template: Ubuntu
hours: 40
learners:
  - Asha@Example.com
  - { email: ravi@example.com, name: Ravi Kumar }
ports:
  - 8080
  - { port: 443, protocol: TCP, source: 203.0.113.0/24 }
sessions:
  - { days: [wed, Monday], from: 2026-12-01, until: 2026-12-18, start: "09:00", stop: "12:00", limitAccess: true }
  - { date: 2026-12-20, start: "10:00", stop: "11:00" }
`
const [wanted] = parseTrainings(Buffer.from(FILE), 'training.yaml')

test('a file states a training with learners, ports and sessions', () => {
  expect(wanted).toEqual({
    training: 'Python',
    template: 'Ubuntu',
    hours: 40,
    browserAccess: true,
    learners: [
      { email: 'asha@example.com', name: undefined },
      { email: 'ravi@example.com', name: 'Ravi Kumar' },
    ],
    ports: [
      { port: 8080, protocol: 'TCP and UDP', source: null },
      { port: 443, protocol: 'TCP', source: '203.0.113.0/24' },
    ],
    sessions: [
      {
        weekdays: [1, 3],
        from: '2026-12-01',
        until: '2026-12-18',
        start: '09:00',
        stop: '12:00',
        limitAccess: true,
        skipHolidays: true,
      },
      {
        weekdays: null,
        from: '2026-12-20',
        until: '2026-12-20',
        start: '10:00',
        stop: '11:00',
        limitAccess: false,
        skipHolidays: true,
      },
    ],
  })
})

test('a file may contain several trainings', () => {
  const all = parseTrainings(Buffer.from('training: A\ntemplate: T\n---\ntraining: B\ntemplate: T\n'), 'two.yaml')
  expect(all.map(({ training, ports }) => [training, ports])).toEqual([
    ['A', undefined],
    ['B', undefined],
  ])
})

test.each([
  ['training: A\n', 'f:1: template: '],
  ['training: A\ntemplate: T\nlearner: []\n', 'f:1: the file: Unrecognized key: "learner"'],
  ['training: A\ntemplate: T\nlearners:\n  - asha@example.com\n  - nobody\n', 'f:5: learners[2]: must be an e-mail'],
  ['training: A\ntemplate: T\nlearners: [a@b.c, A@b.c]\n', 'f:3: learners: must name each learner once'],
  ['training: A\ntemplate: T\nports:\n  - 99999\n', 'f:4: ports[1]: '],
  ['training: A\ntemplate: T\nhours: 0\n', 'f:3: hours: must be more than 0'],
  [
    'training: A\ntemplate: T\nsessions:\n  - { days: [mon], date: 2026-12-01, start: "09:00", stop: "10:00" }\n',
    'f:4: sessions[1]: must have either date, or days, from and until',
  ],
  ['training: [\n', 'f:2: '],
  ['', 'f is empty.'],
  ['template: T\ntraining: 2026\n', 'f:2: training: must be text. Put it in quotation marks'],
  ['training: A\ntemplate: T\nlearners:\n  - { email: a@b.c, name: 7 }\n', 'f:4: learners[1]: name must be text.'],
])('refuses %j with the line', (text, message) => {
  expect(() => parseTrainings(Buffer.from(text), 'f')).toThrow(message)
})

const CAFE = '# Plan\r\ntraining: Café\r\ntemplate: T\r\n'
const UTF_16 = Buffer.from(`\uFEFF${CAFE}`, 'utf16le')

test.each([
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${CAFE}`)],
  ['UTF-16 with a byte order mark', UTF_16],
  ['UTF-16 without a byte order mark', UTF_16.subarray(2)],
  ['UTF-16 in big-endian order', Buffer.from(UTF_16).swap16()],
])('reads %s', (_encoding, bytes) => {
  expect(parseTrainings(bytes, 'f').map(({ training }) => training)).toEqual(['Café'])
})

test.each([
  [Buffer.from(CAFE, 'latin1'), 'f:2: the text is not UTF-8, but probably Windows-1252.'],
  [Buffer.from(CAFE.replace('é', '\uFFFD')), 'f:2: the text is not UTF-8'],
  [UTF_16.subarray(0, -1), 'f:4: the text is damaged UTF-16LE.'],
])('refuses text that cannot be read, with its encoding and line', (bytes, message) => {
  expect(() => parseTrainings(bytes, 'f')).toThrow(message)
})

const machine = (email: string, isAlive = true) => ({ name: `vm-${email}`, email, isAlive }) as Machine
const session = (fields: Partial<CurrentClassSession>) =>
  ({
    date: '2026-12-02',
    start: '09:00',
    stop: '12:00',
    weekly: null,
    limitsAccess: false,
    moved: false,
    skipped: false,
    ...fields,
  }) as CurrentClassSession

const EMPTY: CurrentState = { machines: [], ports: [], sessions: [], template: null, today: '2026-11-25' }
const COMPLETE: CurrentState = {
  ...EMPTY,
  template: 'Ubuntu',
  machines: [machine('asha@example.com'), machine('ravi@example.com'), machine('gone@example.com', false)],
  ports: [
    { port: 443, protocol: 'TCP', source: '203.0.113.0/24' },
    { port: 8080, protocol: 'TCP and UDP', source: null },
  ],
  sessions: [
    session({ weekly: { weekdays: [1, 3], until: '2026-12-18' }, limitsAccess: true }),
    session({
      date: '2026-12-09',
      weekly: { weekdays: [1, 3], until: '2026-12-18' },
      limitsAccess: true,
      skipped: true,
    }),
    session({ date: '2026-12-20', start: '10:00', stop: '11:00' }),
  ],
}
const kinds = (changes: readonly Change[]) => changes.map(({ kind }) => kind)

test.each([
  ['everything is missing', EMPTY, false, ['order', 'openPort', 'openPort', 'createSession', 'createSession'], 0],
  ['everything is there', COMPLETE, false, [], 0],
  ['everything is there, with --prune', COMPLETE, true, [], 0],
  ['a learner has no machine', { ...COMPLETE, machines: [machine('asha@example.com')] }, false, ['order'], 0],
  [
    'there is another learner',
    { ...COMPLETE, machines: [...COMPLETE.machines, machine('other@example.com')] },
    false,
    [],
    1,
  ],
  [
    'there is another learner, with --prune',
    { ...COMPLETE, machines: [...COMPLETE.machines, machine('other@example.com')] },
    true,
    ['deleteMachine'],
    0,
  ],
  ['the latest order had another template', { ...COMPLETE, template: 'Debian' }, false, [], 1],
  [
    'a port has another source',
    { ...COMPLETE, ports: [COMPLETE.ports[1]!, { port: 443, protocol: 'TCP' as const, source: null }] },
    false,
    ['closePort', 'openPort'],
    0,
  ],
  [
    'another port is open',
    { ...COMPLETE, ports: [...COMPLETE.ports, { port: 22, protocol: 'TCP' as const, source: null }] },
    true,
    ['closePort'],
    0,
  ],
  [
    'a session has other times',
    { ...COMPLETE, sessions: [COMPLETE.sessions[0]!, session({ date: '2026-12-20', start: '10:30', stop: '11:00' })] },
    true,
    ['deleteSession', 'createSession'],
    0,
  ],
  ['the weekly class is over', { ...COMPLETE, sessions: [COMPLETE.sessions[2]!], today: '2026-12-19' }, false, [], 1],
  [
    'another weekly class is planned',
    {
      ...COMPLETE,
      sessions: [
        ...COMPLETE.sessions,
        session({ date: '2026-12-03', weekly: { weekdays: [4], until: '2026-12-18' } }),
        session({ date: '2026-12-10', weekly: { weekdays: [4], until: '2026-12-18' } }),
      ],
    },
    true,
    ['deleteSession'],
    0,
  ],
])('plans the changes if %s', (_case, current, prune, expected, notes) => {
  const plan = planOf(wanted!, current, { prune })
  expect(kinds(plan.changes)).toEqual(expected)
  expect(plan.notes).toHaveLength(notes)
})

test('lists the sessions of a year and of the file in spans of at most 63 days', () => {
  const days = (from: string, until: string) => (Date.parse(until) - Date.parse(from)) / 86_400_000
  const windows = classSessionWindows('2026-11-25', [
    { from: '2026-10-01', until: '2026-10-02' },
    { from: '2026-12-01', until: '2026-12-18' },
    { from: '2027-11-20', until: '2028-01-10' },
    { from: '2030-01-01', until: '2030-01-01' },
  ])
  expect(windows[0]).toEqual({ from: '2026-11-25', until: '2027-01-26' })
  expect(windows.at(-1)).toEqual({ from: '2030-01-01', until: '2030-01-01' })
  expect(windows.every(({ from, until }) => from <= until && days(from, until) <= 62)).toBe(true)
  expect(windows.slice(1).every(({ from }, i) => windows[i]!.until < from)).toBe(true)
  expect(windows.some(({ from, until }) => from <= '2028-01-10' && until >= '2028-01-10')).toBe(true)
})

test('describes each change in one line', () => {
  const { changes } = planOf(wanted!, EMPTY, { prune: false })
  expect(changes.map((change) => describe(change, wanted!))).toEqual([
    '+ order 2 machines from Ubuntu with 40 hours each\n    asha@example.com\n    ravi@example.com',
    '+ open port 8080 (TCP and UDP) for any address',
    '+ open port 443 (TCP) for 203.0.113.0/24',
    '+ plan session Mon, Wed 09:00-12:00, 2026-12-01 to 2026-12-18, access limited',
    '+ plan session 2026-12-20 10:00-11:00',
  ])
})

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  labServicesConversations,
  labServicesCsvFolder,
  whyNoLabServices,
} from '@trainyard/platform/emulator/test/lab-services.ts'
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { growthOfTime, LINEAR } from '@trainyard/platform/contract/test-growth.ts'
import { isTimeZone } from '@trainyard/platform/contract/words/time-zone.ts'
import type { LabServicesResource } from './lab-services-provider.ts'
import { readAzureLab } from './read-azure.ts'
import { type LabFile, readLabFiles } from './read-files.ts'
import { lastRunOf, problemOf, rulesOf, runsOfRule, withoutPast } from './rules.ts'
import { nearestTemplate, usualSizeFor, sizeOf } from './size.ts'
import { minutesOf, type SourceRecurrence, type SourceSchedule } from './source.ts'
import { ianaZone } from './zones.ts'

test.each([
  ['PT10H', 600],
  ['PT12H', 720],
  ['P1DT1H', 1500],
  ['P2DT2H', 3000],
  ['PT0S', 0],
  ['PT90S', 2],
  ['PT3H30M', 210],
  ['10', null],
  ['P', null],
  ['PT', null],
  [undefined, null],
])('reads the duration %s as %s minutes', (text, minutes) => {
  expect(minutesOf(text)).toBe(minutes)
})

test.each([
  ['Classic_Fsv2_4_8GB_128_S_SSD', { cores: 4, memoryGb: 8, diskGb: 128, isPremium: false, hasGpu: false }],
  ['Standard_Fsv2_2_4GB_64_S_SSD', { cores: 2, memoryGb: 4, diskGb: 64, isPremium: false }],
  ['Standard_Dsv4_2_8GB_128_S_SSD', { cores: 2, memoryGb: 8 }],
  ['Dsv4_8_32GB_128_P_SSD', { cores: 8, memoryGb: 32, isPremium: true }],
  ['NVadsA10v5_6_55GB_128_S_SSD', { cores: 6, memoryGb: 55, hasGpu: true }],
  // Plain Standard is the name of a size, not a prefix.
  ['Standard', { cores: 4, memoryGb: 8 }],
  ['basic', { cores: 2, memoryGb: 4 }],
])('reads the size %s', (name, size) => {
  expect(sizeOf(name)).toMatchObject(size)
})

test('returns no size for any other text', () => {
  expect(['', 'Standard_D2s_v3', 'Fsv2_2_4_128_S_SSD'].map(sizeOf)).toEqual([null, null, null])
})

const templateOf = (name: string, size_name: string, os: 'Windows' | 'Linux' = 'Linux', storage = '128 GB') => ({
  name,
  os,
  cpu: '2 vCPU',
  memory: '8 GB',
  storage,
  size_name,
})
const TEMPLATES = [
  templateOf('tiny', 'Standard_DS1_v2'),
  templateOf('two', 'Standard_D2s_v3'),
  templateOf('four', 'Standard_D4s_v3'),
  templateOf('eight', 'Standard_D8s_v4'),
  templateOf('windows', 'Standard_D2s_v3', 'Windows'),
]

test.each([
  ['Classic_Fsv2_2_4GB_128_S_SSD', 'Linux', 'two', 'Standard_D2s_v3'],
  ['Classic_Fsv2_4_8GB_128_S_SSD', 'Linux', 'four', 'Standard_DS3_v2'],
  ['Classic_Dsv4_8_32GB_128_P_SSD', 'Linux', 'eight', 'Standard_D8s_v3'],
  ['Classic_Fsv2_8_16GB_128_S_SSD', 'Windows', 'windows', 'Standard_D8s_v3'],
] as const)('proposes for %s on %s the template %s', (name, os, template, size) => {
  expect(nearestTemplate(sizeOf(name)!, os, TEMPLATES)?.name).toBe(template)
  expect(usualSizeFor(sizeOf(name)!)).toBe(size)
})

test.each([
  ['America/Los_Angeles', 'America/Los_Angeles'],
  ['Pacific Standard Time', 'America/Los_Angeles'],
  ['W. Europe Standard Time', 'Europe/Berlin'],
  ['india standard time', 'Asia/Kolkata'],
  ['Nowhere/Land', null],
  ['', null],
])('knows the zone %s as %s', (name, zone) => {
  expect(ianaZone(name)).toBe(zone)
})

/** Rare Windows zones, whose absence refused whole imports. */
const RARE_ZONES = `Aleutian Standard Time|Altai Standard Time|Astrakhan Standard Time|Aus Central W. Standard Time
Bahia Standard Time|Bougainville Standard Time|Chatham Islands Standard Time|Dateline Standard Time
Easter Island Standard Time|Kaliningrad Standard Time|Line Islands Standard Time
Lord Howe Standard Time|Magadan Standard Time|Magallanes Standard Time|Marquesas Standard Time
N. Central Asia Standard Time|Norfolk Standard Time|North Korea Standard Time|Omsk Standard Time
Qyzylorda Standard Time|Russia Time Zone 3|Russia Time Zone 10|Russia Time Zone 11
Saint Pierre Standard Time|Sakhalin Standard Time|Sao Tome Standard Time|Saratov Standard Time
South Sudan Standard Time|Sudan Standard Time|Tocantins Standard Time|Tomsk Standard Time
Transbaikal Standard Time|Turks And Caicos Standard Time|Ulaanbaatar Standard Time|UTC-02|UTC-08
UTC-09|UTC-11|UTC+12|UTC+13|Volgograd Standard Time|W. Mongolia Standard Time
West Bank Standard Time|Yukon Standard Time`

test.each(RARE_ZONES.split(/[|\n]/))('knows the Windows zone %s', (name) => {
  expect(isTimeZone(ianaZone(name) ?? '')).toBe(true)
})

test.each([
  ['Kaliningrad Standard Time', 2],
  ['UTC-11', -11],
  ['UTC+13', 13],
  ['Russia Time Zone 11', 12],
])('reads the offset of %s as %d hours from UTC', (name, hours) => {
  const noon = Temporal.Instant.from('2026-07-01T00:00:00Z').toZonedDateTimeISO(ianaZone(name)!)
  expect(noon.offsetNanoseconds / 3.6e12).toBe(hours)
})

const weekly = (overrides: Partial<SourceRecurrence> = {}): SourceRecurrence => ({
  every: 'week',
  interval: 1,
  weekdays: [1, 3],
  until: '2027-06-30',
  ...overrides,
})
const schedule = (start: string | null, stop: string | null, repeats: SourceRecurrence | null): SourceSchedule => {
  const at = (text: string | null) => (text === null ? null : { date: text.slice(0, 10), time: text.slice(11) })
  return { key: 's', start: at(start), stop: at(stop), timeZone: 'Europe/Berlin', repeats, notes: null }
}

const NOW = new Date('2026-07-01T00:00:00Z')
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** Returns the first instants of the source's rule, computed by an independent library. */
function nextByRule(first: string, repeats: SourceRecurrence, zone: string, shiftDays: number): string[] {
  const [date = '', time = ''] = first.split('T')
  const began = Temporal.PlainDate.from(date).subtract({ days: shiftDays })
  const until = Temporal.PlainDateTime.from(`${repeats.until}T23:59:59`).toZonedDateTime(zone).toInstant()
  const stamp = (text: string) => text.replace(/[-:]/g, '').slice(0, 15)
  const frequency = repeats.every === 'day' ? 'DAILY' : 'WEEKLY'
  const days = repeats.every === 'day' ? '' : `;BYDAY=${repeats.weekdays.map((day) => DAYS[day - 1]).join(',')}`
  const rule = new RRuleTemporal({
    rruleString: [
      `DTSTART;TZID=${zone}:${stamp(`${began.toString()}T${time}:00`)}`,
      `RRULE:FREQ=${frequency};INTERVAL=${repeats.interval}${days};UNTIL=${stamp(until.toString())}Z`,
    ].join('\n'),
  })
  return rule
    .all((_, index) => index < 10)
    .map((at) => at.toPlainDateTime().add({ days: shiftDays }).toZonedDateTime(zone).toInstant().toString())
}

const instants = (source: SourceSchedule, zone: string, action: 'Start' | 'Stop'): string[] =>
  rulesOf(source, zone, NOW)
    .filter((rule) => rule.action === action)
    .flatMap(runsOfRule)
    .slice(0, 10)
    .map(({ at }) => at.toISOString().replace('.000Z', 'Z'))

describe('runs of a schedule', () => {
  test.each([
    ['America/Los_Angeles', '2026-10-05T09:00', '2026-10-05T11:00', weekly()],
    ['Europe/Berlin', '2026-10-12T08:30', '2026-10-12T16:45', weekly({ weekdays: [1, 2, 3, 4, 5] })],
    ['Australia/Sydney', '2027-03-22T22:00', '2027-03-23T02:30', weekly({ weekdays: [1, 5, 7] })],
    ['America/New_York', '2027-03-05T18:00', '2027-03-05T20:00', weekly({ every: 'day', weekdays: [] })],
    ['America/New_York', '2027-03-05T18:00', '2027-03-05T20:00', weekly({ every: 'day', interval: 2, weekdays: [] })],
    ['Europe/London', '2026-09-01T10:00', '2026-09-01T12:00', weekly({ interval: 2, weekdays: [2, 4] })],
    ['Asia/Kolkata', '2026-10-05T09:00', '2026-10-05T11:00', weekly({ until: '2026-10-21' })],
  ] as const)('keep their local time across a clock change in %s from %s to %s by %j', (zone, start, stop, repeats) => {
    const source = schedule(start, stop, repeats)
    expect(instants(source, zone, 'Start')).toEqual(nextByRule(start, repeats, zone, 0))
    const shift = start.slice(0, 10) === stop.slice(0, 10) ? 0 : 1
    expect(instants(source, zone, 'Stop')).toEqual(nextByRule(stop, repeats, zone, shift))
  })

  test('are split into several weekly schedules if they span more than a year', () => {
    const long = rulesOf(
      schedule('2026-01-05T09:00', null, weekly({ until: '2028-03-01' })),
      'UTC',
      new Date('2026-03-02'),
    )
    expect(long.map(({ weekly: span }) => [span!.from, span!.until])).toEqual([
      ['2026-01-05', '2027-01-06'],
      ['2027-01-07', '2028-01-08'],
      ['2028-01-09', '2028-03-01'],
    ])
    expect(long.flatMap(runsOfRule)).toHaveLength(226)
  })

  test('take place once if there is no recurrence', () => {
    expect(instants(schedule('2026-07-01T09:00', null, null), 'Europe/Berlin', 'Start')).toEqual([
      '2026-07-01T07:00:00Z',
    ])
    expect(rulesOf(schedule(null, '2026-07-01T09:00', null), 'UTC', NOW).map(({ action }) => action)).toEqual(['Stop'])
  })
})

const HORIZON = 'more than 2 years ahead'
test.each([
  ['2026-01-05T09:00', '2028-07-01', null],
  ['2026-01-05T09:00', '2028-07-02', HORIZON],
  ['2030-01-05T09:00', '2032-01-05', null],
  ['2030-01-05T09:00', '2032-01-06', HORIZON],
  ['0001-01-01T09:00', '2026-12-01', '0001-01-01 is not a date'],
  ['2026-01-05T99:00', '2026-12-01', '99:00 is not a time'],
  ['2026-13-45T09:00', '2026-12-01', '2026-13-45 is not a date'],
  ['2026-01-05T09:00', '9999-12-31', '9999-12-31, is not a date'],
])('a schedule from %s to %s has the problem %s', (start, last, problem) => {
  const source = schedule(start, null, weekly({ until: last }))
  expect(problemOf(source, NOW) ?? 'none').toContain(problem ?? 'none')
  expect(rulesOf(source, 'Europe/Berlin', NOW).length > 0).toBe(problem === null)
})

test.each([
  weekly({ until: '2028-06-30' }),
  weekly({ until: '2028-06-30', interval: 3 }),
  weekly({ until: '2028-06-30', every: 'day', interval: 5 }),
  weekly({ until: '2028-06-30', interval: Number.MAX_SAFE_INTEGER }),
  weekly({ until: '1990-01-01' }),
])('only coming runs of a schedule from 1900 are calculated, and they do not differ a year later: %j', (repeats) => {
  const source = schedule('1900-01-01T22:00', '1900-01-02T02:00', repeats)
  const rules = rulesOf(source, 'Europe/Berlin', NOW)
  expect(rules.length).toBeLessThanOrEqual(6)
  expect(rules.flatMap(runsOfRule).length).toBeLessThan(700)
  const later = new Date('2027-08-15T12:00:00Z')
  expect(rulesOf(source, 'Europe/Berlin', later)).toEqual(withoutPast(rules, later))
  for (const rule of rules) expect(lastRunOf(rule)).toEqual(runsOfRule(rule).at(-1)?.at ?? null)
})

const resource = (name: string, properties: object): LabServicesResource => ({
  id: `/subscriptions/s/resourceGroups/RG/providers/Microsoft.LabServices/labs/${name}`,
  name,
  properties: properties as Record<string, unknown>,
})

test('reads a lab: ignores disabled delays and empty profiles, and reads times as local time', () => {
  const read = readAzureLab({
    lab: resource('One', {
      provisioningState: 'Succeeded',
      autoShutdownProfile: {
        shutdownOnIdle: 'None',
        idleDelay: 'PT25M',
        shutdownOnDisconnect: 'Disabled',
        disconnectDelay: 'PT25M',
      },
      virtualMachineProfile: {
        imageReference: { id: '/g/images/x' },
        osType: 'Linux',
        sku: { name: 'Basic', capacity: 3 },
        usageQuota: 'PT10H',
      },
      securityProfile: { openAccess: 'Enabled', registrationCode: 'abc' },
      rosterProfile: {},
      brandNew: { kept: true },
    }),
    users: [
      resource('u1', {
        email: ' ASHA@School.Test ',
        registrationState: 'Registered',
        totalUsage: 'PT1H30M',
        additionalUsageQuota: 'P1DT1H',
      }),
      resource('u2', {}),
    ],
    schedules: [
      resource('Mondays', {
        startAt: '2025-07-07T15:19:07Z',
        stopAt: '2025-07-07T16:19:07Z',
        timeZoneId: 'America/Los_Angeles',
        recurrencePattern: { frequency: 'Weekly', weekDays: ['Monday'], expirationDate: '2025-07-27' },
      }),
      resource('broken', { startAt: 'soon', timeZoneId: 'UTC' }),
    ],
    machines: [],
    image: resource('x', { osState: 'Specialized' }),
  })
  expect(read).toMatchObject({
    key: '/subscriptions/s/resourcegroups/rg/providers/microsoft.labservices/labs/one',
    title: 'One',
    idle: null,
    roster: 'manual',
    openAccess: true,
    quotaMinutes: 600,
    capacity: 3,
    image: { kind: 'gallery', isSpecialized: true },
    users: [{ email: 'asha@school.test', isRegistered: true, usedMinutes: 90, extraMinutes: 1500 }],
    unread: ['The user u2 has no e-mail address.', 'The times of the schedule broken could not be read.'],
  })
  expect(read.schedules).toEqual([
    {
      key: 'mondays',
      start: { date: '2025-07-07', time: '15:19' },
      stop: { date: '2025-07-07', time: '16:19' },
      timeZone: 'America/Los_Angeles',
      repeats: { every: 'week', interval: 1, weekdays: [1], until: '2025-07-27' },
      notes: null,
    },
  ])
})

describe.skipIf(labServicesConversations === undefined)(`recorded labs (skipped when ${whyNoLabServices})`, () => {
  test('are read with a known size and without unreadable values', () => {
    const found = new Map<string, LabServicesResource>()
    const visit = (value: unknown): void => {
      if (Array.isArray(value)) value.forEach(visit)
      if (typeof value !== 'object' || value === null) return
      const { type, name, id, properties } = value as Record<string, unknown>
      if (type === 'Microsoft.LabServices/labs' && typeof properties === 'object') {
        found.set(`${String(id)} ${found.size}`, {
          id: String(id),
          name: String(name),
          properties: properties as Record<string, unknown>,
        })
      }
      Object.values(value).forEach(visit)
    }
    visit(labServicesConversations?.map(({ interactions }) => interactions.map(({ response }) => response.body)))
    expect(found.size).toBeGreaterThan(0)
    for (const lab of found.values()) {
      const read = readAzureLab({ lab, users: [], schedules: [], machines: [], image: null })
      expect([read.name, read.unread, sizeOf(read.size) !== null]).toEqual([lab.name, [], true])
    }
  })
})

describe.skipIf(labServicesCsvFolder === undefined)(`example files (skipped when ${whyNoLabServices})`, () => {
  const example = (name: string): LabFile => ({ name, csv: readFileSync(join(labServicesCsvFolder!, name), 'utf8') })
  const all = (): LabFile[] =>
    readdirSync(labServicesCsvFolder!)
      .filter((name) => name.endsWith('.csv'))
      .map(example)

  test('are read with all labs, users and schedules', () => {
    const { labs, problems } = readLabFiles(all())
    expect(problems).toEqual([])
    expect(
      labs.map(({ name, users, quotaMinutes, os, capacity }) => [name, users.length, quotaMinutes, os, capacity]),
    ).toEqual([
      ['BC_Economics_101', 2, 600, 'Linux', 2],
      ['BC_CompSci_Office_101', 2, 1200, 'Windows', 2],
      ['BC_CompSci_AI_200', 1, 1500, 'Windows', 2],
    ])
    expect(labs[2]).toMatchObject({ openAccess: true, idle: { minutes: 15, when: 'idle' } })
    expect(labs[2]!.schedules).toEqual([
      {
        key: 'line 1',
        start: { date: '2022-12-01', time: '10:00' },
        stop: { date: '2022-12-01', time: '12:00' },
        timeZone: 'America/Los_Angeles',
        repeats: { every: 'week', interval: 1, weekdays: [1, 5], until: '2022-12-24' },
        notes: 'A recurrent class',
      },
      expect.objectContaining({ key: 'line 2', repeats: null, start: { date: '2022-12-01', time: '08:00' } }),
    ])
    expect(JSON.stringify(labs)).not.toContain('TestAdmin00000000')
  })
})

const HEAD = 'LabName,Size,MaxUsers,UsageQuota,UsageMode,Emails,LabOwnerEmails,Schedules,idleOsGracePeriod'
const LAB = 'one,Basic,2,10,Restricted,a@school.test,,,'
const PLAN_HEAD = 'Frequency,FromDate,ToDate,StartTime,EndTime,WeekDays,TimeZoneId,Notes'
const PLAN = 'Weekly,12/1/2026,12/24/2026,10:00,12:00,Monday,America/Los_Angeles,'
const lab = (line: string): LabFile[] => [{ name: 'labs.csv', csv: `${HEAD}\n${LAB}\n${line}` }]
const plan = (line: string): LabFile[] => [
  { name: 'labs.csv', csv: `${HEAD}\none,Basic,2,10,Restricted,a@school.test,,plan,` },
  { name: 'plan.csv', csv: `${PLAN_HEAD}\n${PLAN}\n${line}` },
]
const emails = (text: string): LabFile[] => [
  { name: 'labs.csv', csv: `${HEAD}\n${LAB}` },
  { name: 'one.csv', csv: text },
]

const numbered = (count: number, separator: string): string =>
  Array.from({ length: count }, (_, index) => `u${index}@school.test`).join(separator)
const labs = (count: number, list: string): LabFile[] => [
  {
    name: 'labs.csv',
    csv: [HEAD, ...Array.from({ length: count }, (_, n) => `l${n},Basic,2,10,,,,${list},`)].join('\n'),
  },
]
const planOf = (count: number): LabFile => ({ name: 'plan.csv', csv: `${PLAN_HEAD}${`\n${PLAN}`.repeat(count)}` })

describe('damaged files', () => {
  test.each([
    ['The file is empty.', 1, [{ name: 'labs.csv', csv: '' }]],
    ['No file is a lab list', 1, [{ name: 'labs.csv', csv: 'Name,Size\none,Basic' }]],
    ['The lab list has no labs.', 1, [{ name: 'labs.csv', csv: `${HEAD}\n\n` }]],
    ['A quotation mark is missing', 2, [{ name: 'labs.csv', csv: `${HEAD}\n"one,Basic,2` }]],
    ['not UTF-8', 1, [{ name: 'labs.csv', csv: `${HEAD}\none\uFFFD,Basic` }]],
    ['LabName is empty.', 3, lab(',Basic,2,10,,,,,')],
    ['Size is empty.', 3, lab('two,,2,10,,,,,')],
    ['Size Huge is not a size of Lab Services.', 3, lab('two,Huge,2,10,,,,,')],
    ['MaxUsers must be a number up to 400.', 3, lab('two,Basic,many,10,,,,,')],
    ['MaxUsers must be a number up to 400.', 3, lab('two,Basic,401,10,,,,,')],
    ['UsageQuota must be hours', 3, lab('two,Basic,2,ten,,,,,')],
    ['UsageMode must be', 3, lab('two,Basic,2,10,Sometimes,,,,')],
    ['Emails: b is not an e-mail address.', 3, lab('two,Basic,2,10,,a@school.test;b,,,')],
    ['LabOwnerEmails: owner is not an e-mail address.', 3, lab('two,Basic,2,10,,,owner,,')],
    ['The schedule list absent is not among the files.', 3, lab('two,Basic,2,10,,,,absent,')],
    ['Idle times must be minutes', 3, lab('two,Basic,2,10,,,,,soon')],
    ['The lab ONE is listed twice.', 3, lab('ONE,Basic,2,10,,,,,')],
    ['more columns', 3, lab('two,Basic,2,10,,,,,15,too many')],
    ['Frequency must be', 3, plan('Monthly,12/1/2026,12/24/2026,10:00,12:00,Monday,UTC,')],
    ['FromDate 24/12/2026', 3, plan('Weekly,24/12/2026,12/24/2026,10:00,12:00,Monday,UTC,')],
    ['ToDate 2/30/2027', 3, plan('Weekly,12/1/2026,2/30/2027,10:00,12:00,Monday,UTC,')],
    ['ToDate is before FromDate.', 3, plan('Weekly,12/24/2026,12/1/2026,10:00,12:00,Monday,UTC,')],
    ['StartTime 25:00', 3, plan('Weekly,12/1/2026,12/24/2026,25:00,12:00,Monday,UTC,')],
    ['EndTime noon', 3, plan('Weekly,12/1/2026,12/24/2026,10:00,noon,Monday,UTC,')],
    ['StartTime and EndTime are empty.', 3, plan('Weekly,12/1/2026,12/24/2026,,,Monday,UTC,')],
    ['Someday is not a day', 3, plan('Weekly,12/1/2026,12/24/2026,10:00,12:00,Someday,UTC,')],
    ['WeekDays is empty.', 3, plan('Weekly,12/1/2026,12/24/2026,10:00,12:00,,UTC,')],
    ['TimeZoneId Mars/Base', 3, plan('Weekly,12/1/2026,12/24/2026,10:00,12:00,Monday,Mars/Base,')],
    ['not an address: ', 3, emails('email\nb@school.test\nnot an address')],
    ['FromDate 1/1/0001', 3, plan('Weekly,1/1/0001,12/24/2026,10:00,12:00,Monday,UTC,')],
    ['ToDate 12/31/9999', 3, plan('Weekly,12/1/2026,12/31/9999,10:00,12:00,Monday,UTC,')],
    ['The lab has 401 users', 3, lab(`two,Basic,2,10,,${numbered(401, ';')},,,`)],
    ['LabOwnerEmails has 21 addresses', 3, lab(`two,Basic,2,10,,,${numbered(21, ';')},,`)],
    ['The lab has 401 users', 1, emails(numbered(400, '\n'))],
    ['The list has 1001 lines', 1, emails(numbered(1_001, '\n'))],
    ['There are 201 labs', 1, labs(201, '')],
    ['The list has 201 schedules', 1, [...labs(1, 'plan'), planOf(201)]],
    ['The labs have 2010 schedules in total', 1, [...labs(67, 'plan'), planOf(30)]],
    ['longer than 20000 characters', 3, lab(`two,Basic,2,10,,,a${'.'.repeat(480_000)}x,,`)],
    ['longer than 2000 characters', 1, [{ name: 'labs.csv', csv: `a${'"'.repeat(480_000)}x` }]],
    ['longer than 2000 characters', 2, emails(`email\na${'.'.repeat(480_000)}x@`)],
  ] as const)('are rejected with "%s" at line %i', (reason, line, files) => {
    const { problems } = readLabFiles(files)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ line, reason: expect.stringContaining(reason) })
  })

  test.each([
    ['dots', (size: number) => lab(`two,Basic,2,10,,,a${'.'.repeat(size)}x,,`)],
    ['quotes', (size: number) => [{ name: 'labs.csv', csv: `a${'"'.repeat(size)}x` }]],
    ['an address', (size: number) => emails(`email\na${'.'.repeat(size)}x@`)],
  ])('of %s are read in linear time', (_, filesOf) => {
    expect(growthOfTime((size) => readLabFiles(filesOf(size)), 80_000)).toBeLessThan(LINEAR)
  })

  test.each([
    ['\uFEFFLabName;Size;UsageQuota; Emails\r\none;Basic;10;"a@school.test;b@school.test"\r\n', 2],
    ['LabName\tSize\tUsageQuota\tEmails\none\tBasic\t10\ta@school.test', 1],
    [`${HEAD}\none,Basic,2,10,Restricted," ""A@school.test; a@school.test""",,,`, 1],
  ] as const)('with a mark, other separators or nested quotes are read: variant %#', (text, users) => {
    const { labs, problems } = readLabFiles([{ name: 'x.csv', csv: text }])
    expect(problems).toEqual([])
    expect(labs[0]).toMatchObject({ name: 'one', quotaMinutes: 600 })
    expect(labs[0]!.users).toHaveLength(users)
  })

  test('reads a list of e-mails without a header, and adds each user once', () => {
    const { labs, problems } = readLabFiles(emails('\uFEFFb@school.test\r\n\r\nA@school.test\r\nb@school.test\r\n'))
    expect(problems).toEqual([])
    expect(labs[0]!.users.map(({ email }) => email)).toEqual(['a@school.test', 'b@school.test'])
  })
})

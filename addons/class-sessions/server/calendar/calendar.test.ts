import ICAL from 'ical.js'
import { sql } from 'kysely'
import nodeIcal from 'node-ical'
import { expect, test } from 'vitest'
import { order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const learner = await env.signIn('user', 'learner@acme.test', acme)
const foreignAdmin = await env.signIn('admin', 'admin@globex.test', await env.organisation('Globex Academy'))
await sql`update organisation set time_zone = 'Europe/Berlin' where id = ${acme}`.execute(env.db)
const MINE = 'Ünïcode; lab, with a \\ and a name so long that its line must be folded at 75 octets'
await admin('POST', '/azure/machines', order(MINE, ['learner@acme.test']))
await admin('POST', '/azure/machines', order('Of others', ['other@acme.test']))
const day = new Date(env.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10)
const until = new Date(Date.parse(day) + 200 * 86_400_000).toISOString().slice(0, 10)
const plan = {
  from: day,
  until,
  weekdays: [1, 3],
  start: '09:00',
  stop: '17:30',
  limitAccess: false,
  skipHolidays: true,
}
for (const trainingName of [MINE, 'Of others']) await admin('POST', '/azure/sessions', { ...plan, trainingName })

interface Event {
  readonly summary: string
  readonly start: string
  readonly end: string
  readonly status: string
}

const link = async (as: typeof admin, trainingName: string | null): Promise<string> => {
  const { body } = await as('POST', '/account/calendars', { trainingName })
  return body.url as string
}
const { url: api } = await env.credentials('admin@acme.test')
const fetchLink = (link: string) => fetch(link.replace(/^.*\/api/, api))

/** Returns the events as two independent parsers read them. Expects both parsers to agree. */
async function eventsOf(url: string): Promise<Event[]> {
  const reply = await fetchLink(url)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  const text = await reply.text()
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const first = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((component): Event => {
    const event = new ICAL.Event(component)
    return {
      summary: event.summary,
      start: event.startDate.toJSDate().toISOString(),
      end: event.endDate.toJSDate().toISOString(),
      status: String(component.getFirstPropertyValue('status')),
    }
  })
  const second = Object.values(nodeIcal.sync.parseICS(text)).flatMap((component): Event[] =>
    component?.type === 'VEVENT'
      ? [
          {
            summary: typeof component.summary === 'string' ? component.summary : component.summary.val,
            start: new Date(component.start).toISOString(),
            end: new Date(component.end!).toISOString(),
            status: String(component.status),
          },
        ]
      : [],
  )
  const inOrder = (events: Event[]) => events.toSorted((a, b) => a.start.localeCompare(b.start))
  expect(inOrder(first)).toEqual(inOrder(second))
  return inOrder(first)
}

/** Returns the number of changes and the last change of each event, ordered by start. */
async function revisionsOf(url: string) {
  const text = await (await fetchLink(url)).text()
  const name = MINE.replaceAll(/[\\;,]/g, String.raw`\$&`)
  const lines = text.replaceAll('\r\n ', '').split('\r\n')
  expect(lines.filter((line) => /^(NAME|X-WR-CALNAME):/.test(line))).toEqual([`NAME:${name}`, `X-WR-CALNAME:${name}`])
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  const valueOf = (event: ICAL.Component, property: string) => String(event.getFirstPropertyValue(property))
  return events
    .toSorted((a, b) => valueOf(a, 'dtstart').localeCompare(valueOf(b, 'dtstart')))
    .map((event) => ({ sequence: Number(valueOf(event, 'sequence')), modified: valueOf(event, 'last-modified') }))
}

test("returns the instants of a link's sessions to two parsers, also across clock changes", async () => {
  const { rows } = await sql<{ start: Date; end: Date; id: string }>`
    select s.id, s.starts_at as start, s.stops_at as "end" from class_session s
    join training on training.id = s.training_id where training.name = ${MINE} order by s.starts_at`.execute(env.db)
  expect(rows.length).toBeGreaterThan(50)
  // Berlin changes its clocks once within these days, so both offsets occur.
  expect(new Set(rows.map(({ start }) => start.getUTCHours()))).toEqual(new Set([7, 8]))
  await admin('POST', '/azure/sessions/skip', { trainingName: MINE, sessionId: rows[1]!.id, skipped: true })
  const expected = rows.map(({ start, end }, place) => ({
    summary: place === 1 ? `${MINE} (cancelled)` : MINE,
    start: start.toISOString(),
    end: end.toISOString(),
    status: place === 1 ? 'CANCELLED' : 'CONFIRMED',
  }))
  const feed = await link(admin, MINE)
  expect(await eventsOf(feed)).toEqual(expected)
  const first = await revisionsOf(feed)
  expect(first.map(({ sequence }) => sequence)).toEqual(rows.map((_, place) => (place === 1 ? 1 : 0)))
  await admin('POST', '/azure/sessions/skip', { trainingName: MINE, sessionId: rows[1]!.id, skipped: false })
  await admin('POST', '/azure/sessions/skip', { trainingName: MINE, sessionId: rows[1]!.id, skipped: true })
  const then = await revisionsOf(feed)
  expect([then[1]!.sequence, then[1]!.modified >= first[1]!.modified, then[0]]).toEqual([3, true, first[0]])
  // The learner's own link contains only trainings in which the learner has a machine.
  expect(await eventsOf(await link(learner, null))).toEqual(expected)
  expect(await eventsOf(await link(admin, null))).toHaveLength(2 * expected.length)
})

test('contains the sessions of the led classes in the link of an instructor', async () => {
  const teacher = await env.signIn('user', 'teacher@acme.test', acme)
  const url = await link(teacher, null)
  expect(await eventsOf(url)).toEqual([])
  await admin('POST', '/azure/class/instructors', { trainingName: 'Of others', email: 'teacher@acme.test' })
  const events = await eventsOf(url)
  expect(events.length).toBeGreaterThan(50)
  expect(new Set(events.map(({ summary }) => summary))).toEqual(new Set(['Of others']))
})

test('ends a link when it is revoked, replaced, or when its owner loses access', async () => {
  const status = async (url: string) => {
    const reply = await fetchLink(url)
    await reply.text()
    return reply.status
  }
  const old = await link(learner, null)
  const replaced = await link(learner, null)
  expect([await status(old), await status(replaced)]).toEqual([404, 200])
  const { links } = (await learner('GET', '/account/calendars')).body
  expect(links).toMatchObject([{ trainingName: null, lastReadAt: expect.any(String) }])
  expect(JSON.stringify(links)).not.toContain(replaced.split('token=')[1])
  const revoke = (as: typeof admin) => as('DELETE', `/account/calendars?linkId=${links[0]._id}`)
  // The link of another user remains valid.
  await revoke(foreignAdmin)
  expect(await status(replaced)).toBe(200)
  for (let time = 1; time <= 2; time++) expect((await revoke(learner)).status).toBe(200)
  expect(await status(replaced)).toBe(404)
  // A link of a training requires access to the training, and ends when the owner has no machine in the training.
  expect((await learner('POST', '/account/calendars', { trainingName: 'Of others' })).status).toBe(404)
  expect((await foreignAdmin('POST', '/account/calendars', { trainingName: MINE })).status).toBe(404)
  const own = await link(learner, MINE)
  expect(await status(own)).toBe(200)
  await sql`update machine set email = 'other@acme.test' where email = 'learner@acme.test'`.execute(env.db)
  expect(await status(own)).toBe(404)
  expect(await status(own.replace(/token=.*/, 'token=made-up'))).toBe(404)
  // Neither the audit nor the database contains the secret part.
  const { rows } = await sql<{ text: string }>`
    select detail::text as text from audit union all select encode(token_hash, 'escape') from calendar_link`.execute(
    env.db,
  )
  for (const { text } of rows) expect(text).not.toContain(own.split('token=')[1])
})

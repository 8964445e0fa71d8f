import { expect, test } from 'vitest'
import { isTimeZone, timeZones } from './time-zone.ts'

test('lists only valid time zones, by their current names', () => {
  const zones = timeZones()
  expect(zones.length).toBeGreaterThan(400)
  expect(zones.filter((zone) => !isTimeZone(zone))).toEqual([])
  expect(zones).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Asia/Kathmandu', 'Europe/Kyiv', 'UTC']))
  expect(zones).not.toContain('Asia/Calcutta')
  expect(new Set(zones).size).toBe(zones.length)
})

test.each(['America/Argentina/Buenos_Aires', 'America/Port-au-Prince', 'Etc/GMT+5'])('accepts %s', (zone) => {
  expect(isTimeZone(zone)).toBe(true)
})

test.each(['', '+05:30', 'IST', 'EST5EDT', 'asia/kolkata', 'Mars/Olympus', 'Asia/Kolkata ', '../etc/passwd', 'FOO+3'])(
  'rejects %j',
  (zone) => {
    expect(isTimeZone(zone)).toBe(false)
  },
)

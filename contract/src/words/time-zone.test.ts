import { expect, test } from 'vitest'
import { isTimeZone, timeZones } from './time-zone.ts'

test('all zones to choose from are time zones, by their names of today', () => {
  const zones = timeZones()
  expect(zones.length).toBeGreaterThan(400)
  expect(zones.filter((zone) => !isTimeZone(zone))).toEqual([])
  expect(zones).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Asia/Kathmandu', 'Europe/Kyiv', 'UTC']))
  expect(zones).not.toContain('Asia/Calcutta')
  expect(new Set(zones).size).toBe(zones.length)
})

test.each(['America/Argentina/Buenos_Aires', 'America/Port-au-Prince', 'Etc/GMT+5'])('%s is a time zone', (zone) => {
  expect(isTimeZone(zone)).toBe(true)
})

test.each(['', '+05:30', 'IST', 'EST5EDT', 'asia/kolkata', 'Mars/Olympus', 'Asia/Kolkata ', '../etc/passwd', 'FOO+3'])(
  '%j is none',
  (zone) => {
    expect(isTimeZone(zone)).toBe(false)
  },
)

import { describe, expect, test } from 'vitest'
import { instantOf } from './instant.ts'

describe('the instant of a local date and time', () => {
  test.each([
    ['in a zone without summer time', '2026-05-04', '09:30', 'Asia/Kolkata', '2026-05-04T04:00:00.000Z'],
    ['in UTC', '2026-05-04', '00:00', 'UTC', '2026-05-04T00:00:00.000Z'],
    ['in winter', '2026-01-15', '09:00', 'America/New_York', '2026-01-15T14:00:00.000Z'],
    ['in summer', '2026-07-15', '09:00', 'America/New_York', '2026-07-15T13:00:00.000Z'],
    ['in summer', '2026-07-15', '09:00', 'Europe/Berlin', '2026-07-15T07:00:00.000Z'],
    ['just before clocks go forward', '2026-03-08', '01:59', 'America/New_York', '2026-03-08T06:59:00.000Z'],
    ['that clocks skip', '2026-03-08', '02:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['that clocks skip', '2026-03-08', '02:30', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['that clocks skip', '2026-03-08', '02:59', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['just after clocks went forward', '2026-03-08', '03:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['later that day', '2026-03-08', '09:00', 'America/New_York', '2026-03-08T13:00:00.000Z'],
    ['just before clocks show it twice', '2026-11-01', '00:59', 'America/New_York', '2026-11-01T04:59:00.000Z'],
    ['that clocks show twice', '2026-11-01', '01:00', 'America/New_York', '2026-11-01T05:00:00.000Z'],
    ['that clocks show twice', '2026-11-01', '01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['just after clocks went back', '2026-11-01', '02:00', 'America/New_York', '2026-11-01T07:00:00.000Z'],
    ['that clocks skip', '2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['that clocks show twice', '2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['just after clocks went back', '2026-10-25', '03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
    ['half an hour of change', '2026-10-04', '02:15', 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z'],
    ['far ahead of UTC', '2026-12-31', '23:59', 'Pacific/Kiritimati', '2026-12-31T09:59:00.000Z'],
    ['far behind UTC', '2026-01-01', '00:00', 'Pacific/Pago_Pago', '2026-01-01T11:00:00.000Z'],
  ])('%s: %s %s in %s', (_when, date, time, zone, instant) => {
    expect(instantOf(date, time, zone).toISOString()).toBe(instant)
  })

  test("does not depend on the server's time zone", () => {
    const here = process.env.TZ
    const instants = ['Asia/Kolkata', 'America/New_York', 'UTC', 'Pacific/Auckland'].map((TZ) => {
      process.env.TZ = TZ
      return ['02:30', '03:30', '09:00'].map((time) => instantOf('2026-03-29', time, 'Europe/Berlin').toISOString())
    })
    if (here === undefined) delete process.env.TZ
    else process.env.TZ = here
    expect(new Set(instants.map(String)).size).toBe(1)
  })
})

import { expect, test } from 'vitest'
import { problemsIn } from '@trainyard/platform/web/forms/problems.ts'
import { organisation } from '../contract/organisation.ts'
import { profileChanges, formValuesOf, type Settings } from './profile-form.ts'
import { chosenOf, securityChanges } from './security-form.ts'

const settings: Settings = {
  name: 'Acme',
  logo: null,
  timeZone: 'Asia/Kolkata',
  gst: null,
  creditLimit: 0,
  azureTags: {},
  pseudonymsAllowed: false,
  security: {
    passwordChangeRequired: false,
    secondFactor: null,
    secondFactorSince: null,
    idleMinutes: null,
    passwordsAllowed: true,
  },
  managementSources: null,
  helpEmail: null,
}
const changesOf = (entered: object) => profileChanges(settings, { ...formValuesOf(settings), ...entered })

test('sends only changed fields', () => {
  expect(changesOf({})).toEqual({})
  expect(changesOf({ pseudonymsAllowed: true })).toEqual({ pseudonymsAllowed: true })
  expect(changesOf({ creditLimit: '10.5' })).toEqual({ creditLimit: 10.5 })
})

test('sends zero for an emptied credit limit', () => {
  const given = { ...settings, creditLimit: 5 }
  expect(profileChanges(given, { ...formValuesOf(given), creditLimit: '' })).toEqual({ creditLimit: 0 })
})

test('reports problems by field', () => {
  const entered = { timeZone: 'Bombay', creditLimit: '1,0', helpEmail: 'help', azureTags: 'no equals sign' }
  expect(problemsIn(organisation.changeProfile.body, changesOf(entered), entered)).toEqual({
    timeZone: 'Choose a time zone from the list, such as Asia/Kolkata.',
    creditLimit: 'Use commas only as in 1,00,000 or 100,000, and a point before decimals.',
    helpEmail: 'Enter an e-mail address such as name@example.com.',
    azureTags: 'Must be one name=value per line.',
  })
  expect(problemsIn(organisation.changeProfile.body, changesOf({ creditLimit: '-1' }))).toEqual({
    creditLimit: 'Must be between 0 and 1,00,00,00,000 rupees.',
  })
})

test('sends changed sign-in rules, and null for an emptied idle limit', () => {
  const changesOf = (chosen: object) => securityChanges(settings, { ...chosenOf(settings), ...chosen })
  expect(changesOf({})).toEqual({})
  expect(changesOf({ idleMinutes: '30', secondFactor: 'required' })).toEqual({
    idleMinutes: 30,
    secondFactor: 'required',
  })
  const { body } = organisation.changeSecurity
  for (const idleMinutes of ['4', '10081', '7.5', 'ten'])
    expect(Object.keys(problemsIn(body, changesOf({ idleMinutes })))).toEqual(['idleMinutes'])
  const idle = { ...settings, security: { ...settings.security, idleMinutes: 30, secondFactor: 'optional' as const } }
  expect(securityChanges(idle, { ...chosenOf(idle), idleMinutes: '', secondFactor: '' })).toEqual({
    idleMinutes: null,
    secondFactor: null,
  })
})

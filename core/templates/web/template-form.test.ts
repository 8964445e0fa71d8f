import { expect, test } from 'vitest'
import { problemsIn } from '@trainyard/platform/web/forms/problems.ts'
import { template } from '../contract/template.ts'
import { EMPTY_TEMPLATE, type EnteredTemplate, filledForm, licenceFor, templateOf } from './template-form.ts'

const filled: EnteredTemplate = {
  ...EMPTY_TEMPLATE,
  name: ' Ubuntu small ',
  rate: '18.50',
  resourceGroup: 'rg-cards',
  imageId: 'Canonical:ubuntu:24_04:latest',
  location: 'southindia',
  vnet: 'vnet-labs',
  cpu: '2 vCPU',
  memory: '8 GB',
  storage: 'SSD',
  disk: '64 GB',
}
const problemsOf = (entered: EnteredTemplate) => problemsIn(template.create.body, templateOf(entered), entered)

test('converts a filled form to a template: trimmed texts, numeric rate, no plan without isOfficial', () => {
  const read = templateOf({ ...filled, planPublisher: 'left over' })
  expect(read).toMatchObject({ name: 'Ubuntu small', rate: 18.5, licence: 'none', isOfficial: false })
  expect(read).not.toHaveProperty('planPublisher')
  expect(problemsOf(filled)).toEqual({})
})

test('requires and sends the plan of an official image', () => {
  const official = { ...filled, isOfficial: true }
  expect(Object.keys(problemsOf(official)).toSorted()).toEqual(['planPublisher', 'product', 'version'])
  const plan = { planPublisher: 'p', product: 'q', version: '1' }
  expect(templateOf({ ...official, ...plan })).toMatchObject(plan)
})

test.each(['forty', '1.005', ''])('rejects a rate of %j at its field', (rate) => {
  expect(problemsOf({ ...filled, rate })).toEqual({ rate: 'Enter rupees with at most two decimals.' })
})

test('rejects a size and a region that the call rejects, and text that is no tag', () => {
  const vmSize = `Standard_${'E'.repeat(80)}`
  expect(problemsOf({ ...filled, vmSize, location: 'South India', tags: 'none' })).toEqual({
    vmSize: 'Enter a size such as Standard_D2s_v3.',
    location: 'Enter a region such as southindia.',
    tags: 'Must be one name=value per line.',
  })
})

test('reports each empty field', () => {
  expect(Object.keys(problemsOf(EMPTY_TEMPLATE))).toHaveLength(10)
})

test('removes the Windows licence for Linux', () => {
  expect(licenceFor({ os: 'Linux', licence: 'Windows_Server' })).toBe('none')
  expect(licenceFor({ os: 'Windows', licence: 'Windows_Server' })).toBe('Windows_Server')
})

test('fills the form with an existing card and reads the same card back', () => {
  const card = {
    name: 'Card',
    rate: 10.5,
    resourceGroup: 'group',
    vmSize: 'Standard_D2s_v3',
    imageId: 'a:b:c:latest',
    location: 'southindia',
    os: 'Windows',
    vnet: 'net',
    licence: 'Windows_Server',
    addressKind: 'private address',
    privateNetwork: 'Corporate labs',
    isOfficial: true,
    planPublisher: 'publisher',
    product: 'product',
    version: '1.0',
    cpu: '2',
    memory: '8 GiB',
    storage: 'SSD',
    disk: '128 GiB',
    tags: { CostCentre: '4711' },
    diskSku: 'Premium_LRS',
    diskEncryptionSet: '/subscriptions/s',
    encryptionAtHost: true,
    bootDiagnostics: true,
  } as const
  const entered = filledForm({ ...card, revision: 3 })
  expect(templateOf(entered)).toEqual(card)
  const open = templateOf({ ...entered, privateNetwork: '' })
  expect(open).not.toHaveProperty('addressKind')
  expect(open).not.toHaveProperty('privateNetwork')
})

import { expect, test } from 'vitest'
import { filledForm, templateOf, FIRST_CHOICES, licenceFor, NO_TEXTS } from './template-form.ts'

const filled = {
  ...NO_TEXTS,
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

test('converts a filled form to a template: trimmed texts, numeric rate, no plan without isOfficial', () => {
  const { template } = templateOf({ ...filled, planPublisher: 'left over' }, FIRST_CHOICES)
  expect(template).toMatchObject({ name: 'Ubuntu small', rate: 18.5, licence: 'none', isOfficial: false })
  expect(template).not.toHaveProperty('planPublisher')
})

test('requires and sends the plan of an official image', () => {
  const official = { ...FIRST_CHOICES, isOfficial: true }
  expect(Object.keys(templateOf(filled, official).problems ?? {})).toEqual(['planPublisher', 'product', 'version'])
  expect(templateOf({ ...filled, planPublisher: 'p', product: 'q', version: '1' }, official).template).toMatchObject({
    planPublisher: 'p',
    product: 'q',
    version: '1',
  })
})

test.each(['-1', 'forty', '1.005'])('rejects a rate of %s at its field', (rate) => {
  expect(templateOf({ ...filled, rate }, FIRST_CHOICES).problems).toEqual({
    rate: 'Must be rupees with at most two decimals.',
  })
})

test('reports each empty field', () => {
  expect(Object.keys(templateOf(NO_TEXTS, FIRST_CHOICES).problems ?? {})).toHaveLength(10)
})

test('removes the Windows licence for Linux', () => {
  expect(licenceFor({ ...FIRST_CHOICES, os: 'Linux', licence: 'Windows_Server' }).licence).toBe('none')
  expect(licenceFor({ ...FIRST_CHOICES, os: 'Windows', licence: 'Windows_Server' }).licence).toBe('Windows_Server')
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
  const { texts, choices } = filledForm({ ...card, revision: 3 })
  expect(templateOf(texts, choices)).toEqual({ template: card })
  const { template } = templateOf(texts, { ...choices, privateNetwork: '' })
  expect(template).not.toHaveProperty('addressKind')
  expect(template).not.toHaveProperty('privateNetwork')
})

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

test('a filled form becomes a template: trimmed, the rate a number, no plan without isOfficial', () => {
  const { template } = templateOf({ ...filled, planPublisher: 'left over' }, FIRST_CHOICES)
  expect(template).toMatchObject({ name: 'Ubuntu small', rate: 18.5, licence: 'none', isOfficial: false })
  expect(template).not.toHaveProperty('planPublisher')
})

// @covers R4.10
test('an official image needs its plan, and sends it', () => {
  const official = { ...FIRST_CHOICES, isOfficial: true }
  expect(Object.keys(templateOf(filled, official).problems ?? {})).toEqual(['planPublisher', 'product', 'version'])
  expect(templateOf({ ...filled, planPublisher: 'p', product: 'q', version: '1' }, official).template).toMatchObject({
    planPublisher: 'p',
    product: 'q',
    version: '1',
  })
})

test.each(['-1', 'forty', '1.005'])('a rate of %s is refused at its field', (rate) => {
  expect(templateOf({ ...filled, rate }, FIRST_CHOICES).problems).toEqual({
    rate: 'Must be rupees with at most two decimals.',
  })
})

test('each empty field has its problem', () => {
  expect(Object.keys(templateOf(NO_TEXTS, FIRST_CHOICES).problems ?? {})).toHaveLength(10)
})

test('Linux takes no Windows licence', () => {
  expect(licenceFor({ ...FIRST_CHOICES, os: 'Linux', licence: 'Windows_Server' }).licence).toBe('none')
  expect(licenceFor({ ...FIRST_CHOICES, os: 'Windows', licence: 'Windows_Server' }).licence).toBe('Windows_Server')
})

test('a card that is there fills the form, and comes back from it as it was', () => {
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
    isOfficial: true,
    planPublisher: 'publisher',
    product: 'product',
    version: '1.0',
    cpu: '2',
    memory: '8 GiB',
    storage: 'SSD',
    disk: '128 GiB',
  } as const
  const { texts, choices } = filledForm({ ...card, revision: 3 })
  expect(templateOf(texts, choices)).toEqual({ template: card })
})

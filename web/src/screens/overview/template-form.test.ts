import { expect, test } from 'vitest'
import { templateOf, FIRST_CHOICES, licenceFor, NO_TEXTS } from './template-form.ts'

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

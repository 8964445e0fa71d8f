import { expect, test } from 'vitest'
import { cardOf, FIRST_CHOICES, licenceFor, NO_TEXTS } from './card-form.ts'

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

test('a filled form is a card: trimmed, the rate a number, no plan without isOfficial', () => {
  const { card } = cardOf({ ...filled, planPublisher: 'left over' }, FIRST_CHOICES)
  expect(card).toMatchObject({ name: 'Ubuntu small', rate: 18.5, licence: 'none', isOfficial: false })
  expect(card).not.toHaveProperty('planPublisher')
})

test('an official image needs its plan, and sends it', () => {
  const official = { ...FIRST_CHOICES, isOfficial: true }
  expect(Object.keys(cardOf(filled, official).problems ?? {})).toEqual(['planPublisher', 'product', 'version'])
  expect(cardOf({ ...filled, planPublisher: 'p', product: 'q', version: '1' }, official).card).toMatchObject({
    planPublisher: 'p',
    product: 'q',
    version: '1',
  })
})

test.each(['-1', 'forty', '1.005'])('a rate of %s is refused at its field', (rate) => {
  expect(cardOf({ ...filled, rate }, FIRST_CHOICES).problems).toEqual({
    rate: 'Must be rupees with at most two decimals.',
  })
})

test('every empty field is named', () => {
  expect(Object.keys(cardOf(NO_TEXTS, FIRST_CHOICES).problems ?? {})).toHaveLength(10)
})

test('Linux takes no Windows licence', () => {
  expect(licenceFor({ ...FIRST_CHOICES, os: 'Linux', licence: 'Windows_Server' }).licence).toBe('none')
  expect(licenceFor({ ...FIRST_CHOICES, os: 'Windows', licence: 'Windows_Server' }).licence).toBe('Windows_Server')
})

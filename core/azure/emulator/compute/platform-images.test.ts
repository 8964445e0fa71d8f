import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  startTestEmulator,
  inSubscription,
  type TestEmulator,
} from '@trainyard/platform/emulator/test/test-emulator.ts'
import { exchangeOf } from '@trainyard/platform/emulator/test/exchange.ts'
import { machineBody, openLab, putMachine } from '@trainyard/platform/emulator/test/lab.ts'
import { officialValidator, openApi } from '@trainyard/platform/emulator/test/official-validator.ts'

let emulator: TestEmulator
beforeEach(async () => {
  emulator = await startTestEmulator()
  await openLab(emulator)
})
afterEach(() => emulator.stop())

const body = machineBody('one') as {
  location: string
  properties: { storageProfile: { imageReference: { publisher: string; offer: string; sku: string } } }
}
const { publisher, offer, sku } = body.properties.storageProfile.imageReference
const versions = `${inSubscription}/providers/Microsoft.Compute/locations/${body.location}/publishers/${publisher}/artifacttypes/vmimage/offers/${offer}/skus/${sku}/versions`

test('refuses a withdrawn image in lists and machines until it is published again', async () => {
  const publish = (published: boolean) =>
    emulator.control('POST', '/_images', { publisher, offer, sku, location: body.location, published })
  await publish(false)
  for (const path of [versions, `${versions}/1.0.0`]) {
    const { status, body: images } = await emulator.arm('GET', path)
    expect([status, images.error]).toEqual([404, { code: 'NotFound', message: 'Artifact: VMImage was not found.' }])
  }
  const refused = await putMachine(emulator, 'one')
  expect([refused.status, refused.body.error.code]).toEqual([404, 'PlatformImageNotFound'])
  await publish(true)
  expect((await putMachine(emulator, 'one')).status).toBe(201)
})

describe.skipIf(openApi === undefined)("Azure's own validator", () => {
  test('accepts image replies', { tags: ['storm'] }, async () => {
    const validate = await officialValidator(openApi ?? '')
    const listed = await emulator.arm('GET', versions)
    const [{ name }] = listed.body as [{ name: string }]
    for (const path of [versions, `${versions}/${name}`]) {
      const reply = await emulator.arm('GET', path)
      expect(reply.status).toBe(200)
      expect((await validate(exchangeOf('GET', path, undefined, reply))).violations).toEqual([])
    }
  })
})

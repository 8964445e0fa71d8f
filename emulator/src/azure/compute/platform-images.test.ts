import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startFarEnd, inSubscription, type FarEnd } from '#test/far-end.ts'
import { exchangeOf } from '#test/exchange.ts'
import { machineBody, openLab, putMachine } from '#test/lab.ts'
import { officialJudge, openApi } from '#test/official-contract.ts'

let farEnd: FarEnd
beforeEach(async () => {
  farEnd = await startFarEnd()
  await openLab(farEnd)
})
afterEach(() => farEnd.stop())

const body = machineBody('one') as {
  location: string
  properties: { storageProfile: { imageReference: { publisher: string; offer: string; sku: string } } }
}
const { publisher, offer, sku } = body.properties.storageProfile.imageReference
const versions = `${inSubscription}/providers/Microsoft.Compute/locations/${body.location}/publishers/${publisher}/artifacttypes/vmimage/offers/${offer}/skus/${sku}/versions`

test('an image taken out of a region is neither found nor made a machine of, until it is back', async () => {
  const publish = (published: boolean) =>
    farEnd.control('POST', '/_images', { publisher, offer, sku, location: body.location, published })
  await publish(false)
  for (const path of [versions, `${versions}/1.0.0`]) {
    const { status, body: said } = await farEnd.arm('GET', path)
    expect([status, said.error]).toEqual([404, { code: 'NotFound', message: 'Artifact: VMImage was not found.' }])
  }
  const refused = await putMachine(farEnd, 'one')
  expect([refused.status, refused.body.error.code]).toEqual([404, 'PlatformImageNotFound'])
  await publish(true)
  expect((await putMachine(farEnd, 'one')).status).toBe(201)
})

describe.skipIf(openApi === undefined)("Azure's own validator", () => {
  test('finds nothing wrong with images', async () => {
    const judge = await officialJudge(openApi ?? '')
    const listed = await farEnd.arm('GET', versions)
    const [{ name }] = listed.body as [{ name: string }]
    for (const path of [versions, `${versions}/${name}`]) {
      const reply = await farEnd.arm('GET', path)
      expect(reply.status).toBe(200)
      expect((await judge(exchangeOf('GET', path, undefined, reply))).violations).toEqual([])
    }
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { addTraining } from '@trainyard/platform/test/scripted-cloud.ts'
import { foreignOwner, refuseUnusableImage } from './captured-image.ts'

let portal: TestPortal
let machine: string
let organisation: { readonly id: OrganisationId; readonly name: string }
const IMAGE = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/galleries/lab/images/One/versions/1.0.0'

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
  const testTraining = await addTraining(portal.app)
  const id = await testTraining.add({ name: 'vm-one' })
  machine = 'vm-one'
  await sql`
    insert into image (organisation_id, machine_id, asked_by, image_id, ready_at, progress)
    select organisation_id, id, 'admin@place.test', ${IMAGE}, portal_now(), 100 from machine where id = ${id}`.execute(
    portal.owner,
  )
  const { rows } = await sql<typeof organisation>`
    select o.id, o.name from organisation o join machine m on m.organisation_id = o.id where m.id = ${id}`.execute(
    portal.owner,
  )
  organisation = rows[0]!
})
afterAll(() => portal.close())

const refused = (overrides: object = {}) =>
  portal.owner.transaction().execute((tx) =>
    refuseUnusableImage(tx, {
      provider: 'azure',
      image_id: IMAGE,
      os: 'Linux',
      location: 'southindia',
      ...overrides,
    }),
  )
const owner = (image_id: string, of = organisation.id) =>
  portal.owner.transaction().execute((tx) => foreignOwner(tx, { provider: 'azure', image_id }, of))

test('requires the system and location of the image for a template of a captured image', async () => {
  await refused()
  await expect(refused({ os: 'Windows' })).rejects.toThrow(`The image of ${machine} is of a Linux machine.`)
  await expect(refused({ location: 'eastus' })).rejects.toThrow(
    `The image of ${machine} is in southindia: machines can be created from it only there.`,
  )
})

test("rejects a template of an image that is not ready, in any spelling of the image's ID", async () => {
  await sql`update image set ready_at = null`.execute(portal.owner)
  const message = `The image of ${machine} is not ready.`
  for (const imageId of [IMAGE, IMAGE.toUpperCase(), IMAGE.replace('/versions/1.0.0', '')]) {
    await expect(refused({ image_id: imageId })).rejects.toThrow(message)
  }
  await sql`update image set ready_at = portal_now()`.execute(portal.owner)
})

test('does not check a template of an image that the portal did not capture', async () => {
  await refused({ image_id: IMAGE.replace('/One/', '/OneMore/'), os: 'Windows', location: 'eastus' })
  expect(await owner(IMAGE.replace('/One/', '/OneMore/'))).toBeNull()
})

test('compares images only with those of the same provider', async () => {
  await expect(refused({ provider: 'lxd', os: 'Windows' })).resolves.toBeUndefined()
})

test('returns the owner of the image for another organisation, and null for the owner', async () => {
  expect(await owner(IMAGE)).toBeNull()
  expect(await owner(IMAGE, '00000000-0000-4000-8000-000000000009' as OrganisationId)).toBe(organisation.name)
})

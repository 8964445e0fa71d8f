import { expect, test } from 'vitest'
import { machine, openLab, putMachine } from '@trainyard/platform/emulator/test/lab.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const emulator = await sharedTestEmulator({ clock: 'stepped', latency: 1 })
await openLab(emulator)
await putMachine(emulator, 'lab')
await emulator.advance(3600)

const extension = `${machine('lab')}/extensions/run`
const body = {
  location: 'southindia',
  properties: { publisher: 'Microsoft.ManagedServices', type: 'ApplicationHealthLinux', typeHandlerVersion: '1.0' },
}

test('deletes an extension after a while, accepts a repeated DELETE and allows a new extension', async () => {
  await emulator.arm('PUT', extension, body)
  await emulator.advance(3600)
  const first = await emulator.arm('DELETE', extension)
  expect([first.status, first.headers.has('azure-asyncoperation'), first.headers.has('location')]).toEqual([
    202,
    true,
    true,
  ])
  expect((await emulator.arm('DELETE', extension)).headers.get('location')).toBe(first.headers.get('location'))
  expect((await emulator.arm('GET', extension)).body.properties.provisioningState).toBe('Deleting')
  await emulator.advance(3600)
  expect((await emulator.arm('GET', extension)).status).toBe(404)
  expect((await emulator.arm('DELETE', extension)).status).toBe(204)
  expect((await emulator.arm('PUT', extension, body)).status).toBe(201)
  await emulator.advance(3600)
})

test('refuses to delete an extension of a machine that is not running', async () => {
  await emulator.arm('POST', `${machine('lab')}/deallocate`)
  expect((await emulator.arm('DELETE', extension)).body.error.code).toBe('Conflict')
  await emulator.advance(3600)
  const refused = await emulator.arm('DELETE', extension)
  expect([refused.status, refused.body.error.code]).toEqual([409, 'OperationNotAllowed'])
  expect((await emulator.arm('GET', extension)).status).toBe(200)
})

import { expect, test } from 'vitest'
import { machine, openLab, putMachine } from '#test/lab.ts'
import { sharedFarEnd } from '#test/shared.ts'

const farEnd = await sharedFarEnd({ clock: 'stepped', latency: 1 })
await openLab(farEnd)
await putMachine(farEnd, 'lab')
await farEnd.advance(3600)

const extension = `${machine('lab')}/extensions/run`
const body = {
  location: 'southindia',
  properties: { publisher: 'Microsoft.ManagedServices', type: 'ApplicationHealthLinux', typeHandlerVersion: '1.0' },
}

test('an extension goes in its time, asked once or twice, and can be put again', async () => {
  await farEnd.arm('PUT', extension, body)
  await farEnd.advance(3600)
  const first = await farEnd.arm('DELETE', extension)
  expect([first.status, first.headers.has('azure-asyncoperation'), first.headers.has('location')]).toEqual([
    202,
    true,
    true,
  ])
  expect((await farEnd.arm('DELETE', extension)).headers.get('location')).toBe(first.headers.get('location'))
  expect((await farEnd.arm('GET', extension)).body.properties.provisioningState).toBe('Deleting')
  await farEnd.advance(3600)
  expect((await farEnd.arm('GET', extension)).status).toBe(404)
  expect((await farEnd.arm('DELETE', extension)).status).toBe(204)
  expect((await farEnd.arm('PUT', extension, body)).status).toBe(201)
  await farEnd.advance(3600)
})

test('an extension of a machine that does not run stays', async () => {
  await farEnd.arm('POST', `${machine('lab')}/deallocate`)
  expect((await farEnd.arm('DELETE', extension)).body.error.code).toBe('Conflict')
  await farEnd.advance(3600)
  const refused = await farEnd.arm('DELETE', extension)
  expect([refused.status, refused.body.error.code]).toEqual([409, 'OperationNotAllowed'])
  expect((await farEnd.arm('GET', extension)).status).toBe(200)
})

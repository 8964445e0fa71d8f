import { afterEach, expect, test } from 'vitest'
import { failedWith, sharedDoctorPortal } from '@trainyard/platform/test/doctor-portal.ts'

const doctorPortal = await sharedDoctorPortal()
afterEach(async () => {
  await doctorPortal.control('POST', '/_tenant', {})
  await doctorPortal.control('DELETE', '/_faults')
})

const runChecks = (settings = {}) => doctorPortal.examine('Graph', settings)
const ASKING = ['Application.Read.All', 'Organization.Read.All']

test('reports no problem at first', async () => {
  expect(await runChecks()).toEqual({
    permissions: 'green',
    'verified domain': 'green',
    'secret or certificate': 'green',
  })
})

test('reports a permission that was not granted', async () => {
  await doctorPortal.control('POST', '/_tenant', {
    permissions: ['User.ReadWrite.All', 'User.RevokeSessions.All', ...ASKING],
  })
  expect(await runChecks()).toMatchObject({
    permissions: failedWith(/not granted User.DeleteRestore.All/, /admin consent/),
    'verified domain': 'green',
  })
})

test('reports permissions that the doctor itself is missing', async () => {
  await doctorPortal.control('POST', '/_tenant', { permissions: ['User.ReadWrite.All', 'User.DeleteRestore.All'] })
  expect(await runChecks()).toMatchObject({
    permissions: failedWith(/list its permissions \(Authorization_RequestDenied\)/, /Application.Read.All/),
    'verified domain': failedWith(/read the directory/, /Organization.Read.All/),
  })
})

test('reports a domain that is not verified in the directory', async () => {
  await doctorPortal.control('POST', '/_tenant', { domains: ['acme.onmicrosoft.com', 'acme.test'] })
  expect(await runChecks()).toMatchObject({
    'verified domain': failedWith(
      /^labs.test is not a verified domain .*: acme.onmicrosoft.com, acme.test/,
      /AZURE_LAB_DOMAIN/,
    ),
  })
  expect(await runChecks({ AZURE_LAB_DOMAIN: 'acme.test' })).toMatchObject({ 'verified domain': 'green' })
})

test('reports a federated lab domain', async () => {
  await doctorPortal.control('POST', '/_tenant', { federated: ['labs.test'] })
  expect(await runChecks()).toMatchObject({
    'verified domain': failedWith(/^labs.test is federated: another identity provider/, /onmicrosoft.com/),
  })
})

test.each([
  [20, /^The client secret portal expires in (19|20) days/],
  [-1, /^The client secret portal has expired/],
])('reports a client secret that ends in %i days', async (days, what) => {
  const secretEndsAt = new Date(Date.now() + days * 86_400_000).toISOString()
  await doctorPortal.control('POST', '/_tenant', { secretEndsAt })
  expect(await runChecks()).toMatchObject({ 'secret or certificate': failedWith(what, /Certificates & secrets/) })
})

test('reports that Graph does not respond', async () => {
  await doctorPortal.control('POST', '/_faults', { kind: 'dropConnection', operation: 'organization*' })
  expect(await runChecks()).toMatchObject({
    'verified domain': failedWith(/no readable response/),
    permissions: 'green',
  })
})

import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { pdfText } from '@trainyard/server/test/pdf.ts'
import { SUPPLIER } from '@trainyard/server/test/tax-documents.ts'
import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { region } from './invoicing.ts'
import { startPortal } from './portal.ts'
import { waitForPaint } from './screens.ts'
import { expect, test as base } from './test.ts'

function newPair() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    public: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    private: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** The portal of this file is connected to the emulated e-invoice portal. */
const test = base.extend({
  portal: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from this pattern
    async ({}, use) => {
      const keys = { encryption: newPair(), signing: newPair() }
      const portal = await startPortal(0, (url) => ({
        EINVOICE_URL: url,
        EINVOICE_CLIENT_ID: 'emulated-client',
        EINVOICE_CLIENT_SECRET: 'emulated-client-secret',
        EINVOICE_USER: 'emulated-user',
        EINVOICE_PASSWORD: 'emulated-password',
        EINVOICE_PUBLIC_KEY: keys.encryption.public,
        EINVOICE_SIGNING_KEY: keys.signing.public,
      }))
      await portal.postToEmulator('/_irp', { keys })
      await use(portal)
      await portal.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

const CUSTOMER = 'Acme Learning'

test('cancels a registered invoice, whose page, PDF and list then show that it is cancelled', async ({
  newPageAs,
  portal,
}) => {
  test.slow()
  const uid = await portal.sessionOf('superadmin@demo.test')
  const send = async (method: string, path: string, body: object) => {
    const reply = await fetch(`${portal.url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${uid}` },
      body: JSON.stringify(body),
    })
    const answer = (await reply.json()) as { digest: string; number: string }
    expect(reply.status).toBe(200)
    return answer
  }
  await send('PATCH', '/admin/supplier', { ...SUPPLIER, firstMonth: '2026-09', turnover: '10 or more' })
  const address = { addressLine1: '4 Church Street', city: 'Mysuru', pin: '570001', state: '29' }
  await send('PATCH', '/admin/organization/billing', {
    organization: CUSTOMER,
    ...address,
    emails: ['accounts@acme.test'],
  })
  const fee = { organization: CUSTOMER, lines: [{ description: 'Setup of a classroom', amount: 1_000 }] }
  const { digest } = await send('POST', '/admin/invoices/one-off/draft', fee)
  const { number } = await send('POST', '/admin/invoices/one-off', { ...fee, digest })
  await portal.runTask('register e-invoices')

  const page = await newPageAs('superadmin@demo.test', `/ledger/invoice?number=${encodeURIComponent(number)}`)
  const action = page.getByRole('button', { name: 'Cancel Document' })
  await expect(async () => {
    await page.reload()
    await expect(action).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await action.click()
  const dialog = page.getByRole('dialog', { name: `Cancel ${number}` })
  await expect(dialog).toContainText('The ledger entry is reversed')
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Request Cancellation' }).click()
  await expect(dialog).toContainText('Choose the reason.')
  await expect(dialog).toContainText('Enter a remark of at least three characters.')
  await dialog.getByLabel('Reason').selectOption('Data entry mistake')
  await dialog.getByLabel('Remark').fill('Wrong amount')
  await dialog.getByRole('button', { name: 'Request Cancellation' }).click()
  const state = region(page, 'Cancellation')
  await expect(state).toContainText('The e-invoice portal has not confirmed it yet.')
  await expect(page.getByRole('button', { name: 'Issue Credit Note' })).toHaveCount(0)
  await portal.runTask('register e-invoices')
  await expect(state).toContainText(/^Cancelled on .* \(data entry mistake\)\. The document is no longer valid\.$/)
  await expect(action).toHaveCount(0)
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
  await navigate(page, '/ledger/invoices')
  await expect(page.getByRole('table', { name: 'Issued documents' }).getByRole('row', { name: number })).toContainText(
    'Tax Invoice, cancelled',
  )

  const theirs = await newPageAs('admin@acme.test', '/ledger/account')
  const row = theirs.getByRole('table', { name: 'Invoices', exact: true }).getByRole('row', { name: number })
  await expect(row).toContainText('Tax Invoice, cancelled')
  await expect(theirs.getByRole('table', { name: 'Transactions' })).toContainText(
    `Cancellation of the tax invoice ${number}`,
  )
  await row.getByRole('link', { name: number }).click()
  await expect(region(theirs, 'Cancellation')).toContainText('The document is no longer valid.')
  await expect(region(theirs, 'Cancellation')).not.toContainText('Wrong amount')
  const file = theirs.waitForEvent('download')
  await theirs.getByRole('button', { name: 'Save PDF' }).click()
  expect(await pdfText(await readFile(await (await file).path()))).toContain('THIS DOCUMENT IS NOT VALID')
  await expect
    .poll(
      async () =>
        (await portal.mails()).filter(({ subject }) => subject.startsWith(`Cancelled: Tax Invoice ${number}`)).length,
    )
    .toBe(1)
})

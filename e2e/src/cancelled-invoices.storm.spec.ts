import { readFile } from 'node:fs/promises'
import { pdfText } from '@trainyard/platform/test/pdf.ts'
import { SUPPLIER } from '@trainyard/invoices/test/tax-documents.ts'
import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { region } from './invoicing.ts'
import { waitForPaint } from './screens.ts'
import { expect, test } from './test.ts'

const CUSTOMER = 'Acme Learning'

test('records the registration and the cancellation of an invoice, whose page, PDF and list then show it as cancelled', async ({
  newPageAs,
  portal,
}) => {
  test.slow()
  const uid = await portal.sessionOf('superadmin@demo.test')
  const send = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`${portal.url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${uid}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await reply.json()) as { digest: string; number: string; expectedIrn: string }
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
  const { expectedIrn } = await send('GET', `/admin/invoice?number=${encodeURIComponent(number)}`)
  const minutesAgo = (minutes: number) =>
    new Date(portal.now().getTime() + (330 - minutes) * 60_000).toISOString().slice(0, 19)

  const page = await newPageAs('superadmin@demo.test', '/ledger/invoices')
  await region(page, 'Waiting for Registration').getByRole('link', { name: number }).click()
  const cancel = page.getByRole('button', { name: 'Record Cancellation' })
  await expect(page.getByRole('button', { name: 'Record Registration' })).toBeVisible()
  await expect(cancel).toHaveCount(0)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save INV-01' }).click()
  const form = JSON.parse(await readFile(await (await saving).path(), 'utf8')) as { DocDtls: { No: string } }
  expect(form.DocDtls.No).toBe(number)
  await page.getByRole('button', { name: 'Record Registration' }).click()
  const registering = page.getByRole('dialog', { name: `Registration of ${number}` })
  await registering.getByLabel('IRN').fill(expectedIrn)
  await registering.getByLabel('Acknowledgement Number').fill('112010036563310')
  await registering.getByLabel('Acknowledged At (India)').fill(minutesAgo(60))
  await registering.getByLabel('Signed QR Code').fill('a.b.c')
  await registering.getByRole('button', { name: 'Record Registration' }).click()
  await expect(region(page, 'E-invoice Portal')).toContainText('Acknowledgement 112010036563310.')

  await cancel.click()
  const dialog = page.getByRole('dialog', { name: `Cancellation of ${number}` })
  await expect(dialog).toContainText('The ledger entry is reversed')
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
  const record = dialog.getByRole('button', { name: 'Record Cancellation' })
  await record.click()
  await expect(dialog).toContainText('Enter date and time.')
  await expect(dialog).toContainText('Choose the reason.')
  await dialog.getByLabel('Reason').selectOption('Data entry mistake')
  await dialog.getByLabel('Cancelled At (India)').fill(minutesAgo(120))
  await record.click()
  await expect(page.getByRole('alert')).toContainText('only within 24 hours of its registration. Check the date.')
  await dialog.getByLabel('Cancelled At (India)').fill(minutesAgo(1))
  await record.click()
  const state = region(page, 'Cancellation')
  await expect(state).toContainText(/^Cancelled on .* \(data entry mistake\)\. The document is no longer valid\.$/)
  await expect(cancel).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Issue Credit Note' })).toHaveCount(0)
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
  await navigate(page, '/ledger/invoices')
  await expect(page.getByRole('table', { name: 'Issued documents' }).getByRole('row', { name: number })).toContainText(
    'Tax Invoice, cancelled',
  )

  const theirs = await newPageAs('admin@acme.test', '/ledger/account/invoices')
  const row = theirs.getByRole('table', { name: 'Invoices', exact: true }).getByRole('row', { name: number })
  await expect(row).toContainText('Tax Invoice, cancelled')
  await navigate(theirs, '/ledger/account')
  await expect(theirs.getByRole('table', { name: 'Transactions' })).toContainText(
    `Cancellation of the tax invoice ${number}`,
  )
  await navigate(theirs, '/ledger/account/invoices')
  await row.getByRole('link', { name: number }).click()
  await expect(region(theirs, 'Cancellation')).toContainText('The document is no longer valid.')
  const file = theirs.waitForEvent('download')
  await theirs.getByRole('button', { name: 'Download PDF' }).click()
  expect(await pdfText(await readFile(await (await file).path()))).toContain('THIS DOCUMENT IS NOT VALID')
  await expect
    .poll(
      async () =>
        (await portal.mails()).filter(({ subject }) => subject.startsWith(`Cancelled: Tax Invoice ${number}`)).length,
    )
    .toBe(1)
})

import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { pdfText } from '@trainyard/platform/test/pdf.ts'
import { navigate } from './navigate.ts'
import {
  addRate,
  BILLING,
  dateDaysAgo,
  fillSection,
  monthToInvoice,
  region,
  saveSection,
  SUPPLIER,
} from './invoicing.ts'
import { waitForPaint } from './screens.ts'
import { DEMO_USERS, expect, test } from './test.ts'

const CUSTOMER = 'Globex Academy'
const CUSTOMER_QUERY = '?organization=Globex+Academy'

const statusWith = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
async function download(page: Page, button: string): Promise<Buffer> {
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  return readFile(await (await file).path())
}

async function checkPage(page: Page): Promise<void> {
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
}

test('fills in the settings, previews, issues, saves and mails an invoice, and corrects it by a credit note', async ({
  signedIn,
  newPageAs,
  portal,
}) => {
  test.slow()
  const month = await monthToInvoice(portal)
  const page = await signedIn('superadmin')
  await navigate(page, '/ledger/invoices')
  await expect(page.getByText(/^Still missing in the supplier settings: legal name/)).toBeVisible()
  const documents = page.getByRole('table', { name: 'Issued documents' }).getByRole('row')
  await expect(documents, 'the heading and the invoice of the demo').toHaveCount(2)
  await checkPage(page)

  await page.getByRole('main').getByRole('link', { name: 'Supplier Settings' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Supplier Settings')
  await fillSection(page, 'Supplier', { 'GST Number': '29AAFCC9980M1ZX', 'PIN Code': '12' })
  await region(page, 'Supplier').getByRole('button', { name: 'Save Supplier' }).click()
  await expect(region(page, 'Supplier')).toContainText('Must have the correct check digit')
  await expect(region(page, 'Supplier')).toContainText('Enter six digits, such as 560001.')
  await saveSection(page, 'Supplier', SUPPLIER)
  await expect(region(page, 'Supplier').getByLabel('GST Number')).toHaveValue('29AAFCC9980M1ZR')
  await navigate(page, '/admin/supplier/series')
  await addRate(page)
  await navigate(page, '/admin/supplier/billing')
  await saveSection(page, 'Monthly Run', { 'First Month to Invoice': month })
  await navigate(page, '/admin/supplier')
  await expect(page.getByRole('heading', { name: 'Before Invoices Can Be Issued' })).toHaveCount(0)
  await checkPage(page)

  await navigate(page, '/ledger/invoices')
  const row = page.getByRole('table', { name: 'Invoices to be issued' }).getByRole('row', { name: CUSTOMER })
  await expect(row).toContainText(
    `Still missing in the billing settings of ${CUSTOMER}: address, city, PIN code, state.`,
  )
  await row.getByRole('link', { name: `Settings of ${CUSTOMER}` }).click()
  await saveSection(page, 'Billing', {
    Address: '7 Law College Road',
    City: 'Pune',
    'PIN Code': '411004',
    State: '27',
    'Mail Documents To': 'accounts@globex.test',
  })

  await navigate(page, '/ledger/invoices')
  await row.getByRole('button', { name: `Preview of ${CUSTOMER}` }).click()
  const preview = page.getByRole('dialog', { name: `Invoice of ${CUSTOMER}` })
  await expect(preview).toContainText('not issued yet')
  await expect(preview).toContainText('Trainyard Labs Private Limited')
  await checkPage(page)
  // The alert about a lost connection does not cover the button, on a wide screen or on a phone.
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await page.context().setOffline(true)
    await preview.getByRole('button', { name: 'Issue Invoice' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'The portal did not answer.' }).first()).toBeVisible()
    await page.context().setOffline(false)
  }
  await preview.getByRole('button', { name: 'Issue Invoice' }).dblclick()
  await expect(statusWith(page, /^Invoice INV\/\d\d-\d\d\/00001 for Globex Academy issued\.$/)).toBeVisible()
  await expect(row).toHaveCount(0)
  const issued = page.getByRole('table', { name: 'Issued documents' })
  const number = await issued.getByRole('link').first().innerText()

  await issued.getByRole('link', { name: number }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invoice')
  const paper = region(page, `Tax Invoice ${number}`)
  const amountInWords = await paper.getByText(/^Rupees .* Only$/).innerText()
  await checkPage(page)
  const text = await pdfText(await download(page, 'Download PDF'))
  for (const detail of [number, amountInWords, 'Globex Academy', 'GSTIN 29AAFCC9980M1ZR', '7 Law College Road'])
    expect(text).toContain(detail)
  const form = JSON.parse(String(await download(page, 'Save INV-01'))) as { DocDtls: { No: string } }
  expect(form.DocDtls.No).toBe(number)
  await expect
    .poll(async () => (await portal.mails()).filter(({ to }) => to.includes('accounts@globex.test')).length)
    .toBe(1)

  await page.getByRole('button', { name: 'Issue Credit Note' }).click()
  const note = page.getByRole('dialog', { name: `Credit Note Against ${number}` })
  await note.getByRole('button', { name: 'Issue Credit Note' }).click()
  await expect(note).toContainText('Enter an amount for at least one item.')
  await note.getByLabel('Item 1: rupees before tax').fill('9,99,99,999')
  await note.getByLabel('Reason').fill('Billed twice')
  await note.getByRole('button', { name: 'Issue Credit Note' }).click()
  await expect(note).toContainText(/At most ₹[\d,.]+ can be credited\./)
  await checkPage(page)
  await note.getByLabel('Item 1: rupees before tax').fill('10')
  await note.getByRole('button', { name: 'Issue Credit Note' }).click()
  await expect(statusWith(page, `against ${number} issued.`)).toBeVisible()
  await page.getByRole('button', { name: 'Issue Debit Note' }).click()
  const debit = page.getByRole('dialog', { name: `Debit Note Against ${number}` })
  await debit.getByLabel('Item 1: rupees before tax').fill('20')
  await debit.getByLabel('Reason').fill('Price was too low')
  await debit.getByRole('button', { name: 'Issue Debit Note' }).click()
  await expect(region(page, 'Debit Notes').getByRole('link', { name: /^DBN/ })).toBeVisible()
  await region(page, 'Credit Notes').getByRole('link').click()
  await expect(page.getByRole('region', { name: /^Credit Note CRN/ })).toContainText('Billed twice')
  await navigate(page, `/ledger/account${CUSTOMER_QUERY}`)
  const entries = page.getByRole('table', { name: 'Transactions' })
  await expect(entries.getByRole('row', { name: `Credit note for ${number}` })).toContainText('₹11.80')

  await navigate(page, '/ledger/invoices')
  await page.getByRole('main').getByRole('link', { name: 'GST Return' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Billing History, GST Return')
  await page.getByLabel('Month', { exact: true }).fill(dateDaysAgo(portal, 0).slice(0, 7))
  await expect(page.getByRole('table', { name: 'Comparison' }).getByRole('row', { name: 'Sales' })).toContainText('₹')
  await expect(page.getByText(/^(Return and ledger agree|The entries below explain the differences)/)).toBeVisible()
  await checkPage(page)
  const file = JSON.parse((await download(page, 'Save GSTR-1')).toString()) as { doc_issue: { doc_det: object[] } }
  expect(file.doc_issue.doc_det).toHaveLength(3)

  // The customer's admin sees the documents and cannot change them.
  const customerPage = await newPageAs('admin@globex.test', '/ledger/account/invoices')
  const list = customerPage.getByRole('table', { name: 'Invoices', exact: true })
  await expect(list.getByRole('row')).toHaveCount(4)
  await checkPage(customerPage)
  await list.getByRole('link', { name: number }).click()
  await expect(region(customerPage, `Tax Invoice ${number}`)).toBeVisible()
  await expect(customerPage.getByRole('button', { name: 'Issue Credit Note' })).toHaveCount(0)
  expect(await pdfText(await download(customerPage, 'Download PDF'))).toContain(number)
  await customerPage.context().close()
  const foreign = await newPageAs(DEMO_USERS.admin, `/ledger/invoice?number=${encodeURIComponent(number)}`)
  await expect(foreign.getByText('There is no such document.')).toBeVisible()

  // The other customers are invoiced one after another, each with the content of its preview.
  await navigate(page, '/admin/organisation?organization=Acme+Learning')
  await saveSection(page, 'Billing', { ...BILLING, State: '29', 'Purchase Order': 'PO-12' })
  await navigate(page, '/ledger/invoices')
  await page.getByRole('button', { name: 'Issue Several' }).click()
  const issueDialog = page.getByRole('dialog', { name: /^Issue Invoices for / })
  await expect(issueDialog.getByRole('checkbox', { name: /^Acme Learning: ₹/ })).toBeChecked()
  await checkPage(page)
  await issueDialog.getByRole('button', { name: 'Issue 1 Invoice' }).click()
  await expect(issueDialog).toHaveCount(0)
  await issued.getByRole('row', { name: 'Acme Learning' }).getByRole('link', { name: /^INV/ }).click()
  await expect(page.getByRole('region', { name: /^Tax Invoice / })).toContainText('PO-12')

  await navigate(page, '/ledger/invoices')
  await page.getByRole('button', { name: 'One-off Invoice' }).click()
  const oneOffDialog = page.getByRole('dialog')
  await oneOffDialog.getByRole('button', { name: 'Preview' }).click()
  await expect(oneOffDialog).toContainText('Select an organisation.')
  await oneOffDialog.getByLabel('Organisation').selectOption('Acme Learning')
  await oneOffDialog.getByRole('button', { name: 'Add a Line' }).click()
  for (const [line, description, amount] of [
    ['Line 1', 'Setup of a classroom', '1,000'],
    ['Line 2', 'Consulting', '500'],
  ] as const) {
    await oneOffDialog.getByRole('group', { name: line }).getByLabel('Description').fill(description)
    await oneOffDialog.getByRole('group', { name: line }).getByLabel('Amount Before Tax (₹)').fill(amount)
  }
  await oneOffDialog.getByRole('group', { name: 'Line 1' }).getByLabel('Discount (₹)').fill('100')
  await checkPage(page)
  await oneOffDialog.getByRole('button', { name: 'Preview' }).click()
  await expect(oneOffDialog).toContainText('Setup of a classroom: ₹1,000.00 less discount of ₹100.00')
  await checkPage(page)
  await oneOffDialog.getByRole('button', { name: 'Issue Invoice' }).click()
  await expect(statusWith(page, /^Invoice INV\/\d\d-\d\d\/\d{5} for Acme Learning issued\.$/).last()).toBeVisible()
  await expect(issued.getByRole('row', { name: 'Acme Learning' }).filter({ hasText: '₹1,652.00' })).toBeVisible()
})

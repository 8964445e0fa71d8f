import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { navigate } from './navigate.ts'
import { waitForPaint } from './screens.ts'
import { expect, test } from './test.ts'

const CUSTOMER = 'Globex Academy'

const h1 = (page: Page) => page.getByRole('heading', { level: 1 })
const clients = (page: Page) => page.getByRole('table', { name: 'Client Ledger' })
const transactions = (page: Page) => page.getByRole('table', { name: 'Transactions' })

/** Parses the rupees in a cell: '₹1,23,456.70' is 123456.7. */
const rupeesIn = (text: string) => Number(text.replaceAll(/[₹,\s]/g, ''))

async function figure(page: Page, term: string): Promise<number> {
  const value = page.getByText(term, { exact: true }).first().locator('xpath=following-sibling::dd[1]')
  await expect(value).toHaveText(/₹/)
  return rupeesIn(await value.innerText())
}

test('a superadmin adds an invoice, records a payment, and sees both in the account', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  await page.getByRole('link', { name: 'Billing History' }).click()
  await expect(h1(page)).toHaveText('Billing History')
  const owed = await figure(page, 'Balance')
  const invoiced = await figure(page, 'Invoice Value')
  const row = clients(page).getByRole('row', { name: CUSTOMER })
  const before = rupeesIn(await row.getByRole('cell').last().innerText())

  await page.getByRole('button', { name: 'Add Invoice' }).click()
  const invoice = page.getByRole('dialog', { name: 'Add Invoice' })
  await invoice.getByLabel('Date').fill('')
  await invoice.getByRole('button', { name: 'Add Invoice' }).click()
  for (const sentence of [
    'Organization is required',
    'Invoice ID is required',
    'Amount must be greater than zero',
    'Date is required',
  ])
    await expect(invoice.getByRole('alert').filter({ hasText: sentence })).toHaveText(sentence)
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
  await invoice.getByLabel('Organization').selectOption(CUSTOMER)
  await invoice.getByLabel('Invoice ID').fill('E2E-1')
  await invoice.getByLabel('Amount (₹)').fill('1,000.29')
  await invoice.getByLabel('Date').fill('2026-01-31')
  await invoice.getByLabel('Date').press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Invoice E2E-1 added.' })).toBeVisible()
  await expect(row).toContainText(formatRupees((before * 100 + 1_000_29) / 100))
  expect(await figure(page, 'Invoice Value')).toBeCloseTo(invoiced + 1000.29, 5)

  await page.getByRole('button', { name: 'Record Payment' }).click()
  const payment = page.getByRole('dialog', { name: 'Record Payment' })
  await payment.getByLabel('Organization').selectOption(CUSTOMER)
  await payment.getByLabel('Amount (₹)').fill('0')
  await payment.getByRole('button', { name: 'Record Payment' }).click()
  await expect(payment.getByRole('alert')).toHaveText(['Payment ID is required', 'Amount must be greater than zero'])
  await payment.getByLabel('Payment ID').fill('E2E-1')
  await payment.getByLabel('Amount (₹)').fill('800,00')
  await payment.getByRole('button', { name: 'Record Payment' }).click()
  await expect(payment.getByRole('alert')).toHaveText(/^Use commas only as in 1,00,000/)
  await payment.getByLabel('Amount (₹)').fill('0.29')
  await payment.getByRole('button', { name: 'Record Payment' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Payment E2E-1 recorded.' })).toBeVisible()
  await expect(row).toContainText(formatRupees((before * 100 + 1_000_00) / 100))
  expect(await figure(page, 'Balance')).toBeCloseTo(owed + 1000, 5)

  await page.getByRole('button', { name: 'Add Invoice' }).click()
  await invoice.getByLabel('Organization').selectOption(CUSTOMER)
  await invoice.getByLabel('Invoice ID').fill('E2E-1')
  await invoice.getByLabel('Amount (₹)').fill('5')
  await invoice.getByRole('button', { name: 'Add Invoice' }).click()
  await expect(page.getByRole('alert')).toHaveText(`${CUSTOMER} already has the invoice E2E-1.`)
  await invoice.getByRole('button', { name: 'Cancel' }).click()

  await row.getByRole('cell').last().click()
  await expect(h1(page)).toHaveText('Account')
  await expect(page).toHaveURL(/\/ledger\/account\?organization=Globex\+Academy$/)
  await expect(page.getByRole('heading', { name: CUSTOMER })).toBeVisible()
  await expect(transactions(page).getByRole('columnheader')).toHaveText([
    'Sl',
    'Date',
    'Particular',
    'Invoice',
    'Payment',
    'ID',
    'Balance',
  ])
  await expect(transactions(page).getByRole('row', { name: 'E2E-1' })).toHaveCount(2)
  await expect(transactions(page)).toContainText('31/01/2026')
  const pay = page.getByRole('button', { name: 'Make a Payment' })
  await expect(pay).toBeDisabled()
  await expect(pay).toHaveAccessibleDescription('Superadmins cannot make payments.')
})

test('searches and exports the client ledger, and opens an account by keyboard', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  await expect(page.getByRole('list', { name: 'Checks without problems' })).toContainText(
    'No unclaimed cloud resources',
  )
  await navigate(page, '/ledger')
  const balances = async () =>
    (await clients(page).locator('tbody').getByRole('row').locator('td:last-child').allInnerTexts()).map(rupeesIn)
  await expect(clients(page).getByRole('row').nth(1)).toBeVisible()
  expect(await balances()).toEqual((await balances()).toSorted((a, b) => b - a))

  const search = page.getByRole('searchbox', { name: 'Search Client Ledger' })
  await search.fill('nobody of this name')
  await expect(page.getByText('No matches.')).toBeVisible()
  await search.fill('globex')
  await expect(clients(page).getByRole('row')).toHaveCount(2)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(csv).toMatch(/^\uFEFF#,Client Name,Invoice Value,Payment Received,Balance\r\n1,Globex Academy,[\d.]+,[\d.]+,/)

  await search.press('Tab')
  for (let tabs = 0; tabs < 12; tabs += 1) {
    if (
      await clients(page)
        .getByRole('link', { name: CUSTOMER })
        .evaluate((element) => element.matches(':focus'))
    )
      break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await expect(h1(page)).toHaveText('Account')
  await expect(page.getByRole('heading', { name: CUSTOMER })).toBeVisible()
  await page.goBack()
  await expect(h1(page)).toHaveText('Billing History')
})

test(
  'an account shows its balance over time as a chart, and its statement as a file and on paper',
  { tag: '@storm' },
  async ({ signedIn }) => {
    const page = await signedIn('admin')
    await page.getByRole('link', { name: 'Account', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Acme Learning' })).toBeVisible()
    await expect(page.getByText('29AAACA1234A1ZG')).toBeVisible()
    const balance = await figure(page, 'Overall Balance')
    await expect(page.getByText('Credit Limit', { exact: true })).toBeVisible()
    // Newest first: the balance after the newest entry is the account's balance.
    const newest = transactions(page).getByRole('row').nth(1)
    expect(rupeesIn(await newest.getByRole('cell').last().innerText())).toBe(balance)
    await expect(page.getByRole('figure', { name: 'Balance over time' })).toBeVisible()

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n')
    expect(lines[0]).toBe('\uFEFFSl,Date,Particular,Invoice,Payment,ID,Balance')
    expect(lines[1]).toBe(',,Opening balance,,,,0')
    expect(Number(lines.at(-1)!.split(',').at(-1))).toBe(balance)

    // The printed page is the one after the 'beforeprint' handlers have run.
    await page.evaluate(`addEventListener('beforeprint', () => {
    document.body.dataset.printed = document.querySelectorAll('[aria-label="Statement"] tr').length
  })`)
    await page.pdf({ format: 'A4' })
    // The table has the same lines as the file: headings, opening and closing balance, and the entries.
    await expect(page.locator('body')).toHaveAttribute('data-printed', String(lines.length))

    await page.emulateMedia({ media: 'print' })
    const paper = page.getByRole('region', { name: 'Statement' })
    await expect(paper).toContainText('29AAACA1234A1ZG')
    for (const label of ['Period', 'Opening balance', 'Closing balance'])
      await expect(paper.getByRole('term').filter({ hasText: label })).toBeVisible()
    await expect(paper.getByRole('row').last()).toContainText(formatRupees(balance))
    await expect(paper.getByRole('row')).toHaveCount(lines.length)
    for (const control of ['Make a Payment', 'Print statement', 'Export CSV'])
      await expect(page.getByRole('button', { name: control })).toBeHidden()
    await expect(page.getByRole('navigation', { name: 'Screens' })).toBeHidden()
    await page.emulateMedia({ media: 'screen' })

    await page.getByLabel('Period', { exact: true }).selectOption({ index: 4 })
    await expect(page.getByText('No transactions found')).toBeVisible()
  },
)

test(
  'records a payment with deducted tax and its certificate, and shows a balanced trial balance',
  { tag: '@storm' },
  async ({ signedIn }) => {
    const page = await signedIn('superadmin', '/ledger')
    const balance = page.getByRole('table', { name: 'Trial Balance' })
    const tds = balance.getByRole('row', { name: 'TDS Receivable' })
    await expect(balance.getByRole('row', { name: 'Sales', exact: false }).first()).toBeVisible()
    const before = (await tds.count()) === 0 ? 0 : rupeesIn(await tds.getByRole('cell').nth(1).innerText())
    await page.getByRole('button', { name: 'Record Payment' }).click()
    const payment = page.getByRole('dialog', { name: 'Record Payment' })
    await payment.getByLabel('Organization').selectOption(CUSTOMER)
    await payment.getByLabel('Payment ID').fill('E2E-TDS')
    await payment.getByLabel('Amount (₹)', { exact: true }).fill('980')
    await payment.getByLabel('TDS deducted (₹)').fill('none')
    await payment.getByRole('button', { name: 'Record Payment' }).click()
    await expect(payment).toContainText('Enter rupees, or leave the field empty.')
    await payment.getByLabel('TDS deducted (₹)').fill('20')
    await payment.getByRole('button', { name: 'Record Payment' }).click()
    const status = (text: string) => page.getByRole('status').filter({ hasText: text })
    await expect(status('Payment E2E-TDS and TDS of ₹20.00 recorded.')).toBeVisible()
    await expect(tds).toContainText(formatRupees(before + 20))
    await expect(page.getByText(/^Debits (₹[\d,.]+), credits \1 at the end of /)).toBeVisible()
    await balance.scrollIntoViewIfNeeded()
    await waitForPaint(page)
    expect(await axeProblems(page)).toEqual([])

    await page.getByRole('button', { name: 'Record TDS' }).click()
    const certificate = page.getByRole('dialog', { name: 'Record TDS' })
    await certificate.getByLabel('Organization').selectOption(CUSTOMER)
    await certificate.getByRole('checkbox', { name: /^₹20\.00 from E2E-TDS of / }).check()
    await expect(certificate.getByLabel('Section')).toHaveCount(0)
    await certificate.getByLabel('Certificate number').fill('E2ECERT')
    await waitForPaint(page)
    expect(await axeProblems(page)).toEqual([])
    await certificate.getByRole('button', { name: 'Record TDS' }).click()
    await expect(status('TDS certificate E2ECERT recorded.')).toBeVisible()
  },
)

test('exports the ledger for bookkeeping by kind of entry and period', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/ledger')
  await page.getByRole('button', { name: 'Export for Bookkeeping' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export for Bookkeeping' })
  await dialog.getByLabel('Program').selectOption('Zoho Books')
  await expect(dialog.getByLabel('Entries').getByRole('option')).toHaveText([
    'Invoices',
    'Credit notes',
    'Payments and TDS',
    'Settlements and fees',
  ])
  await dialog.getByLabel('Program').selectOption('TallyPrime (workbook)')
  await dialog.getByLabel('Entries').selectOption('Payments and TDS')
  await dialog.getByLabel('Organisation').selectOption('Acme Learning')
  await dialog.getByLabel('First day').fill('2099-01-01')
  await dialog.getByRole('button', { name: 'Export CSV' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Choose a day that is not before the first day.')
  await dialog.getByLabel('First day').fill('2001-01-01')
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export CSV' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines[0]).toBe(
    '\uFEFFVoucher Date,Voucher Type Name,Voucher Number,Ledger Name,Ledger Amount,Ledger Amount Dr/Cr,Voucher Narration',
  )
  expect(lines[1]).toMatch(/^\d{2}-\d{2}-\d{4},Receipt,[^,]+,Acme Learning,\d+\.\d{2},Cr,/)
  await expect(dialog).toHaveCount(0)
})

test('an admin reads the statement of a year and saves it as a PDF', { tag: '@storm' }, async ({ signedIn }) => {
  const page = await signedIn('admin', '/ledger/account')
  const balance = await figure(page, 'Overall Balance')
  await page.getByRole('link', { name: 'Statements' }).click()
  await expect(h1(page)).toHaveText('Account, Statements')
  await expect.poll(() => figure(page, 'Closing balance')).toBe(balance)
  const periods = page.getByLabel('Period')
  await periods.selectOption({ index: 1 })
  await expect(page.getByRole('table', { name: 'Entries' })).toBeVisible()
  const closing = await figure(page, 'Closing balance')
  await periods.selectOption({ index: 0 })
  await expect.poll(() => figure(page, 'Opening balance')).toBe(closing)
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download PDF' }).click()
  expect((await readFile(await (await download).path())).subarray(0, 5).toString()).toBe('%PDF-')
})

test('a line of the bill shows the causes that started and ended each run', { tag: '@storm' }, async ({ signedIn }) => {
  const page = await signedIn('admin', '/vm/billing?training=Linux+101')
  const lines = page.getByRole('table', { name: 'Lines of the bill' })
  await expect(lines.getByRole('row').nth(1)).toBeVisible()
  const machine = lines.getByRole('row').nth(1).getByRole('button')
  const name = await machine.innerText()
  await machine.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Runs of ${name}` })
  const runs = dialog.getByRole('table', { name: `Runs of ${name}` })
  await expect(runs.getByRole('row').nth(1)).toContainText(/the provider accepted the|it was (observed|imported)/)
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(machine).toBeFocused()
})

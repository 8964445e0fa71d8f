import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { pdfText } from '@trainyard/platform/test/pdf.ts'
import { axeProblems } from './axe.ts'
import { addRate, dateDaysAgo, monthToInvoice, saveSection, SUPPLIER } from './invoicing.ts'
import { navigate } from './navigate.ts'
import type { Portal } from './portal.ts'
import { waitForPaint } from './screens.ts'
import { DEMO_USERS, expect, test } from './test.ts'
import { inKolkata, orderTraining } from './training.ts'

/** Walks through money as an accountant, a customer and a prepaid customer do, with screenshots of each step. */
const FOLDER = fileURLToPath(new URL('../../test-results/screens/', import.meta.url))
const WIDE = { width: 1366, height: 768 }
const PHONE = { width: 390, height: 844 }

test.use({ viewport: WIDE })
// A worker-scoped fixture of this file starts a separate worker with its own portal, because other tests issue invoices
// of the same month.
test.use({
  sessions: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from this pattern
    async ({}, use) => {
      await use(new Map())
    },
    { scope: 'worker' },
  ],
})

/** Saves a screenshot of the whole page at 1366 px and on a phone. The page fits the width and has no axe problems. */
async function capture(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  for (const [size, viewport] of [
    ['phone', PHONE],
    ['wide', WIDE],
  ] as const) {
    await page.setViewportSize(viewport)
    await waitForPaint(page)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.screenshot({ path: `${FOLDER}month-${name}.${size}.png`, fullPage: true, animations: 'disabled' })
  }
  expect(await axeProblems(page)).toEqual([])
}

const statusWith = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const rowOf = (page: Page, table: string, name: string | RegExp) =>
  page.getByRole('table', { name: table, exact: true }).getByRole('row', { name })
const rupeesIn = (text: string): number => Math.round(Number(text.replaceAll(/[^\d.-]/g, '')) * 100)

async function save(page: Page, button: string): Promise<string> {
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  return readFile(await (await file).path(), 'utf8')
}

async function call<T>(page: Page, portal: Portal, method: string, path: string, data?: object): Promise<T> {
  const reply = await page.request.fetch(`/api${path}`, { method, headers: { origin: portal.url }, data })
  expect(reply.ok(), await reply.text()).toBe(true)
  return (await reply.json()) as T
}

test('a superadmin closes a month in one sitting', async ({ signedIn, portal }) => {
  const month = await monthToInvoice(portal)
  const page = await signedIn('superadmin', '/admin/supplier')
  const loads: string[] = []
  page.on('load', () => loads.push(page.url()))
  await saveSection(page, 'Supplier', SUPPLIER)
  await navigate(page, '/admin/supplier/series')
  await addRate(page)
  await navigate(page, '/admin/supplier/billing')
  await saveSection(page, 'Monthly Run', { 'First Month to Invoice': month })
  for (const [name, changes] of [
    ['Acme Learning', { State: '29', 'PIN Code': '570001', City: 'Mysuru', 'Purchase Order': 'PO-12' }],
    ['Globex Academy', { State: '27', 'PIN Code': '411001', City: 'Pune' }],
  ] as const) {
    await navigate(page, `/admin/organisation?organization=${name.replace(' ', '+')}`)
    const mail = `accounts@${name.split(' ')[0]!.toLowerCase()}.test`
    await saveSection(page, 'Billing', { Address: '4 Church Street', 'Mail Documents To': mail, ...changes })
  }

  await navigate(page, '/ledger/invoices')
  const drafts = page.getByRole('table', { name: 'Invoices to be issued' })
  await expect(drafts.getByRole('row', { name: 'Acme Learning' })).toContainText('₹')
  await capture(page, '1-drafts')
  await page.getByRole('button', { name: 'Preview of Globex Academy' }).click()
  await expect(page.getByRole('dialog')).toContainText('not issued yet')
  await capture(page, '2-preview')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Issue Several' }).click()
  const issueDialog = page.getByRole('dialog', { name: /^Issue Invoices for / })
  await expect(issueDialog.getByRole('checkbox', { name: /^Globex Academy: ₹/ })).toBeChecked()
  await capture(page, '3-approve')
  await issueDialog.getByRole('button', { name: 'Issue 2 Invoices' }).click()
  await expect(issueDialog).toHaveCount(0)
  const issued = page.getByRole('table', { name: 'Issued documents' })
  await expect(issued.getByRole('row')).toHaveCount(4)
  await capture(page, '4-issued')
  for (const name of ['acme', 'globex'])
    await expect
      .poll(async () => (await portal.mails()).filter(({ to }) => to.includes(`accounts@${name}.test`)).length)
      .toBe(1)

  const invoice = issued.getByRole('row', { name: 'Acme Learning' })
  const number = await invoice.getByRole('link', { name: /^INV/ }).innerText()
  await invoice.getByRole('link', { name: /^INV/ }).click()
  await expect(heading(page)).toHaveText('Invoice')
  await capture(page, '5-invoice')
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download PDF' }).click()
  const text = await pdfText(await readFile(await (await file).path()))
  const form = JSON.parse(await save(page, 'Save INV-01')) as { ValDtls: Record<string, number> }
  const { AssVal, CgstVal, SgstVal, TotInvVal } = form.ValDtls
  for (const amount of [AssVal!, CgstVal!, SgstVal!, TotInvVal!]) expect(text).toContain(formatRupees(amount))

  await navigate(page, '/ledger')
  // The clock of the portal may be days ahead of the browser's.
  await page.getByLabel('At the end of').fill(dateDaysAgo(portal, 0))
  await expect(page.getByText(/^Debits (₹[\d,.]+), credits \1 at the end of /)).toBeVisible()
  await capture(page, '6-ledger')
  const sales = rupeesIn(await rowOf(page, 'Trial Balance', 'Output CGST').getByRole('cell').last().innerText())
  expect(sales, 'with the invoice of the demo').toBe(Math.round(CgstVal! * 100) + 3_043_60)

  await page.getByRole('main').getByRole('link', { name: 'GST Return' }).click()
  await page.getByLabel('Month', { exact: true }).fill(dateDaysAgo(portal, 0).slice(0, 7))
  const cells = rowOf(page, 'Comparison', 'Output CGST').getByRole('cell')
  await expect(cells.nth(1)).toHaveText(formatRupees(CgstVal!))
  for (const account of ['Sales', 'Output CGST', 'Output SGST and UTGST', 'Output IGST'])
    await expect(rowOf(page, 'Comparison', account).getByRole('cell').last()).toHaveText('₹0.00')
  await capture(page, '7-gst-return')
  const gstr1 = JSON.parse(await save(page, 'Save GSTR-1')) as { b2b: { inv: { inum: string; val: number }[] }[] }
  expect(gstr1.b2b.flatMap(({ inv }) => inv).find(({ inum }) => inum === number)?.val).toBe(TotInvVal)

  await navigate(page, '/ledger')
  await page.getByRole('button', { name: 'Export for Bookkeeping' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export for Bookkeeping' })
  await dialog.getByLabel('First day').fill(`${dateDaysAgo(portal, 0).slice(0, 7)}-01`)
  await dialog.getByLabel('Last day').fill(dateDaysAgo(portal, 0))
  await capture(page, '8-export')
  const xml = await save(page, 'Export XML')
  const voucher = xml.split('<VOUCHER ').find((each) => each.includes(`<VOUCHERNUMBER>${number}<`))
  expect(voucher).toContain(`<AMOUNT>-${TotInvVal!.toFixed(2)}</AMOUNT>`)
  await expect(dialog).toHaveCount(0)
  expect(loads).toEqual([])
})

interface Account {
  readonly legal: { readonly balance: number }
}
interface Open {
  readonly invoices: readonly { readonly invoice: string; readonly openPaise: number }[]
}

test('a customer pays the second of three invoices, and reminders speak of the other two', async ({
  signedIn,
  newPageAs,
  portal,
}) => {
  const page = await signedIn('superadmin', '/ledger')
  await call(page, portal, 'PATCH', '/admin/supplier', { reminders: 'on', paymentDays: 15, reminderDays: [3, 20] })
  const query = { organization: 'Globex Academy' }
  await call(page, portal, 'PATCH', '/admin/organization/billing', { ...query, emails: ['accounts@globex.test'] })
  // The three invoices are the only open ones.
  const { invoices } = await call<Open>(page, portal, 'GET', '/admin/ledger/open?organization=Globex+Academy')
  const date = dateDaysAgo(portal, 0)
  for (const { invoice, openPaise } of invoices) {
    const payment = {
      ...query,
      type: 'payment',
      id: `Paid ${invoice}`,
      amount: openPaise / 100,
      settles: invoice,
      date,
    }
    await call(page, portal, 'POST', '/admin/ledger/addTransaction', payment)
  }
  for (const [id, amount] of [
    ['FEES-1', 11_800],
    ['FEES-2', 23_600],
    ['FEES-3', 35_400],
  ] as const)
    await call(page, portal, 'POST', '/admin/ledger/addTransaction', { ...query, type: 'invoice', id, amount, date })
  const customerPage = await newPageAs('admin@globex.test', '/ledger/account')
  await customerPage.setViewportSize(WIDE)
  const open = customerPage.getByRole('table', { name: 'Open Invoices' })
  await expect(open.getByRole('row')).toHaveCount(4)
  await capture(customerPage, 'pay-1-open')
  await customerPage.getByRole('button', { name: 'Make a Payment' }).click()
  const dialog = customerPage.getByRole('dialog', { name: 'Make a Payment' })
  await dialog.getByLabel('For', { exact: true }).selectOption('FEES-2')
  await expect(dialog.getByLabel('Amount (₹)')).toHaveValue('23600')
  await capture(customerPage, 'pay-2-chosen')
  await dialog.getByRole('button', { name: 'Continue to the checkout' }).click()
  const checkout = customerPage.frameLocator('iframe[title="Checkout"]')
  await checkout.getByLabel('Card number').fill('4111 1111 1111 1111')
  await checkout.getByRole('button', { name: 'Pay ₹23,600.00' }).click()
  await checkout.getByRole('button', { name: 'Success', exact: true }).click()
  await expect(statusWith(customerPage, 'Payment successful and verified!')).toBeVisible()
  await expect(open.getByRole('row', { name: 'FEES-2' })).toHaveCount(0)
  await expect(open.getByRole('row', { name: 'FEES-1' })).toContainText('₹11,800.00')
  await expect(open.getByRole('row', { name: 'FEES-3' })).toContainText('₹35,400.00')
  await capture(customerPage, 'pay-3-settled')

  await portal.advanceClock(18 * 24 * 3_600)
  const reminders = async () =>
    (await portal.mails()).filter(({ subject }) => subject.startsWith('Reminder: invoice FEES-'))
  await expect.poll(async () => (await reminders()).length).toBe(2)
  const texts = (await reminders()).map(({ text }) => text).join(' ')
  expect(texts).toContain('₹11,800.00 of invoice FEES-1')
  expect(texts).toContain('₹35,400.00 of invoice FEES-3')
  const accountPage = await newPageAs('admin@globex.test', '/ledger/account')
  const sent = accountPage.getByRole('table', { name: 'Reminders' }).getByRole('row', { name: 'accounts@globex.test' })
  await expect(sent).toHaveText([/FEES-\d/, /FEES-\d/])
  await capture(accountPage, 'pay-4-reminded')

  await signedIn('superadmin', '/ledger')
  await expect(rowOf(page, 'Open Invoices by Age', 'Globex Academy').getByRole('cell').last()).toHaveText('₹47,200.00')
  await capture(page, 'pay-5-ageing')
})

interface Credit {
  readonly now: string
  readonly accounts: readonly {
    readonly trainingName: string | null
    readonly leftPaise: number
    readonly paisePerHour: number
    readonly runsOutAt: string | null
  }[]
}
interface Machine {
  readonly status: string
  readonly isRunning: boolean
}

test('a prepaid customer runs out at 14:20, as forecast', async ({ signedIn, newPageAs, portal }) => {
  const training = 'Prepaid Course'
  const until = (time: string): number => {
    const { date } = inKolkata(portal.now())
    const instant = Date.parse(`${date.split('/').toReversed().join('-')}T${time}+05:30`)
    return (instant - portal.now().getTime()) / 1_000
  }
  const untilOne = until('13:00:00')
  await portal.advanceClock(untilOne < 0 ? untilOne + 24 * 3_600 : untilOne)
  const admin = await signedIn('admin')
  await orderTraining(admin, training, ['prepaid1@acme.test', 'prepaid2@acme.test'])
  const query = { organization: 'Acme Learning', trainingName: training }
  const page = await newPageAs(DEMO_USERS.superadmin, '/ledger/credit?organization=Acme+Learning')
  await page.setViewportSize(WIDE)
  const stateOf = async () => {
    const { accounts } = await call<Credit>(admin, portal, 'GET', '/admin/credit')
    return accounts.find(({ trainingName }) => trainingName === training)!
  }
  const usedUpMails = async () =>
    (await portal.mails()).filter(({ subject }) => subject.includes(`${training}: used up`)).length
  const machines = () =>
    call<Machine[]>(admin, portal, 'GET', `/azure/machines?${new URLSearchParams(query).toString()}`)

  // Settles the balance first, so that the whole purchase is credit.
  const { legal } = await call<Account>(admin, portal, 'GET', '/admin/ledger/accounts')
  if (legal.balance > 0)
    await call(page, portal, 'POST', '/admin/ledger/addTransaction', {
      organization: query.organization,
      type: 'payment',
      id: 'SETTLED-1',
      date: dateDaysAgo(portal, 0),
      amount: legal.balance,
      settles: null,
    })
  const rates = [{ from: '2017-07-01', basisPoints: 1_800 }]
  await call(page, portal, 'PATCH', '/admin/supplier', { rates })
  const terms = { ...query, hardLimit: false, low: 0, validDays: null }
  await call(page, portal, 'POST', '/admin/credit/account', terms)
  const { paisePerHour, leftPaise } = await stateOf()
  expect(paisePerHour).toBeGreaterThan(0)
  const credit = Math.round((paisePerHour * until('14:20:20')) / 3_600) - leftPaise
  await page.reload()
  await page.getByRole('button', { name: 'Record Purchase' }).click()
  const dialog = page.getByRole('dialog', { name: 'Record Purchase' })
  await dialog.getByLabel('Credit for').selectOption(training)
  await dialog.getByLabel('Payment ID').fill('NEFT-1420')
  await dialog.getByLabel('Amount (₹)').fill((Math.round(credit * 1.18) / 100).toFixed(2))
  await dialog.getByLabel('Date').fill(dateDaysAgo(portal, 0))
  await capture(page, 'prepaid-1-purchase')
  await dialog.getByRole('button', { name: 'Record Purchase' }).click()
  await expect(statusWith(page, 'Payment NEFT-1420 recorded as prepaid credit.')).toBeVisible()
  await call(page, portal, 'POST', '/admin/credit/account', { ...terms, hardLimit: true })

  await admin.clock.setSystemTime(portal.now())
  await navigate(admin, '/ledger/credit')
  const section = admin.getByRole('region', { name: training, exact: true })
  await expect(section).toContainText('Runs out at 14:20, with the machines that run now')
  await capture(admin, 'prepaid-2-forecast')
  const forecast = new Date((await stateOf()).runsOutAt!)
  expect(inKolkata(forecast).time).toBe('14:20')

  // The account was set up without credit, which was reported too.
  await expect.poll(usedUpMails).toBe(1)
  await portal.advanceClock(until('14:18:00'))
  await expect.poll(async () => inKolkata(new Date((await stateOf()).runsOutAt!)).time).toBe('14:20')
  expect((await machines()).map(({ isRunning }) => isRunning)).toEqual([true, true])
  await portal.advanceClock(until('14:20:05'))
  expect((await stateOf()).leftPaise).toBeGreaterThan(0)
  await expect.poll(async () => (await machines()).map(({ status }) => status)).toEqual(['Stopped', 'Stopped'])
  expect(inKolkata(portal.now()).time).toBe('14:20')
  const after = await stateOf()
  expect(after.leftPaise).toBeLessThanOrEqual(0)
  expect(-after.leftPaise).toBeLessThan(paisePerHour / 60)

  await admin.clock.setSystemTime(portal.now())
  await admin.reload()
  await expect(section).toContainText('The credit is used up: machines stay off until more is bought.')
  await capture(admin, 'prepaid-3-used-up')
  await navigate(admin, `/vm/vmdetails?training=${training.replace(' ', '+')}`)
  const card = admin.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()
  await expect(card).toContainText('Stopped')
  await expect(card.getByRole('button', { name: /^Power On / })).toHaveAccessibleDescription(
    `The prepaid credit of ${training} is used up: machines stay off until an admin buys more.`,
  )
  await capture(admin, 'prepaid-4-stopped')
  await expect.poll(usedUpMails).toBe(2)
})

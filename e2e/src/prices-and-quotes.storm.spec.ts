import type { Locator, Page } from '@playwright/test'
import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { addRate, BILLING, region, saveSection, SUPPLIER } from './invoicing.ts'
import { takePicture } from './picture.ts'
import { expect, test } from './test.ts'

const APPEARANCES = [
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const

const statusWith = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

/** Saves screenshots of the current page at both sizes in both colour schemes. */
async function takePictures(page: Page, name: string, target?: Locator): Promise<void> {
  for (const [width, colorScheme] of APPEARANCES) {
    await page.setViewportSize({ width: width === 1440 ? 1366 : width, height: 844 })
    await page.emulateMedia({ colorScheme })
    await target?.scrollIntoViewIfNeeded()
    await takePicture(page, `${name}.${width === 390 ? 'phone' : 'wide'}.${colorScheme}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

test('a superadmin sets prices of a customer, and its admin sees them', async ({ signedIn, newPageAs }) => {
  const page = await newPageAs('superadmin@demo.test', '/admin/organisation?organization=Acme+Learning')
  const section = page.getByRole('region', { name: 'Prices', exact: true })
  await expect(section).toContainText('The general prices apply.')
  const setPrice = async (rate: string, from: string) => {
    await section.getByRole('button', { name: 'Set a Price' }).click()
    const dialog = page.getByRole('dialog', { name: 'Price of Acme Learning' })
    await dialog.getByLabel('Name').selectOption('Ubuntu 24.04 Starter')
    await dialog.getByRole('button', { name: 'Set Price' }).click()
    await expect(dialog).toContainText('Enter rupees')
    await dialog.getByLabel('Price per Hour').fill(rate)
    await dialog.getByLabel('From').fill(from)
    await takePictures(page, `set-price-${rate}`)
    await expectNoAxeProblems(page, APPEARANCES)
    await dialog.getByRole('button', { name: 'Set Price' }).click()
    await expect(dialog).toBeHidden()
  }
  await setPrice('7.25', '2099-04-01')
  await setPrice('6.5', '2099-10-01')
  const table = section.getByRole('table', { name: 'Prices', exact: true })
  await expect(table).toContainText('₹7.25')
  await takePictures(page, 'prices', section)
  await expectNoAxeProblems(page, APPEARANCES)

  const admin = await signedIn('admin', '/createvm')
  await expect(admin.getByText('₹7.25 from 01/04/2099')).toBeVisible()
  await takePictures(admin, 'prices-createvm')
  await admin.goto('/admin/organisation')
  await expect(admin.getByRole('region', { name: 'Prices', exact: true }).getByRole('table')).toContainText('₹6.50')
  await expectNoAxeProblems(admin, APPEARANCES)

  for (const from of ['01/10/2099', '01/04/2099']) {
    await section.getByRole('button', { name: `Remove the price of Ubuntu 24.04 Starter from ${from}` }).click()
    await expect(statusWith(page, 'is removed.').last()).toBeVisible()
  }
  await expect(section).toContainText('The general prices apply.')
  await page.context().close()
})

test('a quote is accepted by the admin and becomes a proforma invoice and a tax invoice', async ({
  signedIn,
  newPageAs,
}) => {
  const page = await newPageAs('superadmin@demo.test', '/admin/supplier')
  // Another test of the same portal may have filled these.
  if ((await region(page, 'Supplier').getByLabel('Legal Name', { exact: true }).inputValue()) === '') {
    await saveSection(page, 'Supplier', SUPPLIER)
    await page.goto('/admin/supplier/series')
    await addRate(page)
    await page.goto('/admin/supplier/billing')
    await saveSection(page, 'Monthly Run', { 'First Month to Invoice': '2026-01' })
    await page.goto('/admin/organisation?organization=Acme+Learning')
    await saveSection(page, 'Billing', { ...BILLING, State: '29' })
  }
  await page.goto('/ledger/invoices')
  await page.getByRole('button', { name: 'Quote', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Organisation').selectOption('Acme Learning')
  await dialog.getByLabel('Description').fill('Setup of a classroom')
  await dialog.getByLabel('Amount Before Tax').fill('10000')
  await takePictures(page, 'quote-write')
  await expectNoAxeProblems(page, APPEARANCES)
  await dialog.getByRole('button', { name: 'Send Quote' }).click()
  await expect(statusWith(page, 'for Acme Learning sent.')).toBeVisible()
  const quotes = page.getByRole('region', { name: 'Quotes', exact: true })
  await takePictures(page, 'quotes', quotes)
  await expectNoAxeProblems(page, APPEARANCES)

  const admin = await signedIn('admin', '/ledger/quotes')
  await admin.getByRole('button', { name: /^Open Q-/ }).click()
  await takePictures(admin, 'quote-open')
  await expectNoAxeProblems(admin, APPEARANCES)
  await admin.getByRole('button', { name: 'Answer' }).click()
  await admin.getByRole('button', { name: 'Accept Quote' }).click()
  await expect(admin.getByRole('dialog')).toContainText('Choose an answer.')
  await admin.getByLabel('Accept', { exact: true }).check()
  await takePictures(admin, 'quote-answer')
  await expectNoAxeProblems(admin, APPEARANCES)
  await admin.getByRole('button', { name: 'Accept Quote' }).click()
  await expect(admin.getByRole('dialog')).toContainText('Accepted')

  await page.reload()
  await page.getByRole('button', { name: /^Open Q-/ }).click()
  await page.getByRole('button', { name: 'Send Proforma Invoice' }).click()
  await page.getByRole('button', { name: 'Record Payment' }).click()
  await page.getByLabel('Payment ID').fill('UTR-QUOTE-1')
  await takePictures(page, 'quote-payment')
  await expectNoAxeProblems(page, APPEARANCES)
  await page.getByRole('button', { name: 'Record Payment' }).click()
  await expect(page.getByRole('list', { name: 'Payments' })).toContainText('UTR-QUOTE-1')
  await page.getByRole('button', { name: 'Preview Invoice' }).click()
  await page.getByRole('button', { name: 'Issue Invoice' }).click()
  await expect(page.getByRole('dialog')).toContainText('Tax invoice')
  await takePictures(page, 'quote-invoiced')
  await expectNoAxeProblems(page, APPEARANCES)
  await page.context().close()
})

test('an admin buys prepaid credit by invoice, and has it when the payment is recorded', async ({
  signedIn,
  newPageAs,
}) => {
  const admin = await signedIn('admin', '/ledger/credit')
  await admin.getByRole('button', { name: 'Buy by Invoice' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Buy Credit by Invoice' })
  await dialog.getByRole('button', { name: 'Send Proforma Invoice' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByLabel('Credit (₹)').fill('1000')
  await takePictures(admin, 'credit-by-invoice')
  await expectNoAxeProblems(admin, APPEARANCES)
  await dialog.getByRole('button', { name: 'Send Proforma Invoice' }).click()
  await expect(statusWith(admin, 'has the credit when it is paid.')).toBeVisible()

  const page = await newPageAs('superadmin@demo.test', '/ledger/quotes?organization=Acme+Learning')
  await page
    .getByRole('button', { name: /^Open Q-/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toContainText('prepaid credit of Acme Learning')
  await expect(page.getByRole('button', { name: 'Preview Invoice' })).toHaveCount(0)
  await takePictures(page, 'credit-proforma')
  await page.getByRole('button', { name: 'Record Payment' }).click()
  await page.getByLabel('Payment ID').fill('UTR-CREDIT-1')
  await takePictures(page, 'credit-payment')
  await expectNoAxeProblems(page, APPEARANCES)
  await page.getByRole('button', { name: 'Record Payment' }).click()
  await expect(statusWith(page, 'Payment UTR-CREDIT-1 recorded')).toBeVisible()
  await expect(page.getByRole('dialog')).toContainText('Paid')
  await takePictures(page, 'credit-paid')
  await page.context().close()
})

test('an admin pays a proforma invoice online, and its state changes without a reload', async ({ signedIn }) => {
  const page = await signedIn('admin', '/ledger/credit')
  await page.getByRole('button', { name: 'Buy by Invoice' }).click()
  await page.getByLabel('Credit (₹)').fill('2000')
  await page.getByRole('button', { name: 'Send Proforma Invoice' }).click()
  await expect(statusWith(page, 'has the credit when it is paid.')).toBeVisible()
  await page.goto('/ledger/quotes')
  const quotes = page.getByRole('region', { name: 'Quotes', exact: true })
  const row = quotes.getByRole('row').filter({ hasText: '₹2,360.00' })
  const pay = row.getByRole('button', { name: /^Pay PF-/ })
  await expect(pay).toBeVisible()
  await takePictures(page, 'proforma-payable', quotes)
  await expectNoAxeProblems(page, APPEARANCES)

  await row.getByRole('button', { name: /^Open Q-/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pay', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Make a Payment' })
  await expect(dialog.getByLabel('Amount (₹)')).toHaveValue('2360')
  await expect(dialog.getByLabel('Amount (₹)')).not.toBeEditable()
  await expect(dialog).toContainText(/Proforma invoice PF-/)
  await takePictures(page, 'proforma-pay')
  await expectNoAxeProblems(page, APPEARANCES)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await pay.click()
  await dialog.getByRole('button', { name: 'Continue to the checkout' }).click()
  const checkout = page.frameLocator('iframe[title="Checkout"]')
  await checkout.getByRole('button', { name: 'Pay ₹2,360.00' }).click()
  await checkout.getByRole('button', { name: 'Success', exact: true }).click()
  await expect(statusWith(page, 'Payment successful and verified!')).toBeVisible()
  await expect(row).toContainText('Paid')
  await expect(pay).toHaveCount(0)
  await takePictures(page, 'proforma-paid', quotes)
  await page.getByRole('link', { name: 'Transactions' }).click()
  await expect(page.getByRole('table', { name: 'Transactions' })).toContainText(/Online payment for PF-/)
})

import { addRate, monthToInvoice, save, SUPPLIER } from './invoicing.ts'
import { SIZES, takePicture } from './picture.ts'
import { expect, test } from './test.ts'

/** The month's end: settings, an invoice, a statement and a bill of the provider's. */
test('of invoices, statements and costs', async ({ signedIn, portal }) => {
  const month = await monthToInvoice(portal)
  const page = await signedIn('superadmin', '/admin/supplier')
  const picture = async (name: string) => {
    for (const [size, colorScheme] of [
      ['wide', 'light'],
      ['phone', 'dark'],
    ] as const) {
      await page.setViewportSize(SIZES[size])
      await page.emulateMedia({ colorScheme })
      await takePicture(page, `${name}.${size}.${colorScheme}`)
    }
    await page.setViewportSize(SIZES.wide)
  }
  await save(page, 'Supplier', SUPPLIER)
  await addRate(page)
  await save(page, 'Monthly Run', { 'First Month to Invoice': month })
  await picture('supplier-settings')
  await page.goto('/admin/organisation?organization=Globex+Academy')
  await save(page, 'Billing', { Address: '4 Church Road', City: 'Pune', 'PIN Code': '411001', State: '27' })

  await page.goto('/ledger/invoices')
  await page.getByRole('button', { name: 'Preview of Globex Academy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Issue Invoice' }).click()
  const issued = page.getByRole('table', { name: 'Issued documents' }).getByRole('link').first()
  await expect(issued).toBeVisible()
  await picture('invoices')
  await issued.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invoice')
  await picture('invoice')
  await page.goto('/ledger/account?organization=Globex+Academy')
  await expect(page.getByRole('table', { name: 'Invoices', exact: true })).toBeVisible()
  await picture('account-of-a-customer')
  await page.goto('/ledger/statement?organization=Globex+Academy')
  await expect(page.getByRole('table').first()).toBeVisible()
  await picture('statement')
})
